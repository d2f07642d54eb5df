// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/roofline/roofline_painter.h"

#include <QCoreApplication>
#include <QPolygonF>
#include <algorithm>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::RooflineChart)
};

const RooflinePoint* pointOf(const RooflineData& data, int index) {
  if (index < 0) return data.present ? &*data.present : nullptr;
  return index < static_cast<int>(data.rungs.size()) ? &data.rungs[static_cast<std::size_t>(index)]
                                                     : nullptr;
}

class RooflinePainter {
 public:
  RooflinePainter(QPainter& painter, const RooflineData& data, const RooflineGeometry& geometry,
                  std::optional<int> focus, const Theme& theme, const Fonts& fonts)
      : p(painter), m_data(data), g(geometry), m_focus(focus), m_theme(theme), m_fonts(fonts) {}

  void paint() {
    drawCaption();
    drawAxisName();
    drawPanel(g);
    if (g.inset) drawInset(*g.inset);
    if (!g.facts.isEmpty()) drawFacts();
  }

 private:
  void text(const QRectF& rect, Qt::Alignment side, const QFont& font, const QColor& color,
            const QString& words) {
    p.setFont(font);
    p.setPen(color);
    // At twice the resolution hinting makes glyphs slightly larger than their metrics.
    p.drawText(rect, static_cast<int>(side) | Qt::TextDontClip, words);
  }

  void drawCaption() {
    const QFontMetricsF metrics(m_fonts.small);
    const double right = g.facts.isEmpty() ? g.axis.right() : g.facts.right();
    const QRectF line(8, 2, right - 8, metrics.height());
    text(line, Qt::AlignLeft | Qt::AlignVCenter, m_fonts.small, m_theme.soft,
         fitted(rooflineCaption(m_data), metrics, line.width()));
  }

  void drawPanel(const RooflinePanel& panel) {
    drawAxes(panel);
    for (const RooflineRoof& roof : panel.roofs) drawRoof(roof);
    for (const RooflineGuide& guide : panel.presentGuides) drawGuide(guide);
    drawJoints(panel);
    for (const RooflineMark& mark : panel.marks) drawMarkLines(panel, mark);
    // The present tile and the one in focus are on top.
    for (const RooflineMark& mark : panel.marks) {
      if (mark.point >= 0 && mark.point != m_focus) drawPoint(mark);
    }
    for (const RooflineMark& mark : panel.marks) {
      if (mark.point >= 0 && mark.point == m_focus) drawPoint(mark);
    }
    for (const RooflineMark& mark : panel.marks) {
      if (mark.point < 0) drawPoint(mark);
    }
    for (const RooflineLabel& label : panel.labels) drawLabel(label);
  }

  // The enlarged part has a frame, and lines join it to the inset.
  void drawInset(const RooflineInset& inset) {
    p.setPen(hairline(m_theme.faint, 1.0));
    for (const QLineF& guide : inset.guides) p.drawLine(guide);
    p.setPen(hairline(m_theme.soft, 1.2));
    p.drawRect(inset.frame);
    p.fillRect(inset.outer, m_theme.panel);
    p.drawRect(inset.outer);
    text(inset.titleRect, Qt::AlignLeft | Qt::AlignVCenter, m_fonts.small, m_theme.text,
         inset.title);
    drawPanel(inset);
  }

  void drawAxes(const RooflinePanel& panel) {
    const QFontMetricsF metrics(m_fonts.small);
    const double line = metrics.height();
    const QRectF& plot = panel.plot;
    const QPen grid = hairline(Theme::mix(m_theme.panel, m_theme.line, 0.6));
    for (const RooflineTick& tick : panel.xTicks) {
      p.setPen(grid);
      p.drawLine(QPointF(tick.at, plot.top()), QPointF(tick.at, plot.bottom()));
      text({tick.at - 40, plot.bottom() + 3, 80, line}, Qt::AlignCenter, m_fonts.small,
           m_theme.soft, tick.text);
    }
    for (const RooflineTick& tick : panel.yTicks) {
      p.setPen(grid);
      p.drawLine(QPointF(plot.left(), tick.at), QPointF(plot.right(), tick.at));
      text({plot.left() - 206, tick.at - line / 2, 200, line}, Qt::AlignRight | Qt::AlignVCenter,
           m_fonts.small, m_theme.soft, tick.text);
    }
    p.setPen(hairline(m_theme.line));
    p.drawLine(plot.bottomLeft(), plot.bottomRight());
    p.drawLine(plot.topLeft(), plot.bottomLeft());
  }

  void drawAxisName() {
    if (!g.keys.empty()) return drawKeys();
    text(g.axis, Qt::AlignCenter, m_fonts.small, m_theme.text,
         Words::tr("%1 %2").arg(keysTitle(), levelName(m_data.level)));
  }

