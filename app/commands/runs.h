// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom runs: lists, imports and exports measured runs.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addRunsCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
