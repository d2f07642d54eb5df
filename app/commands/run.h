// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom run: one tile on the GPU, checked and then timed beside cuBLAS.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addRunCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
