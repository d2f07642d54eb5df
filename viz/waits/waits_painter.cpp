// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/waits/waits_words.h"

namespace tileloom {
namespace {

using analysis::WaitNode;

class Painter {
 public:
  Painter(QPainter& painter, const WaitsData& data, const WaitsGeometry& geometry,
          const WaitsHover& hover, const Theme& theme, const Fonts& fonts)
      : p(painter), d(data), g(geometry), h(hover), t(theme), f(fonts) {}

  void paint() {
    p.save();
    p.setRenderHint(QPainter::Antialiasing);
    const QFont& body = g.compact ? f.small : f.body;
    p.setFont(body);
    p.setPen(d.ready() ? t.text : t.soft);
    drawWrapped(p, g.sentence, d.ready() ? Qt::AlignLeft | Qt::AlignTop : Qt::AlignCenter,
                unbroken(waitsSentence(d)));
    if (d.ready()) {
      otherBlock();
      for (const bool hot : {false, true}) {
        for (const WaitsLine& line : g.lines) {
          if (line.hot == hot) drawLine(line);
        }
      }
      drawMeetings();
      otherTitle();
      for (const WaitsBox& box : g.boxes) drawBox(box, body);
      for (const WaitsLine& line : g.lines) drawLabel(line);
      drawPool();
      drawLegend();
      if (!g.compact)
        text(g.note, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.faint,
             fitted(waitsNote(d), QFontMetricsF(f.small), g.note.width()));
    }
    p.restore();
  }

 private:
  void text(const QRectF& rect, int flags, const QFont& font, const QColor& ink,
            const QString& words) {
    p.setFont(font);
    p.setPen(ink);
    p.drawText(rect, flags, words);
  }

  // Warps that multiply hold sums.
  QColor hueOf(const WaitNode& node) const {
    return node.multiplies ? t.matrix(analysis::Matrix::C) : t.text;
  }

  bool pointedAt(const WaitsLine& line) const {
    if (h.line && h.line->first == line.point && h.line->second == line.waits &&
        h.edge == line.edge)
      return true;
    if (!h.box) return false;
    if (h.box->first) return h.box->second == line.point;
    const analysis::WaitPoint& point = d.facts->graph.points[line.point];
    return (line.waits ? point.waiters : point.enders)[line.edge].node == h.box->second;
  }

  QColor inkOf(const WaitsLine& line) const {
    if (line.hot) return t.trouble;
    if (d.deadlock()) return Theme::faded(t.faint, pointedAt(line) ? 1.0 : 0.5);
    if (pointedAt(line)) return t.accent;
    return line.waits ? t.text : t.soft;
  }

  void head(const QPointF& at, double direction, const QColor& ink, double size) {
    p.setPen(Qt::NoPen);
    p.setBrush(ink);
    p.drawPolygon(QPolygonF({at, at + QPointF(-direction * size, -size * 0.5),
                             at + QPointF(-direction * size, size * 0.5)}));
    p.setBrush(Qt::NoBrush);
  }

  void drawLine(const WaitsLine& line) {
    const QColor ink = inkOf(line);
    const double width = line.hot ? std::max(2.2, line.thickness) : line.thickness;
    QPen pen(ink, width, line.waits ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap);
    if (!line.waits) pen.setDashPattern({4.0, 3.0});
    const double direction = line.tip.x() > line.tail.x() ? 1 : -1;
    const double size = 6 + width;
    // The line ends inside its head.
    QPainterPath path(line.mutual ? line.tail + QPointF(direction * (size - 1), 0) : line.tail);
    const QPointF tip = line.tip - QPointF(direction * (size - 1), 0);
    const double bend = (line.tip.x() - line.tail.x()) * 0.45;
    path.cubicTo(line.tail + QPointF(bend, 0), line.tip - QPointF(bend, 0), tip);
    p.setPen(pen);
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
    head(line.tip, direction, ink, size);
    if (line.mutual) head(line.tail, -direction, ink, size);
  }

  // If barriers of the whole block are the only waits, a line leads to the bar below. It would
  // cross other waits.
  bool meetsOnly() const { return g.lines.empty() && !d.facts->graph.points.empty(); }
  void drawMeetings() {
    if (!meetsOnly()) return;
    for (const WaitsBox& bar : g.boxes) {
      if (!bar.point) continue;
      for (const WaitsBox& node : g.boxes) {
        if (node.point) continue;
        const double x =
            std::clamp(node.rect.center().x(), bar.rect.left() + 12, bar.rect.right() - 12);
        const double size = 7, from = node.rect.bottom(), to = bar.rect.top();
        if (to - from < 2.5 * size) continue;
        const QColor ink = d.deadlock() ? t.trouble : t.text;
        p.setPen(QPen(ink, 1));
        p.drawLine(QPointF(x, from + size), QPointF(x, to - size));
        p.setPen(Qt::NoPen);
        p.setBrush(ink);
        for (const auto& [tip, way] : {std::pair(from, 1.0), std::pair(to, -1.0)})
          p.drawPolygon(QPolygonF({QPointF(x, tip), QPointF(x - size / 2, tip + way * size),
                                   QPointF(x + size / 2, tip + way * size)}));
        p.setBrush(Qt::NoBrush);
      }
    }
  }

