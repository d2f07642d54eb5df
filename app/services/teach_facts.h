// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the explaining pictures, of what the window shows now.
#pragma once

#include "viz/teach/teach_data.h"

namespace tileloom {

struct Services;

TeachData teachDataOf(const Services& services);
// The tiles of the rung are counted by the tuner: see Tuner::surveyed().
BakeryData bakeryDataOf(Services& services);

}  // namespace tileloom
