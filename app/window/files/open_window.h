// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the window and stays until it is closed.
#pragma once

#include "app/command_line.h"

namespace tileloom::app {

// The exit status. Where no window can be opened, the terminal says why.
int openWindow(const WindowOptions& options);

}  // namespace tileloom::app
