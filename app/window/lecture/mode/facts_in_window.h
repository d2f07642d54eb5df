// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of a tile that texts and tasks of lectures name, if the window knows them.
#pragma once

#include "app/lecture/quantities.h"
#include "app/session/view_state.h"

namespace tileloom {

class Window;

// With the registers that the compiler or a recorded run has reported, and with what is counted in
// the recording that the window shows, if it is of this tile.
lecture::TileFacts factsInWindow(Window& window, const ViewState& state);

}  // namespace tileloom
