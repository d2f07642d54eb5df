// SPDX-License-Identifier: GPL-3.0-or-later
// The operations of kernels that are timestamped on a GPU (kernels/device/stamps.cuh), and what a
// warp waits for in each of them.
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
  Work work;              // the same operation in a program for the clock
  On on;                  // what it waits for; Nothing: it continues at once
  Work before;            // what its warp does between the previous timestamp and this one
  bool countsGroups;      // its argument says how many groups it leaves in flight
};

// An operation's number in a record is its index here plus 1.
std::span<const StampWord> stampWords();
// By the number in a record; nullptr: there is no such operation.
const StampWord* stampWord(std::uint32_t number);
std::optional<std::uint32_t> stampWordNamed(std::string_view name);

// The reasons whose waiting time is summed, in the order of the device file's sums.
inline constexpr std::array kSummed = {On::Warps, On::Phase, On::Copies, On::Products, On::Boxes};

// "-DTILELOOM_WORD_wait=3 -DTILELOOM_ON_wait=1", … : the numbers for the device file, and the sum
// that a wait in the operation belongs to (-1: none).
std::vector<std::string> stampWordOptions();

}  // namespace tileloom::timeline
