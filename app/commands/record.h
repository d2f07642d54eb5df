// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom record: measures the ladder and a spread of tiles into a file of run records.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addRecordCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
