// SPDX-License-Identifier: GPL-3.0-or-later
// A widget with all that it shows, as lines, areas and letters and not as pixels.
#pragma once

class QPainter;
class QWidget;

namespace tileloom {

// Paints the widget, which is to be visible, at (0, 0) of `onto`, whose device has 96 dots an inch,
// as it is on the screen. Each child is clipped at its parents, which Qt's own render() does on
// pixels only. What a widget paints from pixels of its own stays pixels.
void paintVectors(QPainter& onto, QWidget& widget);

// Whether a widget that paints itself just now does so for paintVectors(): what it keeps as pixels
// for the screen is then to be painted anew.
bool paintsVectors(const QPainter& painter);

}  // namespace tileloom
