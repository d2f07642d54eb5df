// SPDX-License-Identifier: GPL-3.0-or-later
// The few JSON forms that several commands share. Keys keep the order in which they are written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/tile/stage.h"
#include "kernels/tile/whole_tiles.h"

namespace tileloom::app {

using Json = nlohmann::ordered_json;

Json tileJson(const Stage& stage, const TileShape& tile);  // {"BM": 128, …}
Json problemJson(const Problem& problem);                  // {"m", "n", "k"}
// Why a problem is padded, as one sentence or two; null where it is not.
Json paddingJson(const Padding& padding);
Json extentJson(const Extent& extent);  // {"x", "y"}

const char* keyOf(Ladder ladder);  // "fp32", "tensor"

// Indented, with a newline at the end. Keys that were renamed are in it under both names.
std::string jsonText(Json json);

}  // namespace tileloom::app
