// SPDX-License-Identifier: GPL-3.0-or-later
// The words of kernels whose time is stamped on a GPU (kernels/device/stamps.cuh), and what a warp
// waits for in each of them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

struct StampWord {
  std::string_view name;  // as the source has it
  Work work;              // what the same word is in a program for the clock
  On on;                  // what it waits for; Nothing: it goes on at once
  Work before;            // what its warp does between the stamp in front of it and this one
  bool countsGroups;      // its argument says how many groups it leaves under way
};

// A word's number in a record is its place here plus 1.
std::span<const StampWord> stampWords();
// By the number that a record has; nullptr: there is no such word.
const StampWord* stampWord(std::uint32_t number);
std::optional<std::uint32_t> stampWordNamed(std::string_view name);

// What the time of waiting is added up for, in the order of the device file's sums.
inline constexpr std::array kSummed = {On::Warps, On::Phase, On::Copies, On::Products, On::Boxes};

// "-DTILELOOM_WORD_wait=3 -DTILELOOM_ON_wait=1", … : what the device file reads the numbers from,
// and which sum a wait in the word belongs to (-1: none).
std::vector<std::string> stampWordOptions();

}  // namespace tileloom::timeline
