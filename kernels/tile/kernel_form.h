// SPDX-License-Identifier: GPL-3.0-or-later
// What the host has to know of a kernel to launch it: the arguments that it takes, and how it
// splits tiles along K.
#pragma once

#include <cstdint>

namespace tileloom {

// The arguments of a kernel, after M, N and K.
enum class KernelForm : std::uint8_t {
  Floats,          // alpha, A, B, beta, C
  FloatsAndParts,  // the same, and the memory of the parts of tiles
  Elements,        // A, B, C
  Boxes,           // tensor maps of A and B, C
  StoredBoxes,     // tensor maps of A, B and C
  SplitBoxes,      // the same, and the memory of the pieces of tiles
  Own,             // as its launch file says (kernels/own)
};

// How the tiles of the last wave are split along K.
enum class SplitK : std::uint8_t {
  No,
  Rounds,  // in whole rounds of STAGES K tiles; a persistent block computes pieces of tiles
  Parts,   // each part of a tile is a block of its own
};

}  // namespace tileloom
