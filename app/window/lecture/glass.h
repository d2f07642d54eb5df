// SPDX-License-Identifier: GPL-3.0-or-later
// The layer over the views that has the marks and the ink of a lecture.
#pragma once

class QWidget;

namespace tileloom {

class MarksLayer;
class Window;

// A child of `stage`, which has all views of the window.
MarksLayer* makeGlass(const Window& window, QWidget& stage);

}  // namespace tileloom
