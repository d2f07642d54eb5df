// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom timeline`: a K tile on the virtual clock, and a trace for Perfetto.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addTimelineCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
