// SPDX-License-Identifier: GPL-3.0-or-later
// JSON within bounds: accepted JSON is written as a text that is read as the same value.
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "tests/fuzz/support.h"

void tileloom::fuzz::attack(std::string_view bytes) {
  const auto value = parseJson(bytes, kRecordBounds);
  const auto object = parseJsonObject(bytes, kRecordBounds);
  require(object.has_value() == (value && value->is_object()), "an object is one of the values");
  if (!object) requireSentence(object.error());
  if (!value) return requireSentence(value.error());
  require(bytes.find('\0') == bytes.npos, "a text ends where it seems to end");
  // A number may become longer: 1e9 is written as 1000000000.0.
  constexpr JsonBounds kLonger{.bytes = 32 * kRecordBounds.bytes};
  const auto again = parseJson(value->dump(), kLonger);
  require(again && *again == *value, "a value reads back as the same");
  require(again->dump() == value->dump(), "a value is written in the same way again");
}
