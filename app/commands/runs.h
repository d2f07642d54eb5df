// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom runs: the measured runs that are kept, brought in and given away.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addRunsCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
