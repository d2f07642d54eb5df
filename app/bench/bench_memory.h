// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom bench memory`: what the window holds after each round through all rungs and pages.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addBenchMemoryCommand(Command bench, Outcome& outcome);

}  // namespace tileloom::app
