// SPDX-License-Identifier: GPL-3.0-or-later
// Timestamps around the seam between two block tiles of a persistent block: a timestamped block
// records all of the tiles that it computes, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/timeline/beside.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::timeline {

// The last `tilesPerWalk` K tiles of the block's first tile and as many of its second one. The K
// tiles are numbered continuously, as in a recording of two block tiles. std::nullopt: the
// timestamps end too early.
std::optional<Measured> cutAtSeam(const Measured& measured, std::uint32_t tilesPerWalk);

// As beside(), for a program and a timeline of two block tiles: both are aligned where the last K
// tile of the first tile begins. There is no comparison of shares.
tl::expected<Beside, std::string> besideAtSeam(Measured measured, const BlockProgram& program,
                                               const Timeline& predicted);

}  // namespace tileloom::timeline