  void drawLabel(const WaitsLine& line) {
    if (!line.label.isValid()) return;
    p.setPen(Qt::NoPen);
    p.setBrush(Theme::faded(t.ground, 0.85));
    p.drawRoundedRect(line.label, 3, 3);
    p.setBrush(Qt::NoBrush);
    QFont font = f.small;
    font.setItalic(line.waits && line.thickness > 1 && !line.hot);  // like all predicted figures
    text(line.label, Qt::AlignCenter, font,
         line.hot          ? t.trouble
         : pointedAt(line) ? t.accent
         : line.waits      ? t.text
                           : t.soft,
         line.words);
  }

  void otherBlock() {
    if (!g.otherBlock.isValid()) return;
    p.setPen(QPen(t.soft, 1, Qt::DashLine));
    p.setBrush(Theme::faded(t.panel, 0.6));
    p.drawRoundedRect(g.otherBlock, 6, 6);
    p.setBrush(Qt::NoBrush);
  }

  // Over the lines, which it interrupts.
  void otherTitle() {
    if (!g.otherBlock.isValid()) return;
    const auto other = std::ranges::find(d.facts->graph.nodes, true, &WaitNode::other);
    const QString words = otherBlockName(other->rank);
    QRectF ground = g.otherTitle;
    ground.setWidth(std::min(ground.width(), QFontMetricsF(f.small).horizontalAdvance(words) + 3));
    p.fillRect(ground, t.panel);
    text(g.otherTitle, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft, words);
  }

