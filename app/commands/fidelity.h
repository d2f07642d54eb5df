// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom fidelity`: do the hardware's counters say what the trace says?
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addFidelityCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
