// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom bench`: figures of this machine to hold against the program's goals. They are printed
// and never fail anything: a busy machine is no defect.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

// Adds the group "bench" with `bench trace` in it; others join with root.command("bench").
void addBenchCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
