// SPDX-License-Identifier: GPL-3.0-or-later
// What limits the launch that the window shows, for all pages and panels that name it.
#pragma once

#include <optional>

#include "kernels/model/why/limit.h"

namespace tileloom {

struct Services;

// For the recording in the loom. std::nullopt also while that is not the present tile's.
std::optional<model::Limit> launchLimit(Services& services);

}  // namespace tileloom
