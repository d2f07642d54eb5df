// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_chart.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "viz/charts/roofline/roofline_painter.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom {

using charts::rooflineGeometry;

RooflineChart::RooflineChart(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click picks a rung without taking the keys from playback
  setAccessibleName(tr("Roofline: speed over FLOP per byte"));
  refresh();
}

void RooflineChart::setData(RooflineData data) {
  const RooflineLevel level = m_data.level;
  m_data = std::move(data);
  m_data.level = level;
  const auto gone = [this](const std::optional<int>& index) {
    return index && pointOf(index) == nullptr;
  };
  if (gone(m_pointed)) m_pointed.reset();
  if (gone(m_cursor)) m_cursor.reset();
  refresh();
}

void RooflineChart::setLevel(RooflineLevel level) {
  if (level == m_data.level) return;
  m_data.level = level;
  refresh();
  emit levelChanged(level);
}

const RooflinePoint* RooflineChart::pointOf(std::optional<int> index) const {
  if (!index) return nullptr;
  if (*index < 0) return m_data.present ? &*m_data.present : nullptr;
  const auto i = static_cast<std::size_t>(*index);
  return i < m_data.rungs.size() ? &m_data.rungs[i] : nullptr;
}

void RooflineChart::refresh() {
  m_geometry = rooflineGeometry(m_data, size(), {m_fonts.body, m_fonts.small});
  describe();
  update();
}

void RooflineChart::describe() {
  const RooflinePoint* point = pointOf(focus());
  QString words;
  if (point != nullptr) {
    words = charts::pointToolTip(m_data, *point, *focus() < 0).replace(u'\n', QStringLiteral("; "));
  } else {
    words = QStringLiteral("%1; %2").arg(charts::rooflineCaption(m_data),
                                         charts::boundsSentence(m_data));
  }
  setAccessibleDescription(words);
}

void RooflineChart::paintTo(QCPPainter& painter, const QSize& size) const {
  painter.fillRect(QRectF(QPointF(0, 0), size), m_theme.panel);
  const auto geometry = rooflineGeometry(m_data, size, {m_fonts.body, m_fonts.small});
  charts::paintRoofline(painter, m_data, geometry, m_cursor, m_theme, m_fonts);
}

QSize RooflineChart::minimumSizeHint() const {
  return roomFor(52, 10);
}

void RooflineChart::restyle() {
  refresh();
}

bool RooflineChart::event(QEvent* event) {
  // The tool tip is already shown.
  if (event->type() == QEvent::ToolTip) return true;
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return PaintedView::event(event);
}

void RooflineChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.panel);
  charts::paintRoofline(p, m_data, m_geometry, focus(), m_theme, m_fonts);
  if (!hasFocus()) return;
  p.setPen(hairline(m_theme.accent));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void RooflineChart::resizeEvent(QResizeEvent*) {
  refresh();
}

void RooflineChart::mouseMoveEvent(QMouseEvent* event) {
  const auto point = m_geometry.pointAt(event->position());
  if (point == m_pointed) return;
  m_pointed = point;
  if (const RooflinePoint* p = pointOf(point)) {
    QToolTip::showText(event->globalPosition().toPoint(),
                       charts::pointToolTip(m_data, *p, *point < 0), this);
  } else {
    QToolTip::hideText();
  }
  setCursor(point && *point >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
  describe();
  update();
}

void RooflineChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const auto index = m_geometry.pointAt(event->position());
  const RooflinePoint* point = pointOf(index);
  if (point != nullptr && *index >= 0 && point->rung() != nullptr) emit picked(point->rung());
}

void RooflineChart::leaveEvent(QEvent*) {
  if (!m_pointed) return;
  m_pointed.reset();
  QToolTip::hideText();
  describe();
  update();
}

void RooflineChart::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(m_data.rungs.size());
  switch (event->key()) {
    case Qt::Key_Up:
    case Qt::Key_Down:
      if (count > 0) {
        const int step = event->key() == Qt::Key_Up ? 1 : -1;  // up the ladder
        m_cursor =
            !m_cursor ? (step > 0 ? 0 : count - 1) : std::clamp(*m_cursor + step, 0, count - 1);
        describe();
        update();
      }
      return;
    case Qt::Key_Left:
    case Qt::Key_Right: {
      const int last = static_cast<int>(kRooflineLevels.size()) - 1;
      const int step = event->key() == Qt::Key_Right ? 1 : -1;
      setLevel(static_cast<RooflineLevel>(std::clamp(static_cast<int>(level()) + step, 0, last)));
      return;
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (const RooflinePoint* point = pointOf(m_cursor); point != nullptr && point->rung())
        emit picked(point->rung());
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
