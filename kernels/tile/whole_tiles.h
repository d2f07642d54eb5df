// SPDX-License-Identifier: GPL-3.0-or-later
// The size that a launch multiplies, compared with the size of the problem.
#pragma once

#include <string>

#include "kernels/tile/stage.h"

namespace tileloom {

// The unit of a launch of a rung with TMA, for any problem: the tiles of all blocks of a cluster,
// one below the other, and the K tiles of a whole round of the pipeline where the kernel counts in
// rounds (SplitK::Rounds).
Problem wholeUnit(const Stage& stage, const TileShape& tile);
// The problem in whole tiles, where the kernel multiplies zeros beyond the edges of A and B, from
// padding or from TMA; the problem itself where it stops at the edges.
Problem wholeTiles(const Stage& stage, const TileShape& tile, const Problem& problem);

// Bytes that each row of a matrix must be a multiple of, for the widest accesses of the kernel or
// for the strides of its tensor maps.
struct RowAlignment {
  int a = 0;  // rows of A: K elements
  int b = 0;  // rows of B: N elements, and so those of C
};
RowAlignment rowAlignment(const Stage& stage, const TileShape& tile);

// How a problem is padded before it is multiplied, and why.
struct Padding {
  Problem asked;
  Problem buffers;     // M, N and K of A, B and C in memory: see paddedProblem()
  Problem multiplied;  // see wholeTiles()
  // Why the buffers are larger than the problem, and why more than the buffers hold is multiplied:
  // each without a full stop, empty where it is not so.
  std::string whyBuffers;
  std::string whyMultiplied;

  bool any() const { return !whyBuffers.empty() || !whyMultiplied.empty(); }
  // The share of the multiplied products that the problem needs.
  double usefulShare() const;
};
Padding paddingOf(const Stage& stage, const TileShape& tile, const Problem& problem);

// One line for each of the two, with a newline; empty where nothing is padded:
// "Padded to 128 x 256 x 304: …".
std::string paddingText(const Padding& padding);

}  // namespace tileloom
