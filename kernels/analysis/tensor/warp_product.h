// SPDX-License-Identifier: GPL-3.0-or-later
// One mma instruction as it was recorded: the lane that holds each element of its factors, and the
// sums that it adds to.
#pragma once

#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct WarpProduct {
  // A part of an operand that one lane holds.
  struct Part {
    Element element;
    std::uint32_t lane = 0;
    std::uint32_t value = 0;  // of A and B: half value % 2 of the lane's register value / 2
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> a, b, c;   // lane by lane, each lane's in the order of its registers
  Region tileA, tileB, tileC;  // their extents: 16 x 16, 16 x 8, 16 x 8
  std::uint32_t index = 0;     // of the instruction in the warp's stream
  std::uint32_t kTile = 0;
  std::uint16_t dot = 0;     // where its step along K begins, within the K tile
  std::uint32_t number = 0;  // from 1, among the warp's mma of this step
  std::uint32_t count = 0;   // of these
  // Relative to the requested instruction.
  enum class When { Now, Before, Later } when = When::Now;
};

// The columns of A, and rows of B, that one instruction of this kernel multiplies: 1 where lanes
// multiply one k at a time. It is the distance of the recorded k of a K tile.
std::uint32_t dotDepth(const emulator::Trace& trace);

// The number of an mma or wgmma within its step along K. A step may contain a barrier and other
// instructions.
struct InStep {
  std::uint32_t number = 0;  // from 1
  std::uint32_t count = 0;
};
// `at` must be an Mma or a Product of `warp`.
InStep placeInStep(const emulator::Trace& trace, std::uint32_t warp, const emulator::Position& at);

// The mma that `warp` executes at instruction `index`, else the last one before it, else the first
// one after it. Nothing for kernels without mma.
std::optional<WarpProduct> warpProduct(const Recording& recording, std::uint32_t warp,
                                       std::uint32_t index);

}  // namespace tileloom::analysis
