// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees who starts the program for the first time: the loom in large, weaving, with
// three labels that say what it shows.
#pragma once

namespace tileloom {

class MainWindow;
class Settings;

// Nobody has seen it on this account yet.
bool isFirstSight(const Settings& settings);

// Prepares the window, before or after it is shown, and notes in the settings that it was seen once
// the labels are put away.
void beginFirstSight(MainWindow& window);

// The labels over the loom, on the block tile.
void explainTheLoom(MainWindow& window);

}  // namespace tileloom
