// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/parameter_turns.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr double kSame = 0.005;  // of the speed: less counts as the same

// Share of the row for its name with the present value; two halves for below and above follow.
constexpr double kNamePart = 0.34;

QString speedText(const ParameterTurn& turn) {
  const QString ratio = QString::number(turn.ratio, 'f', 2);
  if (turn.measured) return ParameterTurns::tr("● × %1").arg(ratio);
  return turn.guessed ? ParameterTurns::tr("○ ≈ × %1").arg(ratio)
                      : ParameterTurns::tr("○ × %1").arg(ratio);
}

}  // namespace

ParameterTurns::ParameterTurns(QWidget* parent) : PaintedView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
}

void ParameterTurns::setRows(std::vector<ParameterTurnRow> rows) {
  const bool other = rows.size() != m_rows.size();
  m_rows = std::move(rows);
  if (other) updateGeometry();
  update();
}

void ParameterTurns::setStale(bool stale) {
  if (stale == m_stale) return;
  m_stale = stale;
  update();
}

double ParameterTurns::rowHeight() const {
  return std::ceil(1.35 * QFontMetricsF(m_fonts.small).height());
}

QRectF ParameterTurns::turnRect(int row, bool above) const {
  const double first = kNamePart * width(), each = (width() - first) / 2;
  return {first + (above ? each : 0), row * rowHeight(), each, rowHeight()};
}

QSize ParameterTurns::sizeHint() const {
  return {320, static_cast<int>(std::ceil(static_cast<double>(m_rows.size()) * rowHeight()))};
}
QSize ParameterTurns::minimumSizeHint() const {
  return {200, sizeHint().height()};
}

ParameterTurns::Hit ParameterTurns::hitAt(const QPointF& at) const {
  for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
    const ParameterTurnRow& row = m_rows[static_cast<std::size_t>(i)];
    if (row.below && turnRect(i, false).contains(at)) return {&row, &*row.below};
    if (row.above && turnRect(i, true).contains(at)) return {&row, &*row.above};
  }
  return {};
}

bool ParameterTurns::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Hit hit = hitAt(help->pos());
    QToolTip::showText(help->globalPos(), hit.turn == nullptr ? QString() : hit.turn->tip, this);
    return true;
  }
  return PaintedView::event(event);
}

void ParameterTurns::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || m_stale) return;
  const Hit hit = hitAt(event->position());
  if (hit.turn != nullptr) emit picked(hit.row->parameter, hit.turn->value);
}

void ParameterTurns::mouseMoveEvent(QMouseEvent* event) {
  const bool leads = !m_stale && hitAt(event->position()).turn != nullptr;
  setCursor(leads ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void ParameterTurns::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (m_stale) p.setOpacity(0.4);
  p.setFont(m_fonts.small);
  const QFontMetricsF metrics(m_fonts.small);
  const double value = metrics.horizontalAdvance(QStringLiteral("0000"));
  for (int i = 0; i < static_cast<int>(m_rows.size()); ++i) {
    const ParameterTurnRow& row = m_rows[static_cast<std::size_t>(i)];
    const double top = i * rowHeight();
    p.setPen(m_theme.text);
    p.drawText(QRectF(0, top, kNamePart * width(), rowHeight()), Qt::AlignLeft | Qt::AlignVCenter,
               tr("%1 = %2").arg(toQString(name(row.parameter))).arg(row.now));
    for (const bool above : {false, true}) {
      const auto& turn = above ? row.above : row.below;
      const QRectF place = turnRect(i, above);
      if (!turn) {
        p.setPen(m_theme.faint);
        p.drawText(place.adjusted(0, 0, -8, 0), Qt::AlignLeft | Qt::AlignVCenter,
                   above ? tr("no value above") : tr("no value below"));
        continue;
      }
      p.setPen(m_theme.soft);
      p.drawText(QRectF(place.left(), top, value, rowHeight()), Qt::AlignRight | Qt::AlignVCenter,
                 QString::number(turn->value));
      p.setPen(turn->ratio > 1 + kSame   ? m_theme.good
               : turn->ratio < 1 - kSame ? m_theme.trouble
                                         : m_theme.soft);
      p.drawText(QRectF(place.left() + value + 6, top, place.width() - value - 6, rowHeight()),
                 Qt::AlignLeft | Qt::AlignVCenter, speedText(*turn));
    }
    p.setPen(hairline(m_theme.line));
    p.drawLine(QPointF(0, top + rowHeight() - 0.5), QPointF(width(), top + rowHeight() - 0.5));
  }
}

}  // namespace tileloom
