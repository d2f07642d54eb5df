// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lecture/lecture_text.h"

#include <nlohmann/json.hpp>

#include "kernels/base/json_text.h"

namespace tileloom::lecture {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kLine = 120;  // characters

// On one line, with a space after colons and commas.
std::string flat(const ordered_json& value) {
  std::string text;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      text += (text.empty() ? "" : ", ") + dumped(ordered_json(key)) + ": " + flat(member);
    return "{" + text + "}";
  }
  if (value.is_array()) {
    for (const ordered_json& one : value) text += (text.empty() ? "" : ", ") + flat(one);
    return "[" + text + "]";
  }
  return dumped(value);
}

std::string laidOut(const ordered_json& value, std::size_t indent, bool opened) {
  const std::string line = flat(value);
  const bool nested = (value.is_object() || value.is_array()) && !value.empty();
  if (!nested || (!opened && indent + line.size() <= kLine)) return line;
  const std::string inner(indent + 2, ' '), outer(indent, ' ');
  std::string text;
  const auto add = [&](const std::string& one) {
    text += (text.empty() ? "" : ",\n") + inner + one;
  };
  if (value.is_object()) {
    for (const auto& [key, member] : value.items())
      add(dumped(ordered_json(key)) + ": " + laidOut(member, indent + 2, opened && key == "steps"));
    return "{\n" + text + "\n" + outer + "}";
  }
  for (const ordered_json& one : value) add(laidOut(one, indent + 2, opened));
  return "[\n" + text + "\n" + outer + "]";
}

}  // namespace

std::string lectureText(const ordered_json& lecture) {
  return laidOut(lecture, 0, true) + "\n";
}

}  // namespace tileloom::lecture
