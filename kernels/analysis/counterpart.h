// SPDX-License-Identifier: GPL-3.0-or-later
// Two recordings in lock step: where one stands when the other has come to a given instruction.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/recording.h"

namespace tileloom::analysis {

struct Counterpart {
  std::uint32_t warp = 0;
  std::uint32_t index = 0;  // in that warp's stream
  bool same = false;        // the same kind of access to the same array, as often before as here
  // That access or one that does the same step, at the same K tile and dot index, or at the same k
  // where one of the two has no K tiles; outside of the loop over K, both are before or after it.
  bool sameStep = false;
};

// The instruction of `there` that does what instruction `index` of `warp` does in `here`: at the
// same K tile and dot index, the access of the same kind to the array of the same name that comes
// as many such accesses after the dot index has begun. Where there is none, the last such access,
// the one of another kind that does the same step, the one that brings the same matrix from global
// memory in another way, be it at another dot index, the first of the same kind, or the first
// instruction of that dot index. Where `there` has nothing of the kind, as a kernel without shared
// memory fills nothing, the same is sought in the whole K tile. Warps, K tiles and dot indices that
// `there` lacks become its last ones, a prologue its first K tile. Kernels without K tiles meet
// others at the same k. `wantedWarp`: of `there`, in
// place of `warp`. Both recordings must hold instructions.
Counterpart counterpart(const Recording& here, std::uint32_t warp, std::uint32_t index,
                        const Recording& there,
                        std::optional<std::uint32_t> wantedWarp = std::nullopt);

}  // namespace tileloom::analysis
