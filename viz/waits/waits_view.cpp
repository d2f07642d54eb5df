// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_view.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "viz/waits/waits_words.h"

namespace tileloom {
namespace {

const analysis::WaitEdge& edgeOf(const WaitsData& data, const WaitsLine& line) {
  const analysis::WaitPoint& point = data.facts->graph.points.at(line.point);
  return (line.waits ? point.waiters : point.enders).at(line.edge);
}

}  // namespace

WaitsView::WaitsView(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setAccessibleName(tr("Waits between warps, at which barrier, and the registers of each role"));
}

void WaitsView::setData(WaitsData data) {
  m_data = std::move(data);
  m_geometry.reset();
  m_hover = {};
  setAccessibleDescription(waitsSentence(m_data));
  updateGeometry();
  update();
}

QSize WaitsView::minimumSizeHint() const {
  const int height = static_cast<int>(WaitsGeometry::leastHeight(m_data, m_fonts));
  return {roomFor(64, 0).width(), std::max(150, height + 1)};
}

const WaitsGeometry& WaitsView::geometry() {
  if (!m_geometry) m_geometry = WaitsGeometry(m_data, QRectF(rect()), m_fonts);
  return *m_geometry;
}

void WaitsView::paintTo(QPainter& painter, const QRectF& canvas, const Theme& theme,
                        const Fonts& fonts) const {
  painter.fillRect(canvas, theme.ground);
  paintWaits(painter, m_data, WaitsGeometry(m_data, canvas, fonts), {}, theme, fonts);
}

void WaitsView::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), m_theme.ground);
  paintWaits(painter, m_data, geometry(), m_hover, m_theme, m_fonts);
}

void WaitsView::resizeEvent(QResizeEvent*) {
  m_geometry.reset();
}

void WaitsView::restyle() {
  m_geometry.reset();
}

QString WaitsView::textUnder(const QPointF& pixel) {
  if (!m_data.ready()) return {};
  const WaitsGeometry& g = geometry();
  if (const WaitsBox* box = g.boxUnder(pixel))
    return box->point ? pointText(m_data, box->index) : nodeText(m_data, box->index);
  if (const WaitsLine* line = g.lineUnder(pixel)) return pointText(m_data, line->point);
  if (g.sentence.contains(pixel)) return waitsSentence(m_data);
  if (g.poolWords.contains(pixel)) return poolSentence(m_data);
  for (const PoolBar& bar : g.pool) {
    if (bar.whole.contains(pixel)) return poolSentence(m_data);
  }
  return {};
}

void WaitsView::mouseMoveEvent(QMouseEvent* event) {
  if (!m_data.ready()) return;
  WaitsHover hover;
  if (const WaitsBox* box = geometry().boxUnder(event->position())) {
    hover.box = std::pair(box->point, box->index);
  } else if (const WaitsLine* line = geometry().lineUnder(event->position())) {
    hover.line = std::pair(line->point, line->waits);
    hover.edge = line->edge;
  }
  if (hover == m_hover) return;
  m_hover = hover;
  const bool leads = m_hover.line && !m_data.facts->graph.points.empty();
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void WaitsView::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !m_data.ready()) return;
  const WaitsGeometry& g = geometry();
  if (g.boxUnder(event->position()) != nullptr) return;
  if (const WaitsLine* line = g.lineUnder(event->position())) {
    const analysis::WaitEdge& edge = edgeOf(m_data, *line);
    const bool here = !m_data.facts->graph.nodes[edge.node].other;
    if (here && !edge.warps.empty() && !edge.lines.empty())
      emit picked(static_cast<int>(edge.warps.front()), edge.lines.front());
  }
}

void WaitsView::leaveEvent(QEvent*) {
  m_hover = {};
  update();
}

bool WaitsView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textUnder(help->pos());
    if (text.isEmpty()) {
      QToolTip::hideText();
    } else {
      QToolTip::showText(help->globalPos(), text, this);
    }
    return true;
  }
  return PaintedView::event(event);
}

}  // namespace tileloom
