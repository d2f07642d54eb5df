// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/labels.h"

#include <QPainter>

#include "viz/theme.h"

namespace tileloom {

QSize Heading::sizeHint() const {
  const QFontMetrics metrics(Fonts::of(font()).title);
  return {metrics.horizontalAdvance(text()) + std::max(0, indent()), metrics.height()};
}

void Heading::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(Fonts::of(font()).title);
  painter.drawText(contentsRect().adjusted(std::max(0, indent()), 0, 0, 0),
                   Qt::AlignLeft | Qt::AlignVCenter, text());
}

void setInk(QLabel& label, const QColor& ink) {
  QPalette palette = label.palette();
  palette.setColor(QPalette::WindowText, ink);
  label.setPalette(palette);
}

QSize ElidedLabel::minimumSizeHint() const {
  return {fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  QRect room = contentsRect();
  room.setLeft(room.left() + std::max(0, indent()));
  painter.drawText(room, static_cast<int>(alignment()),
                   fontMetrics().elidedText(text(), Qt::ElideRight, room.width()));
}

}  // namespace tileloom
