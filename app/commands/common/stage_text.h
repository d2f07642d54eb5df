// SPDX-License-Identifier: GPL-3.0-or-later
// A stage in one line, and single lines of its source.
#pragma once

#include <string>
#include <string_view>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom::app {

// "warptiled, rung 8 (Boehm's kernel 10): warp tiling"
std::string stageHeading(const Stage& stage);

// Line `line`, from 1, without the spaces around it; empty where the source has no such line.
std::string_view sourceLine(const Stage& stage, int line);

// The same for a narrow column: without the shape in the margin, and cut with "..." where too long.
std::string shortSourceLine(const Stage& stage, int line);

// "the 132 SMs of an H100 or H200"; of another architecture: "132 SMs, as an H100 has; …".
std::string usualSmsText(const Architecture& arch);

// "\nPadded to …\n" if the kernel runs on more than the problem, else empty; the end of an answer
// about this launch.
std::string paddedNote(const Stage& stage, const TileShape& tile, const Problem& problem);

}  // namespace tileloom::app
