// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom model: fits the constants of predictions, and judges them.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addModelCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
