// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom stages`: the ladder, its tile parameters and its defaults.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addStagesCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
