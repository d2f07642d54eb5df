// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom copy`: a rung as a kernel of the user.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addCopyCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
