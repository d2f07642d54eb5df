// SPDX-License-Identifier: GPL-3.0-or-later
// The Export menu: each page as a file, the whole window, playback as an animation, and lectures.
#pragma once

class QMenu;

namespace tileloom {

class Window;

void addExportMenu(QMenu& file, Window& window);

}  // namespace tileloom
