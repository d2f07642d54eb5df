// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom tune: finds the tile that runs fastest on this machine's GPU; `tune show` and `tune
// merge` read what it has written.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addTuneCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
