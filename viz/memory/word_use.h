// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes that touch each word of memory in one access.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "kernels/analysis/moment.h"

namespace tileloom {

struct WordUse {
  std::uint32_t lane = 0;   // the first that touches it
  std::uint32_t lanes = 0;  // all of them, as a mask
  bool start = false;       // the first word of that lane's access
  bool operator==(const WordUse&) const = default;
};
// By word, or by element of the matrix for global memory.
using WordUses = std::map<std::uint32_t, WordUse>;

WordUses wordUses(const analysis::Moment& access);
// Per wavefront of shared memory. A word that lanes of different groups touch is served once in
// each of their wavefronts.
std::vector<WordUses> wavefrontUses(const analysis::Moment& access);

}  // namespace tileloom
