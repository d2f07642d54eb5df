// SPDX-License-Identifier: GPL-3.0-or-later
// An explanation of a tile's speed as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/commands/common/json.h"
#include "kernels/model/why/why.h"
#include "kernels/tuning/tile_map.h"

namespace tileloom::app {

// `fastest` is of the same rung and size, on the device of the tile's run if there is one.
std::string whyText(const model::WhySlow& why, const std::optional<model::WhyMoved>& moved,
                    const std::optional<tuning::Fastest>& fastest);
Json whyJson(const model::WhySlow& why, const std::optional<model::WhyMoved>& moved,
             const std::optional<tuning::Fastest>& fastest);

}  // namespace tileloom::app
