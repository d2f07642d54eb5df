// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom bench`: figures of this machine, printed beside the program's goals. A missed goal is
// not an error, because the machine may be busy.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

// Adds the group "bench" with `bench trace` in it; others join with root.command("bench").
void addBenchCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
