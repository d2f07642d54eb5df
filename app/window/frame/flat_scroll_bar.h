// SPDX-License-Identifier: GPL-3.0-or-later
// A scroll bar without buttons: a groove and a handle, each one plain rectangle. Fusion's scroll
// bar, with its gradients, took longer to paint than the bank view.
#pragma once

#include <QStyle>

class QPainter;
class QStyleOptionSlider;

namespace tileloom::flat_scroll_bar {

// The rectangle of one part, in the coordinates of option.rect; the buttons' are empty.
QRect part(const QStyleOptionSlider& option, QStyle::SubControl which);

void paint(QPainter& painter, const QStyleOptionSlider& option);

}  // namespace tileloom::flat_scroll_bar
