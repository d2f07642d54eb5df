// SPDX-License-Identifier: GPL-3.0-or-later
// The wavefronts of one access to shared memory, a strip each: its origin, and the lanes that it
// serves. An asynchronous copy of single floats also takes passes in L1, one after the other for
// floats at the same place of several lines: these follow the strips of the banks.
#pragma once

#include <vector>

#include "viz/memory/word_use.h"

namespace tileloom {

struct WavefrontStrip {
  WordUses uses;  // by word of shared memory; in L1 by element of the matrix
  bool inL1 = false;
  bool extra = false;        // a conflict adds it
  std::uint32_t number = 0;  // from 0, in its place
  // For ldmatrix: which of its four matrices is served, from 0, and by which of how many
  // wavefronts.
  std::uint32_t matrix = 0, inMatrix = 0, ofMatrix = 0;
};

// The number of strips, without making them.
std::uint32_t stripCount(const analysis::Moment& access);
std::vector<WavefrontStrip> wavefrontStrips(const analysis::Moment& access);

}  // namespace tileloom
