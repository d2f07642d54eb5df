// SPDX-License-Identifier: GPL-3.0-or-later
// The first start of the program: the three matrices, not moving, with notes that explain them, and
// three buttons. Afterwards the window shows all its areas, and this does not come back.
#pragma once

namespace tileloom {

class Window;
class Settings;

// This account has not seen it yet.
bool isFirstSight(const Settings& settings);

// Prepares the window, before or after it is shown, and saves in the settings that it was seen as
// soon as a button is pressed or the notes are closed.
void beginFirstSight(Window& window);

// The window still has the three buttons, and most of its areas are hidden.
bool inFirstSight(const Window& window);

// The notes over the loom, on the grid or the block tile; without room, as a tool tip.
void explainTheLoom(Window& window);

}  // namespace tileloom
