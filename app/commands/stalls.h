// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/common/command.h"
#include "app/commands/common/outcome.h"

namespace tileloom::app {

// `tileloom stalls`: where the warps of a launch stall, by source line and by SASS instruction.
void addStallsCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
