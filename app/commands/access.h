// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom access`: the bank conflicts and sectors of a formula for the addresses of a warp.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addAccessCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
