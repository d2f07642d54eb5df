// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom glossary: what words mean, and where the window shows it.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addGlossaryCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
