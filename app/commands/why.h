// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom why: what costs time, which tile parameter would help, and what changed between two
// tiles.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addWhyCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
