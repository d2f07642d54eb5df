// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/energy/energy_chart.h"

#include <qcustomplot.h>

#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/charts/energy/energy_painter.h"
#include "viz/charts/energy/energy_words.h"

namespace tileloom {

EnergyChart::EnergyChart(QWidget* parent) : PaintedView(parent) {
  setMouseTracking(true);
  setFocusPolicy(Qt::TabFocus);  // a click chooses a rung without taking the keys from playback
  setAccessibleName(tr("Energy of a multiplication at the power limit"));
  refresh();
}

void EnergyChart::setData(EnergyData data) {
  m_data = std::move(data);
  m_pointed.reset();
  const auto rungs = static_cast<int>(m_data.rungs().size());
  if (m_cursor && ((m_cursor->rung && *m_cursor->rung >= rungs) ||
                   (m_cursor->loads && m_data.whatIfs() == nullptr)))
    m_cursor.reset();
  updateGeometry();
  refresh();
}

void EnergyChart::refresh() {
  m_geometry = charts::energyGeometry(m_data, size(), m_fonts);
  describe();
  update();
}

void EnergyChart::describe() {
  QString words =
      focus() ? charts::energyToolTip(m_data, *focus()) : charts::energyHeadlines(m_data).front();
  setAccessibleDescription(words.replace(u'\n', QStringLiteral("; ")));
}

void EnergyChart::paintTo(QCPPainter& painter, const QSize& size) const {
  painter.fillRect(QRectF(QPointF(0, 0), size), m_theme.panel);
  charts::paintEnergy(painter, charts::energyGeometry(m_data, size, m_fonts), std::nullopt, m_theme,
                      m_fonts);
}

QSize EnergyChart::minimumSizeHint() const {
  return {roomFor(52, 0).width(),
          static_cast<int>(std::ceil(charts::leastEnergyHeight(m_data, width(), m_fonts)))};
}

void EnergyChart::restyle() {
  updateGeometry();
  refresh();
}

bool EnergyChart::event(QEvent* event) {
  // The tool tip is already shown.
  if (event->type() == QEvent::ToolTip) return true;
  if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut) update();
  return PaintedView::event(event);
}

void EnergyChart::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), m_theme.panel);
  charts::paintEnergy(p, m_geometry, focus(), m_theme, m_fonts);
  if (!hasFocus()) return;
  p.setPen(hairline(m_theme.accent));
  p.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
}

void EnergyChart::resizeEvent(QResizeEvent*) {
  updateGeometry();  // a narrow chart needs more room below
  refresh();
}

const Stage* EnergyChart::stageOf(const std::optional<EnergySpot>& spot) const {
  if (!spot || !spot->rung) return nullptr;
  const auto rungs = m_data.rungs();
  const auto at = static_cast<std::size_t>(*spot->rung);
  return at < rungs.size() ? rungs[at].stage : nullptr;
}

void EnergyChart::point(std::optional<EnergySpot> spot, const QPoint& global) {
  if (spot == m_pointed) return;
  m_pointed = spot;
  setCursor(stageOf(spot) != nullptr ? Qt::PointingHandCursor : Qt::ArrowCursor);
  if (spot) {
    QToolTip::showText(global, charts::energyToolTip(m_data, *spot), this);
  } else {
    QToolTip::hideText();
  }
  describe();
  update();
}

void EnergyChart::mouseMoveEvent(QMouseEvent* event) {
  point(charts::energySpotAt(m_geometry, event->position()), event->globalPosition().toPoint());
}

void EnergyChart::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  if (const Stage* stage = stageOf(charts::energySpotAt(m_geometry, event->position())))
    emit picked(stage);
}

void EnergyChart::leaveEvent(QEvent*) {
  point(std::nullopt, {});
}

void EnergyChart::keyPressEvent(QKeyEvent* event) {
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (step != 0) {
    std::vector<EnergySpot> all;
    for (const auto& bar : m_geometry.rows) all.push_back({bar.loads, {}});
    for (std::size_t i = 0; i < m_geometry.rungRows.size(); ++i)
      all.push_back({{}, static_cast<int>(i)});
    if (all.empty()) return;
    const auto last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    const auto now = m_cursor   ? std::ranges::find(all, *m_cursor) - all.begin()
                     : step > 0 ? -1
                                : last + 1;
    m_cursor = all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(now + step, 0, last))];
    describe();
    update();
    return;
  }
  const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (enter && m_cursor) {
    if (const Stage* stage = stageOf(m_cursor)) emit picked(stage);
    return;
  }
  if (event->key() == Qt::Key_Escape && m_cursor) {
    m_cursor.reset();
    describe();
    update();
    return;
  }
  PaintedView::keyPressEvent(event);
}

}  // namespace tileloom
