// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/widgets/painted_view.h"

#include <QEvent>
#include <QFontMetrics>

namespace tileloom {

PaintedView::PaintedView(QWidget* parent)
    : QWidget(parent), m_theme(Theme::of(palette())), m_fonts(Fonts::of(font())) {}

QSize PaintedView::roomFor(int letters, int lines) const {
  const QFontMetrics metrics(m_fonts.body);
  return {letters * metrics.averageCharWidth(), lines * metrics.height()};
}

void PaintedView::changeEvent(QEvent* event) {
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
    m_theme = Theme::of(palette());
    m_fonts = Fonts::of(font());
    restyle();
    updateGeometry();
    update();
  }
  QWidget::changeEvent(event);
}

}  // namespace tileloom
