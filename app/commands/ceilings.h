// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom ceilings: what the GPU can do at most, measured and kept, or as shipped.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addCeilingsCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
