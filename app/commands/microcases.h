// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom microcases: what the micro-cases take, measured or as recorded, beside what the model of
// the register file says.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addMicrocasesCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
