// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom devices: what this machine can run, and what it lacks.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addDevicesCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
