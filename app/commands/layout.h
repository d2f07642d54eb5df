// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/command_line.h"
#include "app/commands/command.h"

namespace tileloom::app {

void addLayoutCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
