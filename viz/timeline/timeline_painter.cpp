// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/timeline/timeline_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "viz/base/paint/marks.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/timeline/span_painter.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {
namespace {

using timeline::Lane;
using timeline::LaneKind;
using timeline::Span;
using timeline::Work;

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Timeline)
};

constexpr double kWordMargin = 4;
constexpr std::size_t kMostArrows = 24;  // without hovering: more of them hide the lanes

// Head and rows of the table of shares, and a gap to the lanes.
double shareLines(const TimelineData& data) {
  return 1.6 + static_cast<double>(shareTable(*data.beside).rows.size());
}

// The second line of the header: the shares, if the table has no room.
QString remarkOf(const TimelineData& data, bool table) {
  if (data.brief) return {};
  if (!data.measured) return data.remark;
  QStringList parts{data.remark, table ? QString() : sharesText(data),
                    shortDisagreement(*data.beside)};
  parts.removeAll(QString());
  return parts.join(QStringLiteral(" · "));
}

class Painter {
 public:
  Painter(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
          std::optional<TimelineGeometry::Spot> hovered, const Theme& theme, const Fonts& fonts)
      : p(painter),
        d(data),
        g(geometry),
        m_hovered(hovered),
        t(theme),
        f(fonts),
        m_spans(painter, data, geometry, theme, fonts) {}

