// SPDX-License-Identifier: GPL-3.0-or-later
// What is seen by somebody who starts the program for the first time: the three matrices, still,
// with notes that say what they are, and three ways to go on. Afterwards all areas of the window
// are there, and it is not seen again.
#pragma once

namespace tileloom {

class MainWindow;
class Settings;

// It was not seen on this account yet.
bool isFirstSight(const Settings& settings);

// Prepares the window, before or after it is shown, and notes in the settings that it was seen once
// one of the ways is taken or the notes are put away.
void beginFirstSight(MainWindow& window);

// The window still offers the ways to go on, and most of its areas are hidden.
bool inFirstSight(const MainWindow& window);

// The notes over the loom, of the grid or the block tile; where they have no room, as a tip.
void explainTheLoom(MainWindow& window);

}  // namespace tileloom
