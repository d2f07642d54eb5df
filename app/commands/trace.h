// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom trace`: what a launch costs in shared and global memory, counted from the stage's
// source.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addTraceCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
