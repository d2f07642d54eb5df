// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom occupancy`: how many blocks an SM holds, and what limits them.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addOccupancyCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
