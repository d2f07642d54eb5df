// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom explain`: is this tile legal, why not, and which tiles near it are.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addExplainCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
