// SPDX-License-Identifier: GPL-3.0-or-later
// The ceilings of a device: each accepted line is written as one that reads back as the same.
#include "kernels/model/limits/ceilings.h"

#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto file = model::parseCeilings(bytes, "ceilings.jsonl");
  for (const std::string& complaint : file.complaints) requireSentence(complaint);
  for (const model::Ceilings& ceilings : file.all) {
    const std::string line = model::toLine(ceilings);
    requirePlainLine(line);
    const auto again = model::ceilingsFromLine(line);
    require(again && model::toLine(*again) == line, "ceilings are written in the same way again");
    require(model::ceilingsOf(file.all, ceilings.device, ceilings.driver) != nullptr,
            "ceilings are found by their device");
  }
}
