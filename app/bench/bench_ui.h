// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom bench ui`: how long it takes from a slider move to its new frame, and how fast frames
// are during playback. Software rendering at 1600 x 1000, no display needed.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addBenchUiCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
