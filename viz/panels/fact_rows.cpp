// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/fact_rows.h"

#include <QFontMetricsF>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "viz/base/text/clauses.h"

namespace tileloom {
namespace {

QString nameOf(FactGroup group) {
  switch (group) {
    case FactGroup::Speed:
      return FactRows::tr("Speed");
    case FactGroup::Occupancy:
      return FactRows::tr("Occupancy");
    case FactGroup::Work:
      return FactRows::tr("Work and reuse");
    case FactGroup::Memory:
      return FactRows::tr("Memory");
  }
  return {};
}

}  // namespace

FactRows::FactRows(QWidget* parent) : PaintedView(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  setMouseTracking(true);
}

void FactRows::setFacts(const std::vector<Fact>& facts) {
  const int before = sizeHint().height();
  m_facts.clear();
  for (const Fact& f : facts) {
    if (!f.headline) m_facts.push_back(f);
  }
  if (sizeHint().height() != before) updateGeometry();
  update();
}

void FactRows::setStale(bool stale) {
  if (stale == m_stale) return;
  m_stale = stale;
  update();
}

void FactRows::setFolded(FactGroup group, bool folded) {
  m_folded[static_cast<std::size_t>(group)] = folded;
  updateGeometry();
  update();
}

std::vector<FactRows::Row> FactRows::rows() const {
  const double line = QFontMetricsF(m_fonts.small).height();
  const double body = QFontMetricsF(m_fonts.body).height();
  std::vector<Row> rows;
  double y = 0;
  const auto add = [&](FactGroup group, const Fact* fact, double height) {
    rows.push_back({group, fact, QRectF(0, y, width(), height)});
    y += height;
  };
  for (int g = 0; g < kFactGroups; ++g) {
    const auto group = static_cast<FactGroup>(g);
    if (std::ranges::none_of(m_facts, [group](const Fact& f) { return f.group == group; }))
      continue;
    add(group, nullptr, 1.5 * body);
    if (folded(group)) continue;
    for (const Fact& f : m_facts) {
      if (f.group == group) add(group, &f, body + line + 3);
    }
    y += 0.3 * line;
  }
  return rows;
}

QRectF FactRows::heading(FactGroup group) const {
  for (const Row& row : rows()) {
    if (row.group == group && row.fact == nullptr) return row.rect;
  }
  return {};
}

QSize FactRows::sizeHint() const {
  const auto all = rows();
  return {320, all.empty() ? 0 : static_cast<int>(std::ceil(all.back().rect.bottom() + 4))};
}
QSize FactRows::minimumSizeHint() const {
  return {200, sizeHint().height()};
}

bool FactRows::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QString tip;
    for (const Row& row : rows()) {
      if (!row.rect.contains(help->pos())) continue;
      tip = row.fact == nullptr ? tr("Click to collapse or expand this group")
            : row.fact->note.isEmpty() || row.fact->tip.isEmpty()
                ? row.fact->tip
                : tr("%1 Now: %2.").arg(row.fact->tip, row.fact->note);
    }
    QToolTip::showText(help->globalPos(), tip, this);
    return true;
  }
  return PaintedView::event(event);
}

void FactRows::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  for (const Row& row : rows()) {
    if (row.fact == nullptr && row.rect.contains(event->position()))
      return setFolded(row.group, !folded(row.group));
  }
}

void FactRows::mouseMoveEvent(QMouseEvent* event) {
  bool onHeading = false;
  for (const Row& row : rows())
    onHeading = onHeading || (row.fact == nullptr && row.rect.contains(event->position()));
  setCursor(onHeading ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void FactRows::paintEvent(QPaintEvent*) {
  QPainter p(this);
  if (m_stale) p.setOpacity(0.4);
  const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
  // Numbers are right-aligned in one column.
  double widest = 0;
  for (const Fact& f : m_facts) widest = std::max(widest, body.horizontalAdvance(f.value));
  for (const Row& row : rows()) {
    if (row.fact == nullptr) {
      QFont font = m_fonts.body;
      font.setWeight(QFont::DemiBold);
      p.setFont(font);
      p.setPen(m_theme.soft);
      p.drawText(
          row.rect, Qt::AlignLeft | Qt::AlignVCenter,
          (folded(row.group) ? QStringLiteral("▸ ") : QStringLiteral("▾ ")) + nameOf(row.group));
      continue;
    }
    const Fact& f = *row.fact;
    QFont number = m_fonts.body;
    number.setWeight(QFont::DemiBold);
    p.setFont(number);
    p.setPen(m_theme.text);
    const QRectF value(row.rect.left(), row.rect.top(), widest + 8, body.height());
    p.drawText(value, Qt::AlignRight | Qt::AlignVCenter, f.value);
    const double left = value.right() + 10;
    const QRectF unit(left, row.rect.top(), row.rect.right() - left, body.height());
    p.setFont(m_fonts.body);
    p.setPen(m_theme.soft);
    p.drawText(unit, Qt::AlignLeft | Qt::AlignVCenter, fitted(f.unit, body, unit.width()));
    paintFactNote(p, QRectF(left, unit.bottom(), unit.width(), small.height()), f, m_theme,
                  m_fonts);
  }
}

}  // namespace tileloom
