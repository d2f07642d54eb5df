// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/cost_bars.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"

namespace tileloom {
namespace {

constexpr double kBar = 4;  // pixels of a bar's height
constexpr double kGap = 6;  // between rows

}  // namespace

CostBars::CostBars(QWidget* parent) : PaintedView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
}

void CostBars::setBars(std::vector<CostBar> bars) {
  if (bars == m_bars) return;
  const int before = sizeHint().height();
  m_bars = std::move(bars);
  if (sizeHint().height() != before) updateGeometry();
  update();
}

void CostBars::setStale(bool stale) {
  if (stale == m_stale) return;
  m_stale = stale;
  update();
}

QRectF CostBars::rowRect(int bar) const {
  const double body = QFontMetricsF(m_fonts.body).height();
  const double small = QFontMetricsF(m_fonts.small).height();
  double top = 0, height = 0;
  for (int i = 0; i <= bar; ++i) {
    top += height;
    const bool noted =
        i < static_cast<int>(m_bars.size()) && !m_bars[static_cast<std::size_t>(i)].note.isEmpty();
    height = body + kBar + 2 + (noted ? small : 0) + kGap;
  }
  return {0, top, static_cast<double>(width()), height};
}

double CostBars::changeScale() const {
  double most = 0.05;  // a change of one percent must not look large
  for (const CostBar& bar : m_bars) {
    if (bar.change) most = std::max(most, std::abs(bar.share));
  }
  return most;
}

QSize CostBars::sizeHint() const {
  return {320, static_cast<int>(std::ceil(rowRect(static_cast<int>(m_bars.size())).top()))};
}
QSize CostBars::minimumSizeHint() const {
  return {200, sizeHint().height()};
}

int CostBars::barAt(const QPointF& at) const {
  for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
    if (rowRect(i).contains(at)) return i;
  }
  return -1;
}

bool CostBars::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const int bar = barAt(help->pos());
    QToolTip::showText(help->globalPos(),
                       bar < 0 ? QString() : m_bars[static_cast<std::size_t>(bar)].tip, this);
    return true;
  }
  return PaintedView::event(event);
}

void CostBars::mouseReleaseEvent(QMouseEvent* event) {
  const int bar = barAt(event->position());
  if (event->button() != Qt::LeftButton || bar < 0) return;
  if (const int line = m_bars[static_cast<std::size_t>(bar)].line; line > 0) emit lineAsked(line);
}

void CostBars::mouseMoveEvent(QMouseEvent* event) {
  const int bar = barAt(event->position());
  const bool leads = bar >= 0 && m_bars[static_cast<std::size_t>(bar)].line > 0;
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void CostBars::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (m_stale) p.setOpacity(0.4);
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
    const CostBar& bar = m_bars[static_cast<std::size_t>(i)];
    const QRectF row = rowRect(i);
    const int digits = std::abs(bar.share) < 0.0995 ? 1 : 0;
    const QString size = QString::number(100 * std::abs(bar.share), 'f', digits);
    const QString share = !bar.figure.isEmpty() ? bar.figure
                          : !bar.change         ? tr("%1 %").arg(size)
                          : bar.share < 0       ? tr("−%1 %").arg(size)
                                                : tr("+%1 %").arg(size);
    const double number = body.horizontalAdvance(share) + 8;
    p.setFont(m_fonts.body);
    p.setPen(m_theme.text);
    const QRectF words(row.left(), row.top(), row.width() - number, body.height());
    p.drawText(words, Qt::AlignLeft | Qt::AlignVCenter, fitted(bar.name, body, words.width()));
    p.drawText(QRectF(words.right(), row.top(), number, body.height()),
               Qt::AlignRight | Qt::AlignVCenter, share);
    const QRectF groove(row.left(), words.bottom() + 1, row.width(), kBar);
    p.fillRect(groove, m_theme.well);
    QRectF filled(groove.left(), groove.top(), groove.width() * std::clamp(bar.share, 0.0, 1.0),
                  kBar);
    QColor ink = m_theme.soft;
    if (bar.change) {
      const double middle = groove.center().x();
      const double to = middle + groove.width() / 2 * bar.share / changeScale();
      filled = QRectF(QPointF(std::min(middle, to), groove.top()),
                      QPointF(std::max(middle, to), groove.bottom()));
      ink = bar.share < 0 ? m_theme.good : m_theme.trouble;
    }
    // Counted is solid; predicted is hatched, as everywhere.
    if (bar.counted) {
      p.fillRect(filled, ink);
    } else {
      figures::fillHalf(p, filled, ink);
    }
    if (bar.change) {
      p.fillRect(QRectF(groove.center().x() - 0.5, groove.top() - 1, 1, kBar + 2), m_theme.soft);
    }
    if (bar.note.isEmpty()) continue;
    p.setFont(m_fonts.small);
    p.setPen(m_theme.faint);
    const QRectF note(row.left(), groove.bottom() + 1, row.width(), small.height());
    p.drawText(note, Qt::AlignLeft | Qt::AlignVCenter, fitted(bar.note, small, note.width()));
  }
}

}  // namespace tileloom
