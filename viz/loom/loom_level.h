// SPDX-License-Identifier: GPL-3.0-or-later
// The levels of the loom's zoom.
#pragma once

#include <array>
#include <string_view>

namespace tileloom {

enum class LoomLevel { Grid, Block, Warp, Thread };

// As command line and session files name them.
inline constexpr std::array<std::string_view, 4> kZoomNames = {"grid", "block", "warp", "thread"};

}  // namespace tileloom
