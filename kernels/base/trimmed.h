// SPDX-License-Identifier: GPL-3.0-or-later
// A text without the white space around it.
#pragma once

#include <string_view>

namespace tileloom {

inline std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

}  // namespace tileloom
