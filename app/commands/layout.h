// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/common/command.h"
#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addLayoutCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
