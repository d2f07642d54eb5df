// SPDX-License-Identifier: GPL-3.0-or-later
// Menus that need no more of the window than its menu bar: they act upon the services.
#pragma once

class QMainWindow;
class QMenu;
class QUndoStack;

namespace tileloom {

inline constexpr int kMessageMs = 5000;  // how long the status bar shows that something was done

class Comparison;
class Lab;
struct Services;

void addPlaybackMenu(QMainWindow& window, Services& services);
void addCompareMenu(QMainWindow& window, Services& services, Comparison& comparison);
void addMeasureMenu(QMainWindow& window, Services& services);
// The person's runs as a file, and back.
void addRunFileActions(QMenu& file, QMainWindow& window, Lab& lab);
void addUndoActions(QMenu& edit, QUndoStack& stack);

}  // namespace tileloom
