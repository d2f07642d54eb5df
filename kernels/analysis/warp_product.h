// SPDX-License-Identifier: GPL-3.0-or-later
// One tensor-core product of a warp as it was recorded: which lane holds which element of its
// factors, and to which sums it adds.
#pragma once

#include <optional>
#include <vector>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct WarpProduct {
  // A part of an operand that one lane has.
  struct Part {
    Element element;
    std::uint32_t lane = 0;
    std::uint32_t value = 0;  // of A and B: half value % 2 of the lane's register value / 2
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> a, b, c;   // lane by lane, each lane's in the order of its registers
  Region tileA, tileB, tileC;  // what they cover: 16 x 16, 16 x 8, 16 x 8
  std::uint32_t index = 0;     // of the instruction in the warp's stream
  std::uint32_t kTile = 0;
  std::uint16_t dot = 0;     // where its step along K begins, within the K tile
  std::uint32_t number = 0;  // from 1, among the warp's products of this step
  std::uint32_t count = 0;   // of these
  // Seen from the instruction that was asked for.
  enum class When { Now, Before, Later } when = When::Now;
};

// How many columns of A, and rows of B, are multiplied at a dot index of this rung: 1 where lanes
// multiply one by one. Dot indices of a K tile are that far apart.
std::uint32_t dotDepth(const Stage& stage);

// Which product of its step along K one is. A step may have a barrier in it, and other
// instructions.
struct InStep {
  std::uint32_t number = 0;  // from 1
  std::uint32_t count = 0;
};
// `at` must be a product of `warp`, an Mma or a Product.
InStep placeInStep(const emulator::Trace& trace, std::uint32_t warp, const emulator::Position& at);

// The product that `warp` executes at instruction `index`, else the last one before it, else the
// first one after it. Nothing where no warp multiplies by itself on tensor cores.
std::optional<WarpProduct> warpProduct(const Recording& recording, std::uint32_t warp,
                                       std::uint32_t index);

}  // namespace tileloom::analysis
