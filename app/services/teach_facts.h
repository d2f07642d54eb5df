// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the explaining pictures, of what the window shows now.
#pragma once

#include "viz/teach/teach_data.h"

namespace tileloom {

struct Services;

TeachData teachDataOf(const Services& services);
BakeryData bakeryDataOf(const Services& services);

}  // namespace tileloom
