// SPDX-License-Identifier: GPL-3.0-or-later
// Maps instructions of a recording, which has one tile of C, to those of a timeline that goes from
// one tile of C to the next: K tiles of the recording map to those of the second tile, and what
// follows them maps to what follows the first tile's, so that both are where two tiles meet.
#pragma once

#include <cstdint>
#include <optional>

#include "kernels/analysis/recording.h"
#include "kernels/timeline/operation.h"

namespace tileloom {

// The first instruction of a K tile. kNone: it has none.
std::uint32_t firstOfTile(const timeline::Program& program, std::uint32_t tile);

// `program` is the warp's in the timeline, whose first tile of C has `first` K tiles.
std::uint32_t atSeam(const analysis::Recording& recording, const timeline::Program& program,
                     std::uint32_t first, std::uint32_t warp, std::uint32_t index);

// The reverse. A K tile that the recording lacks maps to the last one that it has. std::nullopt:
// there is no such instruction.
std::optional<std::uint32_t> fromSeam(const analysis::Recording& recording,
                                      const timeline::Program& program, std::uint32_t first,
                                      std::uint32_t warp, std::uint32_t instruction);

}  // namespace tileloom
