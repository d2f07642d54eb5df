// SPDX-License-Identifier: GPL-3.0-or-later
// Stamps around the seam between two block tiles of a block that stays: a stamped block writes down
// all of the tiles that it computes, one after the other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>

#include "kernels/timeline/beside.h"
#include "kernels/timeline/measured.h"

namespace tileloom::timeline {

// The last `tilesPerWalk` K tiles of the block's first tile and as many of its second one, with K
// tiles that are counted on from one to the other, as a recording of two walks has them.
// std::nullopt: the stamps do not reach so far.
std::optional<Measured> cutAtSeam(const Measured& measured, std::uint32_t tilesPerWalk);

// As beside(), of a program and a timeline of two block tiles: both are laid upon each other where
// the last K tile of the first tile begins. There is no comparison of shares.
tl::expected<Beside, std::string> besideAtSeam(Measured measured, const BlockProgram& program,
                                               const Timeline& predicted);

}  // namespace tileloom::timeline
