// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom bench soak`: the window under random input, and its memory over time.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addBenchSoakCommand(Command bench, Outcome& outcome);

}  // namespace tileloom::app
