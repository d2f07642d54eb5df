// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom compile: registers, spills and occupancy of a tile, without a GPU.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addCompileCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
