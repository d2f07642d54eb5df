// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the explaining pictures, for what the window shows now.
#pragma once

#include "viz/teach/teach_data.h"

namespace tileloom {

struct Services;

TeachData teachDataOf(const Services& services);
// The tuner counts the tiles of the rung: see Tuner::surveyed().
BakeryData bakeryDataOf(Services& services);

}  // namespace tileloom
