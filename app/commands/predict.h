// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom predict: the speed of a tile without a GPU, as a band, with what limits it.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addPredictCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
