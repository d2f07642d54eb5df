// SPDX-License-Identifier: GPL-3.0-or-later
// A stage's source with the lanes of rung 14: the same kernel in every other line, in which lanes
// share their wide shared loads in pairs (docs/hardware.md, rule 4).
#pragma once

#include <string>
#include <string_view>

#include "kernels/base/error.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

// The stage with the lines that place the lanes: rung 14.
const Stage& pairingStage();

// `text` is a stage's source. Its lines that give a lane its row and column of a subtile are
// replaced by those of rung 14, which use only names that the stages of rungs 14 to 16 share.
// Trouble::Unsupported: it has no such lines, or already has those of rung 14.
Result<std::string> pairedLanes(std::string_view text);

}  // namespace tileloom::gpu
