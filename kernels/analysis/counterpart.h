// SPDX-License-Identifier: GPL-3.0-or-later
// Two recordings in lock step: the instruction of one that corresponds to a given instruction of
// the other.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct Counterpart {
  std::uint32_t warp = 0;
  std::uint32_t index = 0;  // in that warp's stream
  bool same = false;        // the same kind of access to the same array, after equally many
  // That access or one that does the same step, at the same K tile and k within it, or at the same
  // k of the matrix where one of the two has no K tiles; outside the loop over K, both are before
  // or after it.
  bool sameStep = false;
};

// The instruction of `there` that corresponds to instruction `index` of `warp` in `here`: at the
// same K tile and k, the access of the same kind to the array of the same name with the same number
// of such accesses before it at this k. If there is none, in this order: the last such access; one
// of another kind that does the same step; one that brings the same matrix from global memory in
// another way, even at another k; the first of the same kind; the first instruction of that k. If
// `there` has nothing of the kind, as a kernel without shared memory fills nothing, the same is
// searched in the whole K tile. Warps, K tiles and k that `there` lacks become its last ones, a
// prologue its first K tile. Kernels without K tiles meet others at the same k of the matrix.
// `wantedWarp`: the warp of `there` instead of `warp`. Both recordings must hold instructions.
Counterpart counterpart(const Recording& here, std::uint32_t warp, std::uint32_t index,
                        const Recording& there,
                        std::optional<std::uint32_t> wantedWarp = std::nullopt);

}  // namespace tileloom::analysis
