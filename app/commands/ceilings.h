// SPDX-License-Identifier: GPL-3.0-or-later
// tileloom ceilings: the peak rates of the GPU, measured and saved, or as shipped.
#pragma once

#include "app/commands/common/outcome.h"

namespace tileloom::app {

void addCeilingsCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
