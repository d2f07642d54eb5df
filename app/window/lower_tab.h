// SPDX-License-Identifier: GPL-3.0-or-later
// The views below the loom.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace tileloom {

// From left to right.
enum class LowerTab {
  Banks,
  Path,
  Source,
  Sass,
  Instructions,
  Compare,
  Charts,
  Ladder,
  Roofline,
  Tuning
};
inline constexpr int kLowerTabs = 10;

// As command line and session files name them.
inline constexpr std::array<std::string_view, kLowerTabs> kTabNames = {
    "banks",   "path",   "source", "sass",     "instructions",
    "compare", "charts", "ladder", "roofline", "tuning"};

constexpr std::string_view tabName(LowerTab tab) {
  return kTabNames[static_cast<std::size_t>(tab)];
}

}  // namespace tileloom
