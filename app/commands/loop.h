// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom loop: the main loop as it was compiled beside the one that is written anew, and what
// each change is worth.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addLoopCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
