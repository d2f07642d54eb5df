// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/teach/teach_view.h"

#include <QPainter>

namespace tileloom {

void TeachView::setPaint(Paint paint) {
  m_paint = std::move(paint);
  update();
}

void TeachView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  if (m_paint) m_paint(painter, rect(), m_theme, m_fonts);
}

}  // namespace tileloom
