// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom ladder: all rungs beside cuBLAS, measured or as shipped.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addLadderCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
