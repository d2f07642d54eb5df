// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom microcases: cycles of the micro-cases, measured or recorded, beside the model of the
// register file.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addMicrocasesCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
