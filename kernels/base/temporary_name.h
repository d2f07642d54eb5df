// SPDX-License-Identifier: GPL-3.0-or-later
// The name of a file or a folder while it is being written beside its target.
#pragma once

#include <algorithm>
#include <string_view>

namespace tileloom {

// As mkstemp and QTemporaryDir take it: they replace the last six letters.
inline constexpr std::string_view kTemporaryPattern = ".tileloom-XXXXXX";
inline constexpr int kTemporaryLetters = 6;

// Whether the pattern made this name. Only such a name may be removed as a leftover of ours.
constexpr bool isTemporaryName(std::string_view name) {
  constexpr auto kFixed = kTemporaryPattern.substr(0, kTemporaryPattern.size() - kTemporaryLetters);
  const auto isLetter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  };
  return name.size() == kTemporaryPattern.size() && name.starts_with(kFixed) &&
         std::ranges::all_of(name.substr(kFixed.size()), isLetter);
}

}  // namespace tileloom
