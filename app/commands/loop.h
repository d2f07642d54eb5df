// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom loop: how long a turn of a main loop takes, by the model and measured; of a loop that is
// written anew beside the compiled one, with what each change is worth.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addLoopCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
