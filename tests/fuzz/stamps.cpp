// SPDX-License-Identifier: GPL-3.0-or-later
// A file of timestamps: an accepted one is written as a text that reads back as the same.
#include <nlohmann/json.hpp>

#include "kernels/timeline/recorded/measured.h"
#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto measured = timeline::measuredFrom(bytes);
  if (!measured) return requireSentence(measured.error());
  const auto again = timeline::measuredFrom(timeline::toJson(*measured).dump());
  require(again && *again == *measured, "stamps are written in the same way again");
}