  void drawKeys() {
    const QRectF& first = g.keys.front().rect;
    const double end = g.keys.front().at.x() - kMarkRadius - 10;
    text({0, first.top(), end, first.height()}, Qt::AlignRight | Qt::AlignVCenter, m_fonts.small,
         m_theme.text, keysTitle());
    for (const RooflineKey& key : g.keys) {
      drawShape(key.at, key.level, Freshness::Recorded, kMarkRadius);
      text(key.rect, Qt::AlignLeft | Qt::AlignVCenter, m_fonts.small, m_theme.text, key.text);
    }
  }

  // With all levels shown, each has its own shape.
  void drawShape(const QPointF& at, model::MemoryLevel level, Freshness freshness, double radius) {
    if (m_data.level != RooflineLevel::All || level == model::MemoryLevel::Shared ||
        freshness == Freshness::Stale)
      return figures::drawMark(p, at, freshness, m_theme, radius);
    const QColor ink = figures::inkOf(freshness, m_theme);
    p.setPen(hairline(ink, 1.5));
    p.setBrush(freshness == Freshness::Live ? ink : m_theme.panel);
    drawOutline(at, level, radius);
    p.setBrush(Qt::NoBrush);
  }

  void drawOutline(const QPointF& at, model::MemoryLevel level, double radius) {
    if (level == model::MemoryLevel::Shared) {
      p.drawEllipse(at, radius, radius);
    } else if (level == model::MemoryLevel::L2) {
      const double half = 0.9 * radius;
      p.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half));
    } else {
      p.drawPolygon(QPolygonF{at + QPointF(0, -1.25 * radius),
                              at + QPointF(1.15 * radius, 0.8 * radius),
                              at + QPointF(-1.15 * radius, 0.8 * radius)});
    }
  }

  void drawRoof(const RooflineRoof& roof) {
    const bool computed = m_data.ceilings.origin == model::CeilingOrigin::Computed ||
                          roof.roof == model::Roof::Tensor;
    // The rate of mma.sync limits some rungs only.
    const bool ofSome = roof.roof == model::Roof::MmaSync;
    const QColor ink = ofSome ? m_theme.soft : m_theme.text;
    QPen pen = hairline(ink, ofSome ? 1.2 : 1.8);
    // Computed roofs look like predictions: dashes and dots.
    if (computed) pen.setDashPattern({6.0, 2.5, 1.0, 2.5});
    if (ofSome) pen.setDashPattern({4.0, 3.0});
    p.setPen(pen);
    p.drawLine(roof.line);
    if (roof.text.isEmpty()) return;
    p.save();
    p.translate(roof.label);
    p.rotate(roof.slant);
    p.setFont(m_fonts.small);
    p.setPen(ink);
    p.drawText(QPointF(0, 0), roof.text);
    p.restore();
  }

  // With all levels shown, a mark at its foot shows its level.
  void drawGuide(const RooflineGuide& guide) {
    QPen pen = hairline(m_theme.accent, 1.2);
    pen.setDashPattern({1.0, 3.0});
    p.setPen(pen);
    p.drawLine(guide.line);
    if (m_data.level == RooflineLevel::All)
      drawShape(guide.line.p1() - QPointF(0, 2 * kMarkRadius), guide.level, Freshness::Recorded,
                kMarkRadius);
  }

  // Lines between the three levels of one launch.
  void drawJoints(const RooflinePanel& panel) {
    for (std::size_t i = 1; i < panel.marks.size(); ++i) {
      const RooflineMark& a = panel.marks[i - 1];
      const RooflineMark& b = panel.marks[i];
      if (a.point != b.point) continue;
      const bool seen = a.point < 0 || a.point == m_focus;
      p.setPen(hairline(seen ? m_theme.accent : m_theme.line, seen ? 1.4 : 1.0));
      p.drawLine(a.at, b.at);
    }
  }

  void drawMarkLines(const RooflinePanel& panel, const RooflineMark& mark) {
    if (mark.point >= 0 && mark.point != m_focus) return;
    p.setPen(hairline(m_theme.accent, 1.2));
    const auto whisker = [&](QLineF line) {
      if (line.isNull()) return;
      const QRectF& plot = panel.plot;
      const auto within = [&plot](const QPointF& at) {
        return QPointF(std::clamp(at.x(), plot.left(), plot.right()),
                       std::clamp(at.y(), plot.top(), plot.bottom()));
      };
      line = {within(line.p1()), within(line.p2())};
      p.drawLine(line);
      const QPointF cap = line.dx() == 0 ? QPointF(3, 0) : QPointF(0, 3);
      p.drawLine(line.p1() - cap, line.p1() + cap);
      p.drawLine(line.p2() - cap, line.p2() + cap);
    };
    whisker(mark.spread);
    whisker(mark.range);
  }

  // Filled: live; a ring: recorded; a cross: stale; a dotted diamond, or the shape of
  // its level where all are shown: predicted.
  void drawPoint(const RooflineMark& mark) {
    const RooflinePoint* point = pointOf(m_data, mark.point);
    if (point == nullptr) return;
    const bool present = mark.point < 0;
    const double radius = mark.radius;
    if (mark.predicted) {
      QPen pen = hairline(m_theme.accent, 1.6);
      pen.setDashPattern({1.5, 1.5});
      p.setPen(pen);
      p.setBrush(m_theme.panel);
      const double r = radius + 1.5;
      if (m_data.level == RooflineLevel::All) {
        drawOutline(mark.at, mark.level, r);
      } else {
        p.drawPolygon(QPolygonF{{mark.at.x(), mark.at.y() - r},
                                {mark.at.x() + r, mark.at.y()},
                                {mark.at.x(), mark.at.y() + r},
                                {mark.at.x() - r, mark.at.y()}});
      }
      p.setBrush(Qt::NoBrush);
      return;
    }
    drawShape(mark.at, mark.level, point->freshness, radius);
    if (present) {  // a dot in the ring
      p.setPen(Qt::NoPen);
      p.setBrush(point->freshness == Freshness::Live ? m_theme.panel : m_theme.accent);
      p.drawEllipse(mark.at, 2.4, 2.4);
      p.setBrush(Qt::NoBrush);
    }
    if (mark.point == m_data.baseline) {  // a square around it
      const double r = radius + 3;
      p.setPen(hairline(m_theme.accent, 1.4));
      p.drawRect(QRectF(mark.at.x() - r, mark.at.y() - r, 2 * r, 2 * r));
    }
    if (mark.point == m_focus && !present) {
      p.setPen(hairline(m_theme.text, 1.2));
      p.drawEllipse(mark.at, radius + 3, radius + 3);
    }
  }

  void drawLabel(const RooflineLabel& label) {
    if (!label.leader.isNull()) {
      p.setPen(hairline(m_theme.faint, 0.8));
      p.drawLine(label.leader);
    }
    const bool present = label.point < 0 || label.point == m_data.baseline;
    QFont font = m_fonts.small;
    if (present) font.setWeight(QFont::DemiBold);
    const bool seen = present || label.point == m_focus;
    const double before = numberWidth(m_fonts.small, label.number);
    text(label.rect.adjusted(1, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
         numberFont(m_fonts.small), m_theme.text, label.number);
    text(label.rect.adjusted(1 + before, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, font,
         seen ? m_theme.text : m_theme.soft, label.text);
  }

  // Figures in a column, each followed by its meaning; lines that do not fit are left out.
  void drawFacts() {
    std::vector<RooflineFact> facts = boundFacts(m_data);
    const int index = m_focus.value_or(-1);
    if (const RooflinePoint* point = pointOf(m_data, index)) {
      const auto more = pointFacts(m_data, *point, index < 0);
      facts.insert(facts.end(), more.begin(), more.end());
    }
    const QFontMetricsF body(m_fonts.body), small(m_fonts.small);
    double values = 0;
    for (const RooflineFact& fact : facts) {
      if (!fact.heading) values = std::max(values, body.horizontalAdvance(fact.value));
    }
    const double gap = 8, wide = g.facts.width() - values - gap;
    double y = g.facts.top();
    for (const RooflineFact& fact : facts) {
      if (fact.heading) {
        QFont bold = m_fonts.body;
        bold.setWeight(QFont::DemiBold);
        y += 0.5 * body.height();
        if (y + body.height() > g.facts.bottom()) return;
        text({g.facts.left(), y, g.facts.width(), body.height()}, Qt::AlignLeft, bold, m_theme.text,
             fitted(fact.value, QFontMetricsF(bold), g.facts.width()));
        y += 1.25 * body.height();
        continue;
      }
      const QRectF space(0, 0, wide, 1000);
      const double high = std::max(
          body.height(), small.boundingRect(space, Qt::TextWordWrap, fact.note).height() + 1);
      if (y + high > g.facts.bottom()) return;
      text({g.facts.left(), y, values + 1, body.height()}, Qt::AlignRight | Qt::AlignVCenter,
           m_fonts.body, m_theme.text, fact.value);
      p.setFont(m_fonts.small);
      p.setPen(m_theme.soft);
      const double lift = (body.ascent() - small.ascent());
      drawWrapped(p, QRectF(g.facts.left() + values + gap, y + lift, wide + 1, high), Qt::AlignLeft,
                  fact.note);
      y += high + 2;
    }
  }

  QPainter& p;
  const RooflineData& m_data;
  const RooflineGeometry& g;
  std::optional<int> m_focus;
  const Theme& m_theme;
  const Fonts& m_fonts;
};

}  // namespace

void paintRoofline(QPainter& painter, const RooflineData& data, const RooflineGeometry& geometry,
                   std::optional<int> focus, const Theme& theme, const Fonts& fonts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  if (data.rungs.empty() && !data.present) {
    painter.setFont(fonts.body);
    painter.setPen(theme.soft);
    const QRectF all =
        geometry.plot.united(geometry.facts.isEmpty() ? geometry.plot : geometry.facts);
    drawWrapped(painter, all, Qt::AlignCenter, emptyRooflineSentence(data));
  } else {
    RooflinePainter(painter, data, geometry, focus, theme, fonts).paint();
  }
  painter.restore();
}

}  // namespace tileloom::charts