  void drawBox(const WaitsBox& box, const QFont& body) {
    const bool hovered = h.box && h.box->first == box.point && h.box->second == box.index;
    const bool faded = d.deadlock() && !box.asleep;
    QColor frame = box.point ? t.accent : t.soft;
    if (!box.point) {
      const WaitNode& node = d.facts->graph.nodes[box.index];
      if (node.kind == WaitNode::Kind::Warps && !node.other) frame = hueOf(node);
    }
    if (box.asleep) frame = t.trouble;
    const double round = box.point ? box.rect.height() / 2 : 4;
    QColor fill = box.point ? t.well : t.panel;
    if (!box.asleep && !box.point) fill = Theme::mix(t.panel, frame, 0.10);
    if (box.asleep) fill = Theme::mix(t.panel, t.trouble, 0.14);
    p.setPen(QPen(faded ? Theme::faded(frame, 0.6) : frame, hovered || box.asleep ? 2.2 : 1.3));
    p.setBrush(fill);
    p.drawRoundedRect(box.rect, std::min(round, 12.0), std::min(round, 12.0));
    p.setBrush(Qt::NoBrush);
    const QRectF inner = box.rect.adjusted(6, 1, -6, -1);
    const QColor ink = faded ? t.soft : t.text;
    const QFontMetricsF small(f.small);
    const bool wide = box.rect.width() > 3 * (small.horizontalAdvance(box.title) + 40);
    if (box.detail.isEmpty()) {
      text(inner, Qt::AlignCenter, body, ink,
           fitted(box.title, QFontMetricsF(body), inner.width()));
    } else if (box.rect.height() < QFontMetricsF(body).height() + small.height() + 4 || wide) {
      // All on one line.
      const double width = QFontMetricsF(body).horizontalAdvance(box.title) + 12;
      text(inner.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, body, ink, box.title);
      text(inner.adjusted(4 + width, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, f.small,
           box.asleep ? t.trouble : t.soft, fitted(box.detail, small, inner.width() - width - 4));
    } else {
      QRectF upper = inner, lower = inner;
      upper.setBottom(inner.top() + QFontMetricsF(body).height() + 2);
      lower.setTop(inner.bottom() - small.height() - 2);
      text(upper, Qt::AlignCenter, body, ink,
           fitted(box.title, QFontMetricsF(body), inner.width()));
      text(lower, Qt::AlignCenter, f.small, box.asleep ? t.trouble : t.soft,
           fitted(box.detail, small, inner.width()));
    }
  }

  void drawPool() {
    if (g.pool.empty()) return;
    const QFontMetricsF small(f.small);
    text(g.poolWords, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft,
         fitted(poolSentence(d), small, g.poolWords.width()));
    for (std::size_t i = 0; i < g.pool.size(); ++i) {
      const PoolBar& bar = g.pool[i];
      text(bar.name, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.text,
           i == 0 ? WaitsWords::tr("before") : WaitsWords::tr("after"));
      for (const PoolPart& part : bar.parts) drawPart(part, i == 1);
      p.setPen(QPen(t.line, 1));
      p.drawRect(bar.whole);
    }
  }

  void drawPart(const PoolPart& part, bool after) {
    const QFontMetricsF small(f.small);
    if (!part.node) {
      p.fillRect(part.rect, t.well);
      figures::drawHatch(p, part.rect, Theme::faded(t.faint, 0.6));
      return;
    }
    const WaitNode& node = d.facts->graph.nodes[*part.node];
    const QColor hue = hueOf(node);
    p.setPen(QPen(hue, 1));
    p.setBrush(Theme::mix(t.ground, hue, 0.22));
    p.drawRect(part.rect.adjusted(0.5, 0.5, -0.5, -0.5));
    p.setBrush(Qt::NoBrush);
    QString words = WaitsWords::tr("%1: %2 × %3")
                        .arg(nodeName(d.facts->graph, *part.node))
                        .arg(part.threads)
                        .arg(part.perThread);
    QColor ink = t.text;
    if (node.multiplies) {
      const auto needed = static_cast<std::uint32_t>(std::max(0, d.facts->needed));
      const bool enough = part.perThread >= needed;
      // The registers that a thread needs.
      if (enough && part.perThread > 0) {
        const double x = part.rect.left() + part.rect.width() * needed / part.perThread;
        p.setPen(QPen(t.text, 1.6));
        p.drawLine(QPointF(x, part.rect.top() + 1), QPointF(x, part.rect.bottom() - 1));
      } else {
        figures::drawHatch(p, part.rect.adjusted(1, 1, -1, -1), Theme::faded(t.trouble, 0.45));
      }
      if (!enough || after)
        words = enough ? WaitsWords::tr("%1, %2 needed").arg(words).arg(needed)
                       : WaitsWords::tr("%1, too few: %2 needed").arg(words).arg(needed);
    }
    const QRectF inner = part.rect.adjusted(4, 0, -3, 0);
    if (small.horizontalAdvance(words) > inner.width()) {
      const QString brief = WaitsWords::tr("%1 × %2").arg(part.threads).arg(part.perThread);
      if (part.rect.width() < small.horizontalAdvance(brief)) return;
      words = small.horizontalAdvance(words) > 2 * inner.width()
                  ? brief
                  : fitted(words, small, inner.width());
    }
    const QRectF ground(inner.left() - 1, inner.center().y() - small.height() / 2,
                        std::min(inner.width(), small.horizontalAdvance(words) + 3),
                        small.height());
    p.fillRect(ground, Theme::mix(t.ground, hue, 0.22));
    text(inner, Qt::AlignLeft | Qt::AlignVCenter, f.small, ink, words);
  }

  void drawLegend() {
    const QFontMetricsF small(f.small);
    double x = g.legend.left();
    const double y = g.legend.center().y();
    const auto entry = [&](const QString& words, const QColor& ink, double width, bool solid) {
      const double all = 34 + small.horizontalAdvance(words);
      if (x + all > g.legend.right()) return;
      QPen pen(ink, width, solid ? Qt::SolidLine : Qt::DashLine, Qt::FlatCap);
      if (!solid) pen.setDashPattern({4.0, 3.0});
      p.setPen(pen);
      p.drawLine(QPointF(x, y), QPointF(x + 20, y));
      head(QPointF(x + 26, y), 1, ink, 7);
      text(QRectF(x + 32, g.legend.top(), all, g.legend.height()), Qt::AlignLeft | Qt::AlignVCenter,
           f.small, t.soft, words);
      x += all + 18;
    };
    if (d.deadlock()) {
      entry(WaitsWords::tr("waits for ever at"), t.trouble, 2.2, true);
      entry(WaitsWords::tr("which lacks input from"), t.trouble, 2.2, false);
      return;
    }
    // Only what is drawn is explained.
    const auto drawn = [this](bool waits) {
      return std::ranges::any_of(g.lines,
                                 [waits](const WaitsLine& line) { return line.waits == waits; });
    };
    if (meetsOnly()) entry(WaitsWords::tr("all wait there for each other"), t.text, 1, true);
    if (drawn(true)) entry(WaitsWords::tr("waits at"), t.text, 1, true);
    if (drawn(false)) entry(WaitsWords::tr("until it has input from"), t.soft, 1, false);
    if (drawn(true) && d.cyclesPerTile > 0)
      entry(WaitsWords::tr("predicted wait, in cycles per K tile"), t.text, 4, true);
  }

  QPainter& p;
  const WaitsData& d;
  const WaitsGeometry& g;
  const WaitsHover& h;
  const Theme& t;
  const Fonts& f;
};

}  // namespace

void paintWaits(QPainter& painter, const WaitsData& data, const WaitsGeometry& geometry,
                const WaitsHover& hover, const Theme& theme, const Fonts& fonts) {
  Painter(painter, data, geometry, hover, theme, fonts).paint();
}

}  // namespace tileloom
