// SPDX-License-Identifier: GPL-3.0-or-later
// The constants of a prediction: accepted ones are written as a line that reads back as the same.
#include "kernels/model/prediction/rates.h"

#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto rates = model::ratesFromLine(bytes);
  if (!rates) return requireSentence(rates.error());
  const std::string line = model::toLine(*rates);
  requirePlainLine(line);
  const auto again = model::ratesFromLine(line);
  require(again && model::toLine(*again) == line, "constants are written in the same way again");
}