  void paint() {
    drawHeader();
    if (!d.ready()) {
      p.setFont(f.body);
      p.setPen(t.soft);
      // In the upper half: a button may be below its middle.
      QRectF room = g.header | g.legend;
      room.setBottom(std::max(room.center().y(), room.top() + QFontMetricsF(f.body).height()));
      drawWrapped(p, room, Qt::AlignHCenter | Qt::AlignBottom, d.trouble);
      return;
    }
    drawGround();
    p.save();
    p.setClipRect(g.plot.adjusted(0, -1, 0, 1), Qt::IntersectClip);
    for (const TimelineRow& row : g.rows) {
      if (row.kind == TimelineRow::Kind::Busy) m_spans.drawBusy(row);
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    for (const TimelineBox& box : g.boxes) m_spans.drawBox(box);
    p.setRenderHint(QPainter::Antialiasing);
    drawIdle();
    drawArrows();
    drawNow();
    p.restore();
    drawAxis();
    drawNames();
    drawShares();
    drawLegend();
    if (d.another) dimAll();
  }

  // Rows and K tiles, without axis labels, names and words.
  void paintCondensed() {
    drawGround();
    p.save();
    p.setClipRect(g.plot, Qt::IntersectClip);
    for (const TimelineRow& row : g.rows) {
      if (row.kind == TimelineRow::Kind::Busy) m_spans.drawBusy(row);
    }
    p.setRenderHint(QPainter::Antialiasing, false);
    for (const TimelineBox& box : g.boxes) m_spans.drawArea(box);
    for (const TimelineColumn& column : g.columns) m_spans.drawColumn(column);
    p.setRenderHint(QPainter::Antialiasing);
    p.restore();
    p.setPen(hairline(t.line));
    for (const Section& section : sections())
      p.drawLine(QPointF(section.left, g.axis.top()), QPointF(section.left, g.plot.bottom()));
  }

  void paintCondensedWords(double axisEnd, std::optional<double> instant) {
    p.setRenderHint(QPainter::Antialiasing, false);
    for (const TimelineBox& box : g.boxes) m_spans.drawWords(box, box.rect & g.plot, instant);
    p.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF small(f.small);
    for (const Section& section : sections()) {
      const double left = std::max(section.left, g.axis.left()) + kWordMargin;
      const double end = std::min(section.right, axisEnd) - kWordMargin;
      for (const QString& words : section.names) {
        const double width = small.horizontalAdvance(words);
        // A number alone is understood among others, but not before other words.
        if (words == section.names.back() && section.names.size() > 1 && section.right > axisEnd)
          break;
        const auto at = SpanPainter::clearOf(instant, left, width, left, end);
        if (!at) continue;
        text(QRectF(*at, g.axis.top(), width + 1, g.axis.height()),
             Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft, words);
        break;
      }
    }
  }

  void paintNames() { drawNames(); }

 private:
  // Everything below the header, which says why.
  void dimAll() {
    QRectF area = (g.plot | g.axis | g.legend | g.shares | g.header);
    area.setTop(g.header.bottom());
    p.fillRect(area, dimmed(t));
  }

  void text(const QRectF& rect, int flags, const QFont& font, const QColor& ink,
            const QString& words) {
    p.setFont(font);
    p.setPen(ink);
    p.drawText(rect, flags, words);
  }

  void drawHeader() {
    if (!d.ready()) return;
    QFont figure = f.title;
    figure.setItalic(!d.measured);  // like all predicted figures
    const QFontMetricsF small(f.small);
    QRectF line = g.header;
    line.setHeight(QFontMetricsF(figure).height());
    QRectF room = line;
    if (!d.title.isEmpty()) {
      // The words that distinguish the two have precedence.
      const QFontMetricsF title(f.title);
      text(room, Qt::AlignLeft | Qt::AlignBottom, f.title, t.text,
           fitted(d.title, title, room.width()));
      room.setLeft(std::min(room.right(), room.left() + title.horizontalAdvance(d.title) + 14));
    }
    const QString words =
        fitted(timelineFigure(d), QFontMetricsF(figure), std::max(0.0, room.width()));
    const double width = QFontMetricsF(figure).horizontalAdvance(words) + 12;
    text(room, Qt::AlignLeft | Qt::AlignBottom, figure, t.text, words);
    QRectF rest = room.adjusted(width, 0, 0, -1);
    const QString facts = timelineFacts(d);
    if (rest.width() > 60)
      text(rest, Qt::AlignLeft | Qt::AlignBottom, f.small, t.soft,
           fitted(facts, small, rest.width()));
    const QString remark = remarkOf(d, !g.shares.isEmpty());
    if (remark.isEmpty()) return;
    const QRectF below(g.header.left(), line.bottom(), g.header.width(), small.height());
    text(below, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft,
         fitted(remark, small, below.width()));
  }

  // Predicted above measured, as the lanes are.
  void drawShares() {
    if (g.shares.isEmpty()) return;
    const double line = g.shares.height() / shareLines(d), gap = 22;
    const auto at = [&](double left, double width, int row) {
      return QRectF(left, g.shares.top() + (row + 0.4) * line, width, line);
    };
    QFont italic = f.small;
    italic.setItalic(true);  // like all predicted figures
    const double names = g.names.width() - 8;
    text(at(g.names.left(), names, 0), Qt::AlignRight | Qt::AlignVCenter, f.small, t.faint,
         Words::tr("shares"));
    const ShareTable table = shareTable(*d.beside);
    // Predicted values are in the first row.
    const auto cell = [&](double left, double width, int row, const QString& what) {
      text(at(left, width, row + 1), Qt::AlignRight | Qt::AlignVCenter, row == 0 ? italic : f.small,
           row == 0 ? t.soft : t.text, what);
    };
    for (int row = 0; row < table.rows.size(); ++row)
      cell(g.names.left(), names, row, table.rows[row]);
    double x = g.plot.left() + 4;
    for (const ShareColumn& column : table.columns) {
      const QFontMetricsF small(f.small), leaning(italic);
      double width = small.horizontalAdvance(column.head);
      for (const QString& each : column.cells)
        width = std::max({width, small.horizontalAdvance(each), leaning.horizontalAdvance(each)});
      if (x + width > g.shares.right()) break;
      text(at(x, width, 0), Qt::AlignRight | Qt::AlignVCenter, f.small, t.faint, column.head);
      for (int row = 0; row < column.cells.size(); ++row) cell(x, width, row, column.cells[row]);
      x += width + gap;
    }
  }

  // Bands of K tiles, and the ground of each lane.
  void drawGround() {
    for (const TimelineTile& tile : g.tiles) {
      if (tile.number % 2 == 0) continue;
      p.fillRect(QRectF(tile.left, g.plot.top(), tile.right - tile.left, g.plot.height()),
                 Theme::faded(t.well, 0.45));
    }
    const QPen grid = hairline(Theme::mix(t.ground, t.line, 0.55));
    p.setPen(grid);
    for (const TimelineTick& tick : g.ticks)
      p.drawLine(QPointF(tick.x, g.plot.top()), QPointF(tick.x, g.plot.bottom()));
    for (const TimelineRow& row : g.rows) {
      p.setPen(hairline(Theme::mix(t.ground, t.line, 0.8)));
      p.drawLine(row.rect.bottomLeft(), row.rect.bottomRight());
    }
  }

  // Predicted values have a dotted frame, as in the charts.
  void drawAxis() {
    QPen frame = hairline(t.faint, 1.0);
    if (!d.measured) frame.setDashPattern({1.5, 2.5});
    p.setPen(frame);
    p.setBrush(Qt::NoBrush);
    p.drawRect(g.plot);
    const double line = d.namesCycles() ? g.axis.height() / 2 : g.axis.height();
    if (d.namesCycles()) drawCycles(line);
    drawTiles(QRectF(g.axis.left(), g.axis.bottom() - line, g.axis.width(), line));
    drawMeeting();
  }

  void drawCycles(double line) {
    const QFontMetricsF small(f.small);
    const QRectF upper(g.axis.left(), g.axis.top(), g.axis.width(), line);
    text(QRectF(g.names.left(), upper.top(), g.names.width() - 6, line),
         Qt::AlignRight | Qt::AlignVCenter, f.small, t.faint, Words::tr("cycles"));
    double until = upper.left() - 4;
    for (const TimelineTick& tick : g.ticks) {
      const QString words = figures::grouped(tick.cycle);
      const double width = small.horizontalAdvance(words) + 4;
      const double left =
          std::clamp(tick.x - width / 2, upper.left() - 2, upper.right() - width + 4);
      if (left < until) continue;
      text(QRectF(left, upper.top(), width, line), Qt::AlignCenter, f.small, t.faint, words);
      until = left + width + 6;
    }
  }

  void drawTiles(const QRectF& line) {
    const QFontMetricsF small(f.small);
    for (const TimelineTile& tile : g.tiles) {
      const QRectF band(tile.left, line.top(), tile.right - tile.left, line.height());
      p.setPen(hairline(t.line));
      p.drawLine(band.topLeft(), QPointF(band.left(), g.plot.bottom()));
      for (const QString& words : {tileName(d, tile.number), shortTileName(d, tile.number)}) {
        if (small.horizontalAdvance(words) + 2 * kWordMargin > band.width()) continue;
        text(band.adjusted(kWordMargin, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft,
             words);
        break;
      }
    }
  }

  // Where the tensor cores are idle between two tiles of C, and for how long.
  void drawIdle() {
    if (g.idle.isEmpty()) return;
    p.fillRect(g.idle, Theme::faded(t.accent, 0.12));
    p.setPen(hairline(t.accent, 1.2));
    p.drawLine(g.idle.topLeft(), g.idle.bottomLeft());
    p.drawLine(g.idle.topRight(), g.idle.bottomRight());
    const auto row = std::ranges::find_if(g.rows, [](const TimelineRow& r) {
      return r.kind == TimelineRow::Kind::Busy || r.kind == TimelineRow::Kind::TensorCore;
    });
    if (row == g.rows.end()) return;
    const QFontMetricsF small(f.small);
    const QString words = idleWords(d);
    const double width = small.horizontalAdvance(words) + 2 * kWordMargin;
    const double height = std::min(row->rect.height(), small.height() + 1);
    if (height < small.ascent() || width > g.plot.width()) return;
    const double left =
        std::clamp(g.idle.center().x() - width / 2, g.plot.left(), g.plot.right() - width);
    const QRectF plate(left, row->rect.center().y() - height / 2, width, height);
    p.setBrush(t.ground);
    p.setPen(hairline(t.accent, 1.0));
    p.drawRect(plate);
    p.setBrush(Qt::NoBrush);
    text(plate, Qt::AlignCenter, f.small, t.text, words);
  }

  // Where the predicted and the measured timeline are aligned.
  void drawMeeting() {
    if (d.beside == nullptr || d.brief) return;
    const double at = d.beside->aligned.tileStarts[d.beside->tile];
    if (at < g.from || at > g.to) return;
    const double x = g.xOf(at);
    p.setPen(hairline(Theme::faded(t.text, 0.8), 1.4));
    p.drawLine(QPointF(x, g.plot.top()), QPointF(x, g.plot.bottom()));
    p.setBrush(t.text);
    p.setPen(Qt::NoPen);
    const double y = d.measured ? g.plot.top() : g.plot.bottom(), tip = d.measured ? 5 : -5;
    p.drawPolygon(QPolygonF({QPointF(x, y + tip), QPointF(x - 4, y), QPointF(x + 4, y)}));
    p.setBrush(Qt::NoBrush);
  }

  // The visible prologue, K tiles and epilogue.
  struct Section {
    double left = 0, right = 0;
    QStringList names;  // the longest first
  };
  std::vector<Section> sections() const {
    std::vector<Section> found;
    const auto add = [&](double begin, double end, const QStringList& names) {
      if (end > g.from && begin < g.to) found.push_back({g.xOf(begin), g.xOf(end), names});
    };
    const timeline::Timeline& all = *d.timeline;
    const auto& starts = all.tileStarts;
    if (starts.empty()) return found;
    add(0, starts.front(), {Words::tr("prologue")});
    for (std::uint32_t i = 0; i < starts.size(); ++i) {
      add(starts[i], i + 1 < starts.size() ? starts[i + 1] : all.loopEnd,
          {Words::tr("%1 is multiplied").arg(tileName(d, i)), tileName(d, i),
           QString::number(i + 1)});
    }
    add(all.loopEnd, all.cycles, {Words::tr("epilogue")});
    return found;
  }

  // The first warp of each role and the watched warp keep their names where rows are too low for
  // all names.
  bool isNamedFirst(const TimelineRow& row) const {
    if (row.kind != TimelineRow::Kind::Warp) return true;
    const Lane& lane = d.timeline->lanes[row.lane];
    if (lane.number == d.warp) return true;
    return std::ranges::none_of(g.rows, [&](const TimelineRow& other) {
      if (other.kind != TimelineRow::Kind::Warp) return false;
      const Lane& its = d.timeline->lanes[other.lane];
      return its.role == lane.role && its.number < lane.number;
    });
  }

  void drawNames() {
    std::vector<QRectF> taken;
    for (const bool first : {true, false}) {
      for (const TimelineRow& row : g.rows) {
        if (isNamedFirst(row) == first) drawName(row, taken);
      }
    }
  }

  void drawName(const TimelineRow& row, std::vector<QRectF>& taken) {
    const QFontMetricsF small(f.small);
    QRectF rect = row.rect;
    if (row.kind == TimelineRow::Kind::Flight) {
      // All lanes of data in flight share one name.
      if (d.timeline->lanes[row.lane].number > 0) return;
      for (const TimelineRow& other : g.rows) {
        if (other.kind == TimelineRow::Kind::Flight) rect |= other.rect;
      }
    }
    const double line = std::min(small.height(), std::max(rect.height(), small.ascent()));
    // The legend begins below the lowest row.
    const double top = std::min(rect.center().y() - line / 2, g.plot.bottom() - line + 1);
    const QRectF place(g.names.left(), top, g.names.width() - 8, line);
    // Rows are too low for all of their names.
    const auto covers = [&](const QRectF& other) {
      constexpr double kSlack = 0.1;
      return place.top() < other.bottom() - kSlack && other.top() < place.bottom() - kSlack;
    };
    if (std::ranges::any_of(taken, covers)) return;
    taken.push_back(place);
    QColor ink = t.soft;
    QFont font = f.small;
    if (row.kind == TimelineRow::Kind::Warp) {
      const std::uint32_t warp = d.timeline->lanes[row.lane].number;
      const bool watched = warp == d.warp;
      if (watched) {
        ink = t.text;
        font.setBold(true);
      }
      p.fillRect(QRectF(g.names.right() - 5, row.rect.top() + 1, 3, row.rect.height() - 2),
                 t.warp(warp));
    }
    // The place may be lower than the line by its descent.
    text(place, Qt::AlignRight | Qt::AlignVCenter | Qt::TextDontClip, font, ink,
         fitted(laneName(d, row), small, place.width()));
  }

  // The arrows that end the stalls of the watched warp and of the hovered one.
  void drawArrows() {
    std::vector<TimelineArrow> arrows;
    if (const auto lane = d.timeline->laneOfWarp(d.warp)) {
      arrows = g.arrows(d, *lane, g.from, g.to);
      if (arrows.size() > kMostArrows) arrows.clear();
    }
    for (const TimelineArrow& arrow : arrows) drawArrow(arrow, Theme::faded(t.text, 0.55), 1.0);
    if (!m_hovered) return;
    const Span& span = d.timeline->lanes[m_hovered->lane].spans[m_hovered->span];
    p.setPen(hairline(t.accent, 1.5));
    p.setBrush(Qt::NoBrush);
    p.drawRect(g.rectOf(d, *m_hovered));
    for (const TimelineArrow& arrow : g.arrows(d, m_hovered->lane, span.begin, span.end))
      drawArrow(arrow, t.text, 1.6);
  }

  void drawArrow(const TimelineArrow& arrow, const QColor& ink, double width) {
    p.setPen(hairline(ink, width));
    QPainterPath path(arrow.from);
    const double bend = std::max(8.0, std::abs(arrow.to.y() - arrow.from.y()) * 0.25);
    path.cubicTo(arrow.from + QPointF(bend, 0), arrow.to - QPointF(bend, 0), arrow.to);
    p.setBrush(Qt::NoBrush);
    p.drawPath(path);
    p.setBrush(ink);
    p.drawPolygon(QPolygonF({arrow.to, arrow.to + QPointF(-5, -2.6), arrow.to + QPointF(-5, 2.6)}));
    if (arrow.known) p.drawEllipse(arrow.from, 1.8, 1.8);
    p.setBrush(Qt::NoBrush);
  }

  void drawNow() {
    if (!d.now || *d.now < g.from || *d.now > g.to) return;
    const double x = g.xOf(*d.now);
    p.setPen(hairline(t.accent, 1.6));
    p.drawLine(QPointF(x, g.plot.top()), QPointF(x, g.plot.bottom()));
    if (const auto lane = d.timeline->laneOfWarp(d.warp)) {
      if (const TimelineRow* row = g.rowOf(*lane)) {
        p.setBrush(t.accent);
        p.drawEllipse(QPointF(x, row->rect.center().y()), 3.2, 3.2);
        p.setBrush(Qt::NoBrush);
      }
    }
  }

  void drawLegend() {
    const QFontMetricsF small(f.small);
    if (d.brief || !d.legend) return;
    double x = g.legend.left();
    const double sample = 14, height = small.ascent();
    const auto entry = [&](const QString& words, auto draw) {
      const double width = sample + 5 + small.horizontalAdvance(words);
      if (x + width > g.legend.right()) return;
      const QRectF swatch(x, g.legend.center().y() - height / 2, sample, height);
      draw(swatch);
      text(QRectF(x + sample + 5, g.legend.top(), width, g.legend.height()),
           Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft, words);
      x += width + 16;
    };
    const auto filled = [&](Doing doing, const QColor& left, const QColor& right) {
      return [&, doing, left, right](const QRectF& swatch) {
        QRectF half = SpanPainter::part(swatch, doing);
        half.setWidth(half.width() / 2);
        p.fillRect(half, left);
        p.fillRect(half.translated(half.width(), 0), right);
      };
    };
    if (d.measured && d.beside != nullptr)
      entry(Words::tr("here both are aligned"), [&](const QRectF& swatch) {
        p.setPen(hairline(Theme::faded(t.text, 0.8), 1.4));
        p.drawLine(QPointF(swatch.center().x(), swatch.top()),
                   QPointF(swatch.center().x(), swatch.bottom()));
      });
    const QColor a = t.matrix(analysis::Matrix::A), b = t.matrix(analysis::Matrix::B);
    entry(doingWord(Doing::Multiply, true), filled(Doing::Multiply, t.warp(0), t.warp(1)));
    entry(doingWord(Doing::Fragments, true), filled(Doing::Fragments, a, b));
    entry(doingWord(Doing::Ask, true), filled(Doing::Ask, a, b));
    entry(doingWord(Doing::Fill, true), filled(Doing::Fill, a, b));
    const QColor c = t.matrix(analysis::Matrix::C);
    if (d.seam) entry(doingWord(Doing::Store, true), filled(Doing::Store, c, c));
    entry(doingWord(Doing::Wait, true), [&](const QRectF& swatch) {
      const QColor ink = Theme::mix(t.ground, t.soft, 0.62);
      figures::drawHatch(p, swatch, ink);
      p.setPen(hairline(ink));
      p.drawRect(swatch);
    });
    if (d.measured)
      entry(Words::tr("timestamped: works, or waits without a timestamp"),
            filled(Doing::Order, SpanPainter::untold(t, 0), SpanPainter::untold(t, 1)));
    entry(Words::tr("ready, but its scheduler issues for another warp"), [&](const QRectF& swatch) {
      p.setPen(hairline(t.line));
      p.drawRect(swatch.adjusted(0, 0, -0.5, -0.5));
    });
  }

  QPainter& p;
  const TimelineData& d;
  const TimelineGeometry& g;
  std::optional<TimelineGeometry::Spot> m_hovered;
  const Theme& t;
  const Fonts& f;
  SpanPainter m_spans;
};

}  // namespace

TimelineInput timelineInput(const TimelineData& data, const QRectF& canvas, const CycleSpan& span,
                            const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  TimelineInput input;
  input.canvas = canvas;
  input.line = std::ceil(small.height());
  QFont figure = fonts.title;
  figure.setItalic(true);
  const double title = std::ceil(QFontMetricsF(figure).height());
  const auto header = [&](bool table) {
    return title + (remarkOf(data, table).isEmpty() ? 0 : input.line);
  };
  // A table of shares only if the lanes stay high enough to be read.
  const double shares = data.measured ? std::ceil(shareLines(data) * input.line) : 0;
  const bool table =
      data.measured && data.beside->comparison && !data.beside->comparison->waits.empty() &&
      canvas.height() >=
          1.5 * TimelineGeometry::leastHeight(data, input.line, header(true)) + shares;
  if (table) input.shares = shares;
  input.header = header(table);
  for (const QString& name :
       {Words::tr("in flight"), Words::tr("tensor cores"), Words::tr("FMA pipes"),
        Words::tr("other warps"), Words::tr("C stores"), Words::tr("warp %1").arg(88)})
    input.names = std::max(input.names, small.horizontalAdvance(name) + 14);
  QFont watched = fonts.small;
  watched.setBold(true);
  const QFontMetricsF bold(watched);
  if (data.ready()) {
    for (const timeline::Lane& lane : data.timeline->lanes) {
      if (lane.kind == timeline::LaneKind::Warp && !lane.role.empty())
        input.names = std::max(input.names, bold.horizontalAdvance(warpName(lane)) + 14);
    }
  }
  input.from = span.from;
  input.to = span.to;
  return input;
}

QColor dimmed(const Theme& theme) {
  QColor veil = theme.ground;
  veil.setAlphaF(0.7F);
  return veil;
}

void paintTimeline(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
                   std::optional<TimelineGeometry::Spot> hovered, const Theme& theme,
                   const Fonts& fonts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painter(painter, data, geometry, hovered, theme, fonts).paint();
  painter.restore();
}

void paintCondensedTimeline(QPainter& painter, const TimelineData& data,
                            const TimelineGeometry& geometry, const Theme& theme,
                            const Fonts& fonts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  Painter(painter, data, geometry, std::nullopt, theme, fonts).paintCondensed();
  painter.restore();
}

void paintCondensedWords(QPainter& painter, const TimelineData& data,
                         const TimelineGeometry& geometry, double axisEnd,
                         std::optional<double> instant, const Theme& theme, const Fonts& fonts) {
  painter.save();
  Painter(painter, data, geometry, std::nullopt, theme, fonts)
      .paintCondensedWords(axisEnd, instant);
  painter.restore();
}

void paintRowNames(QPainter& painter, const TimelineData& data, const TimelineGeometry& geometry,
                   const Theme& theme, const Fonts& fonts) {
  Painter(painter, data, geometry, std::nullopt, theme, fonts).paintNames();
}

}  // namespace tileloom
