// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom worker: compiles and measures for a window, here or at the other end of ssh.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addWorkerCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
