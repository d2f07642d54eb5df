// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom sass: a tile's machine code, its main loop and what that loop is made of.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addSassCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
