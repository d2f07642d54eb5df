// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/teach/teach_view.h"

#include <QPainter>

namespace tileloom {

TeachView::TeachView(Paint paint, QWidget* parent)
    : PaintedView(parent), m_paint(std::move(paint)) {}

void TeachView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  m_paint(painter, rect(), m_theme, m_fonts);
}

}  // namespace tileloom
