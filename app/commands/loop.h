// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom loop: how long an iteration of a main loop takes, by the model and measured. A rewritten
// loop is shown beside the compiled one, with what each change saves.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addLoopCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
