// SPDX-License-Identifier: GPL-3.0-or-later
// Stages, tiles and counts as words, the same wherever they are written.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom {

// The stage with exactly this id, as records and messages name it; nullptr: there is none. For what
// users type see stageNamed().
const Stage* stageWithId(std::string_view id);
// The same, also of the tensor ladder.
const Stage* stageOfEitherLadder(std::string_view id);

// The names of its formats, the usual one first: "bf16", "fp16".
std::vector<std::string_view> formatNames(const Stage& stage);

// The tile as parseTile reads it: "BM=128,BN=128,BK=8,TM=8,TN=8", the stage's own tile parameters
// only.
std::string tileText(const Stage& stage, const TileShape& tile);

// "BM, BN, BK"
std::string parameterNames(const Stage& stage);

// 1536 -> "1,536"
std::string grouped(std::uint64_t value);
// Rounded to a whole number: 1535.6 -> "1,536"; negative values count as 0.
std::string wholeText(double value);

// A speed in GFLOP/s: "50,123", and "0.0027" where a whole number would show 0.
std::string speedNumber(double gflops);

// A share, 0 to 1, in percent with `digits` digits after the point: "71.9 %". A share that is less
// than all, or more than nothing, is never shown as 100 or 0 %: "> 99.9 %", "< 0.1 %".
std::string percentText(double share, int digits = 1);

// "1 warp", "1,024 warps"; `many` where the plural is not `one` with an s: "boxes".
std::string counted(std::uint64_t count, std::string_view one, std::string_view many = {});
// The same for any type of whole number; not for negative ones.
std::string counted(std::integral auto count, std::string_view one, std::string_view many = {}) {
  return counted(static_cast<std::uint64_t>(count), one, many);
}

}  // namespace tileloom
