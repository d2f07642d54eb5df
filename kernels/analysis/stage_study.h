// SPDX-License-Identifier: GPL-3.0-or-later
// The study of a stage's main loop: the inputs of loop_study.h besides the machine code, from
// stage, tile and architecture.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>

#include "kernels/rewrite/loop_study.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {

// The warps of this kernel that share an SM, whether its wide loads are served in pairs of lanes,
// and the cost of bank conflicts and copies of 4 bytes, by its trace. `registers` per thread. May
// throw std::bad_alloc.
rewrite::Residency residencyOf(const Stage& stage, const TileShape& tile, const Architecture& arch,
                               int registers);

// `cubin` is the stage's file as compiled for this tile, which is legal. The error is one sentence
// without a full stop.
tl::expected<rewrite::LoopStudy, std::string> studyStage(const Subject& subject,
                                                         const Architecture& arch,
                                                         std::span<const char> cubin);

// The same for a stage whose loop runs as compiled. Also an error: an iteration of the main loop is
// not a K tile, as in the rungs whose fragments have a loop of their own.
tl::expected<rewrite::LoopStudy, std::string> studyUntouched(const Subject& subject,
                                                             const Architecture& arch,
                                                             std::span<const char> cubin);

}  // namespace tileloom::analysis
