// SPDX-License-Identifier: GPL-3.0-or-later
// Playback speeds of a recording. Seconds per K tile give the same tempo on every rung;
// instructions per second are slower.
#pragma once

#include <array>
#include <string_view>

namespace tileloom {

enum class Pace {
  Instructions2,
  Instructions5,
  Instructions15,
  Tile16,
  Tile8,
  Tile4,
  Tile2,
  Tile1
};

// As session files name them.
inline constexpr std::array<std::string_view, 8> kPaceNames = {
    "2 instructions/s", "5 instructions/s", "15 instructions/s", "16 s per K tile",
    "8 s per K tile",   "4 s per K tile",   "2 s per K tile",    "1 s per K tile"};

inline constexpr Pace kUsualPace = Pace::Tile4;

// 0: the pace is in K tiles.
constexpr double instructionsPerSecond(Pace pace) {
  constexpr std::array<double, 8> kRates = {2, 5, 15, 0, 0, 0, 0, 0};
  return kRates[static_cast<std::size_t>(pace)];
}

// Also if the pace is in instructions: then it applies to skipped K tiles, which have none.
constexpr double secondsPerTile(Pace pace) {
  constexpr std::array<double, 8> kSeconds = {4, 4, 4, 16, 8, 4, 2, 1};
  return kSeconds[static_cast<std::size_t>(pace)];
}

}  // namespace tileloom
