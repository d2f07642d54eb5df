// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom roofline: the bytes that each rung moves at each level, and its roof.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addRooflineCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
