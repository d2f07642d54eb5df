// SPDX-License-Identifier: GPL-3.0-or-later
// Menus that act only on the services, not on the window.
#pragma once

class QMainWindow;
class QMenu;
class QUndoStack;

namespace tileloom {

inline constexpr int kMessageMs = 5000;  // how long the status bar shows a message

class Comparison;
class Lab;
struct Services;

void addPlaybackMenu(QMainWindow& window, Services& services);
void addCompareMenu(QMainWindow& window, Services& services, Comparison& comparison);
void addMeasureMenu(QMainWindow& window, Services& services);
// Imports and exports the user's runs.
void addRunFileActions(QMenu& file, QMainWindow& window, Lab& lab);
void addUndoActions(QMenu& edit, QUndoStack& stack);

}  // namespace tileloom
