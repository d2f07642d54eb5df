// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/energy/energy_painter.h"

#include <QPainter>

#include "viz/base/paint/marks.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom::charts {
namespace {

using Kind = EnergyPart::Kind;
using Role = EnergyText::Role;

constexpr double kRadius = 4;

class Painter {
 public:
  Painter(QPainter& painter, const EnergyGeometry& geometry, const std::optional<EnergySpot>& focus,
          const Theme& theme, const Fonts& fonts)
      : p(painter), g(geometry), m_focus(focus), t(theme), f(fonts) {}

  void paint() {
    if (!g.bars.isEmpty()) drawWhatIfs();
    if (!g.rungs.isEmpty()) drawRungs();
    for (const EnergySwatch& swatch : g.swatches) fill(swatch.kind, swatch.rect);
    for (const EnergyText& text : g.texts) drawText(text);
  }

 private:
  QPen grid() const { return hairline(Theme::mix(t.panel, t.line, 0.6)); }

  void fill(Kind kind, const QRectF& rect) {
    const auto hue = [this](analysis::Matrix m) { return Theme::mix(t.panel, t.matrix(m), 0.75); };
    const QColor a = hue(analysis::Matrix::A), b = hue(analysis::Matrix::B);
    switch (kind) {
      case Kind::NoLoads:
        return p.fillRect(rect, Theme::mix(t.panel, t.text, 0.14));
      case Kind::A:
        return p.fillRect(rect, a);
      case Kind::B:
        return p.fillRect(rect, b);
      case Kind::AB: {  // both: the shares of A and B were not measured
        QRectF upper = rect, lower = rect;
        upper.setBottom(rect.center().y());
        lower.setTop(rect.center().y());
        p.fillRect(upper, a);
        return p.fillRect(lower, b);
      }
      case Kind::Dram:
        return p.fillRect(rect, Theme::mix(t.panel, t.text, 0.6));
    }
  }

  // The outline of a recorded value, as in the ladder's bars.
  void outline(const QRectF& rect) {
    p.setPen(figures::linePen(Freshness::Recorded, t));
    p.setBrush(Qt::NoBrush);
    p.drawRect(rect);
  }

  void drawWhatIfs() {
    if (m_focus && m_focus->loads) {
      for (const EnergyBar& bar : g.rows)
        if (bar.loads == *m_focus->loads) p.fillRect(bar.row, t.well);
    }
    p.setPen(grid());
    for (const EnergyTick& tick : g.ticks)
      p.drawLine(QPointF(tick.at, g.bars.top()), QPointF(tick.at, g.bars.bottom()));
    for (const EnergyBar& bar : g.rows) {
      for (const EnergyPart& part : bar.parts) fill(part.kind, part.rect);
      outline(bar.bar());
    }
    // The unchanged kernel is apart from the what-ifs.
    const double apart = g.rows.back().row.top();
    p.setPen(hairline(t.line));
    p.drawLine(QPointF(g.rows.back().row.left(), apart), QPointF(g.rows.back().row.right(), apart));
    p.drawLine(g.bars.bottomLeft(), g.bars.bottomRight());
    p.setPen(hairline(t.text, 1.4, Qt::DashLine));
    p.drawLine(QPointF(g.ceiling, g.bars.top()), QPointF(g.ceiling, g.bars.bottom()));
    p.setPen(hairline(t.text, 1.2));
    for (const EnergyBar& bar : g.rows) {
      const double y = bar.bar().center().y();
      p.drawLine(QPointF(bar.low, y), QPointF(bar.high, y));
      for (const double x : {bar.low, bar.high}) p.drawLine(QPointF(x, y - 3), QPointF(x, y + 3));
    }
  }

  void drawRungs() {
    if (m_focus && m_focus->rung && *m_focus->rung < static_cast<int>(g.rungRows.size()))
      p.fillRect(g.rungRows[static_cast<std::size_t>(*m_focus->rung)].row, t.well);
    p.setPen(grid());
    for (const EnergyTick& tick : g.rungTicks)
      p.drawLine(QPointF(tick.at, g.rungs.top()), QPointF(tick.at, g.rungs.bottom()));
    p.setPen(hairline(t.line));
    p.drawLine(g.rungs.bottomLeft(), g.rungs.bottomRight());
    p.setPen(hairline(t.soft, 1.4));
    p.drawLine(QPointF(g.library, g.rungs.top()), QPointF(g.library, g.rungs.bottom()));
    for (std::size_t i = 0; i < g.rungRows.size(); ++i) {
      const EnergyMarks& row = g.rungRows[i];
      if (g.present && static_cast<std::size_t>(*g.present) == i) {
        p.fillRect(QRectF(row.row.left() - 2, row.row.top() + 1, 3, row.row.height() - 2),
                   t.accent);
      }
      for (const QPointF& at : row.marks) {
        p.setPen(hairline(t.soft, 1.2));
        p.drawLine(QPointF(g.library, at.y()), at);
      }
      for (const QPointF& at : row.marks) figures::drawMark(p, at, Freshness::Recorded, t, kRadius);
    }
  }

  void drawText(const EnergyText& text) {
    p.setFont(fontOf(text.role, f));
    p.setPen(text.role == Role::Soft ? t.soft : t.text);
    p.drawText(text.rect, static_cast<int>(text.side | Qt::AlignVCenter), text.text);
  }

  QPainter& p;
  const EnergyGeometry& g;
  const std::optional<EnergySpot>& m_focus;
  const Theme& t;
  const Fonts& f;
};

}  // namespace

void paintEnergy(QPainter& painter, const EnergyGeometry& geometry,
                 const std::optional<EnergySpot>& focus, const Theme& theme, const Fonts& fonts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  Painter(painter, geometry, focus, theme, fonts).paint();
  painter.restore();
}

}  // namespace tileloom::charts
