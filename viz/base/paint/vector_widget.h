// SPDX-License-Identifier: GPL-3.0-or-later
// Paints a widget and its children as lines, areas and letters, not as pixels.
#pragma once

class QPainter;
class QWidget;

namespace tileloom {

// Paints the widget, which must be visible, at (0, 0) of `onto`, whose device has 96 dots an inch,
// as it is on the screen. Each child is clipped at its parents, which Qt's render() does on pixels
// only. Pixmaps that a widget paints stay pixels.
void paintVectors(QPainter& onto, QWidget& widget);

// Whether this is a paint event of paintVectors(): a widget must then repaint what it caches as
// pixels for the screen.
bool paintsVectors(const QPainter& painter);

}  // namespace tileloom
