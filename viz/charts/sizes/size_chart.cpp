// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/sizes/size_chart.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "viz/charts/sizes/size_painter.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom {

SizeChart::SizeChart(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click chooses a size without taking the keys from playback
  setAccessibleName(tr("Speed over the size of the problem"));
  refresh();
}

void SizeChart::setData(SizeData data) {
  m_data = std::move(data);
  const auto known = [this](int size) {
    return std::ranges::find(m_data.points, size, &model::SizePoint::size) != m_data.points.end() ||
           std::ranges::find(m_data.runs, size, &SizeRun::size) != m_data.runs.end();
  };
  if (m_pointed && !known(*m_pointed)) m_pointed.reset();
  if (m_cursor && !known(*m_cursor)) m_cursor.reset();
  refresh();
}

void SizeChart::refresh() {
  m_geometry = charts::sizeGeometry(m_data, size(), m_fonts);
  describe();
  update();
}

void SizeChart::describe() {
  QString words = focus() ? charts::sizeToolTip(m_data, *focus()) : charts::sizeAdvice(m_data);
  if (words.isEmpty()) words = charts::emptySizeSentence(m_data);
  setAccessibleDescription(words.replace(u'\n', QStringLiteral("; ")));
}

void SizeChart::paintTo(QCPPainter& painter, const QSize& size) const {
  painter.fillRect(QRectF(QPointF(0, 0), size), m_theme.panel);
  charts::paintSizes(painter, m_data, charts::sizeGeometry(m_data, size, m_fonts), std::nullopt,
                     m_theme, m_fonts);
}

QSize SizeChart::minimumSizeHint() const {
  return roomFor(56, 10);
}

void SizeChart::restyle() {
  refresh();
}

bool SizeChart::event(QEvent* event) {
  // The tool tip is already shown.
  if (event->type() == QEvent::ToolTip) return true;
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return PaintedView::event(event);
}

void SizeChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.panel);
  charts::paintSizes(p, m_data, m_geometry, focus(), m_theme, m_fonts);
  if (!hasFocus()) return;
  p.setPen(hairline(m_theme.accent));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void SizeChart::resizeEvent(QResizeEvent*) {
  refresh();
}

void SizeChart::mouseMoveEvent(QMouseEvent* event) {
  const auto spot = charts::spotAt(m_data, m_geometry, event->position());
  const auto now = spot ? std::optional(spot->size) : std::nullopt;
  setCursor(now ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (now == m_pointed) return;
  m_pointed = now;
  if (now) {
    QToolTip::showText(event->globalPosition().toPoint(), charts::sizeToolTip(m_data, *now), this);
  } else {
    QToolTip::hideText();
  }
  describe();
  update();
}

void SizeChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const auto spot = charts::spotAt(m_data, m_geometry, event->position()))
    emit picked(spot->size);
}

void SizeChart::leaveEvent(QEvent*) {
  if (!m_pointed) return;
  m_pointed.reset();
  QToolTip::hideText();
  describe();
  update();
}

void SizeChart::moveCursor(bool forward, bool wholeTiles) {
  const int from = m_cursor.value_or(m_data.presentSize().value_or(forward ? 0 : m_data.to + 1));
  std::optional<int> next;
  for (const model::SizePoint& p : m_data.points) {
    if (wholeTiles && p.tileShare < 1) continue;
    if (forward && p.size > from && !next) next = p.size;
    if (!forward && p.size < from) next = p.size;
  }
  if (!next) return;
  m_cursor = next;
  describe();
  update();
}

void SizeChart::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
      return moveCursor(event->key() == Qt::Key_Right, false);
    case Qt::Key_Down:
    case Qt::Key_Up:
      return moveCursor(event->key() == Qt::Key_Up, true);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (m_cursor) emit picked(*m_cursor);
      return;
    case Qt::Key_Escape:
      if (m_cursor) {
        m_cursor.reset();
        describe();
        update();
        return;
      }
      break;
    default:
      break;
  }
  PaintedView::keyPressEvent(event);
}

}  // namespace tileloom
