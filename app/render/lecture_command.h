// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom lecture`: lists, checks, plays and exports lectures.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addLectureCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
