// SPDX-License-Identifier: GPL-3.0-or-later
// Parses tiles, sizes and block indices that a user types. Every error is one sentence without a
// full stop that names the bad part and says what to write instead; it fits after "tileloom: " and
// into a window.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "kernels/base/plain_text.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/words.h"

namespace tileloom::app {

// "BM=128,BN=64": parameters in any case and order, with spaces around every part; parameters that
// are not named keep the stage's defaults. Each value is within its parameter's range, but the tile
// may be illegal.
tl::expected<TileShape, std::string> parseTile(const Stage& stage, std::string_view text);

// "1024x512x256" (M x N x K, with x or X) or "1024" for a cube; each from 1 to kMaxDimension.
tl::expected<Problem, std::string> parseSize(std::string_view text);

// "3,0": blockIdx.x and blockIdx.y, from 0. Whether the grid has this block is for whyNotTraceable.
tl::expected<Extent, std::string> parseBlock(std::string_view text);

// A whole number from `least` to `most`; `what` names it in the error: "--threads".
tl::expected<int, std::string> parseNumber(std::string_view what, std::string_view text, int least,
                                           int most);

// stageNamed for text of any length and content.
tl::expected<const Stage*, std::string> parseStage(std::string_view text);

using tileloom::grouped;
using tileloom::quotable;
using tileloom::tileText;

}  // namespace tileloom::app
