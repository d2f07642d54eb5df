// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom kernel`: a kernel of one's own, launched as its launch file says.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addKernelCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
