// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom sass: a tile's SASS, its main loop and the instruction mix of that loop.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addSassCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
