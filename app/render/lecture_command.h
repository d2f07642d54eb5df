// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom lecture`: which lectures there are, and whether a file is a good one.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addLectureCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
