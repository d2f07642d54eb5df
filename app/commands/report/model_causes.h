// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom model causes: how often the cause that `tileloom why --against` names is right.
#pragma once

#include "app/commands/common/measuring.h"

namespace tileloom::app {

void addModelCausesCommand(Command group, Outcome& outcome);

}  // namespace tileloom::app
