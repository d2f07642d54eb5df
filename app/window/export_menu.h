// SPDX-License-Identifier: GPL-3.0-or-later
// The Export menu: each page as a file, the whole window, playback as an animation, and lectures.
#pragma once

class QMenu;

namespace tileloom {

class MainWindow;
class Page;

// What "This view" exports: the page below the loom if the user turned to it, clicked it or gave it
// the focus last, else the loom.
Page& pageInUse(const MainWindow& window);

void addExportMenu(QMenu& file, MainWindow& window);

}  // namespace tileloom
