// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch multiplies, as against the problem that it is for.
#pragma once

#include <string>

#include "kernels/tile/stage.h"

namespace tileloom {

// What a launch of a rung with the copy engine is made of, whatever the problem: the tiles of all
// blocks of a cluster, below each other, and the K tiles of a whole turn of the ring where the
// kernel counts in such turns (Trait::Split).
Problem wholeUnit(const Stage& stage, const TileShape& tile);
// The problem in whole tiles, where the kernel multiplies zeros beyond the edges of A and B, be
// they padding or made by the copy engine; the problem itself where it stops at the edges.
Problem wholeTiles(const Stage& stage, const TileShape& tile, const Problem& problem);

// Bytes that each row of a matrix must be a multiple of, for the widest accesses of the kernel or
// for the strides of its tensor maps.
struct RowAlignment {
  int a = 0;  // rows of A: K elements
  int b = 0;  // rows of B: N elements, and so those of C
};
RowAlignment rowAlignment(const Stage& stage, const TileShape& tile);

// What a problem becomes before it is multiplied, and why.
struct Padding {
  Problem asked;
  Problem buffers;     // M, N and K of A, B and C in memory: see paddedProblem()
  Problem multiplied;  // see wholeTiles()
  // Why the buffers are larger than the problem, and why more than they hold is multiplied: each
  // without a full stop, empty where nothing is.
  std::string whyBuffers;
  std::string whyMultiplied;

  bool any() const { return !whyBuffers.empty() || !whyMultiplied.empty(); }
  // Of the products that are made, those that the problem asks for.
  double usefulShare() const;
};
Padding paddingOf(const Stage& stage, const TileShape& tile, const Problem& problem);

// One line for each of the two, with a newline; empty where nothing is padded:
// "Padded to 128 x 256 x 304: …".
std::string paddingText(const Padding& padding);

}  // namespace tileloom
