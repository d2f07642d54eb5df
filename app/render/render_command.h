// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render`: a view or the whole window as a picture, without a display.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

void addRenderCommand(Command root, Outcome& outcome);

}  // namespace tileloom::app
