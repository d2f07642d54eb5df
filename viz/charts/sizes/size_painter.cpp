// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/sizes/size_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <functional>
#include <vector>

#include "viz/base/paint/marks.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/wrapped_text.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom::charts {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::SizeChart)
};

constexpr double kRadius = 4;
constexpr double kBandShare = 0.13;  // of ink in the band of a prediction
constexpr double kSample = 22;       // width of a line's sample in the legend

class Painter {
 public:
  Painter(QPainter& painter, const SizeData& data, const SizeGeometry& geometry,
          std::optional<int> focus, const Theme& theme, const Fonts& fonts)
      : p(painter), d(data), g(geometry), m_focus(focus), t(theme), f(fonts) {}

  void paint() {
    drawAxes();
    drawPresent();
    drawCurves();
    drawBaseline();
    drawRuns();
    drawFocus();
    drawLegend(g.legend, Words::tr("GFLOP/s"), entries());
    if (!g.sharesLegend.isEmpty() && !d.points.empty())
      drawLegend(g.sharesLegend, Words::tr("share used"), shareEntries());
    if (!d.points.empty() || !d.runs.empty()) return;
    const QString words = emptySizeSentence(d);
    // No line crosses it.
    p.fillRect(QFontMetricsF(f.body)
                   .boundingRect(g.speed, Qt::AlignCenter | Qt::TextWordWrap, words)
                   .adjusted(-4, -2, 4, 2),
               t.panel);
    p.setFont(f.body);
    p.setPen(t.soft);
    drawWrapped(p, g.speed, Qt::AlignCenter, words);
  }

 private:
  QPen predictedPen() const {
    QPen pen = hairline(t.text, 1.5);
    pen.setDashPattern({1.5, 2.0});
    return pen;
  }
  QPen tilesPen() const { return hairline(t.text, 1.3); }
  QPen wavesPen() const {
    QPen pen = hairline(t.text, 1.3);
    pen.setDashPattern({5.0, 3.0});
    return pen;
  }
  // Differs from the present tile in the shape of line and mark, not in hue alone.
  QPen baselinePen() const {
    QPen pen = hairline(t.accent, 1.5);
    pen.setDashPattern({7.0, 2.0, 1.5, 2.0});
    return pen;
  }
  QPen cublasPen() const { return hairline(t.soft, 1.0); }

  void text(const QRectF& rect, int flags, const QFont& font, const QColor& ink,
            const QString& words) {
    p.setFont(font);
    p.setPen(ink);
    p.drawText(rect, flags, words);
  }

  void drawAxes() {
    const QFontMetricsF small(f.small);
    const double line = small.height();
    const QPen grid = hairline(Theme::mix(t.panel, t.line, 0.6));
    const auto across = [&](const SizeTick& tick, const QRectF& plot) {
      p.setPen(grid);
      p.drawLine(QPointF(plot.left(), tick.at), QPointF(plot.right(), tick.at));
      text({0, tick.at - line / 2, plot.left() - 6, line}, Qt::AlignRight | Qt::AlignVCenter,
           f.small, t.soft, tick.text);
    };
    for (const SizeTick& tick : g.yTicks) across(tick, g.speed);
    for (const SizeTick& tick : g.shareTicks) across(tick, g.shares);
    for (const SizeTick& tick : g.xTicks) {
      p.setPen(grid);
      p.drawLine(QPointF(tick.at, g.speed.top()), QPointF(tick.at, g.speed.bottom()));
      p.drawLine(QPointF(tick.at, g.shares.top()), QPointF(tick.at, g.shares.bottom()));
      const double half = small.horizontalAdvance(tick.text);
      text({tick.at - half, g.shares.bottom() + 3, 2 * half, line}, Qt::AlignCenter, f.small,
           t.soft, tick.text);
    }
    text({g.shares.left(), g.shares.bottom() + 3 + line, g.shares.width(), line}, Qt::AlignCenter,
         f.small, t.text, Words::tr("size of the problem, M = N = K"));
    p.setPen(hairline(t.line));
    for (const QRectF& plot : {g.speed, g.shares}) {
      p.drawLine(plot.topLeft(), plot.bottomLeft());
      p.drawLine(plot.bottomLeft(), plot.bottomRight());
    }
  }

  // Through both plots, but not through the text between them.
  void drawUpright(double x) {
    for (const QRectF& plot : {g.speed, g.shares})
      p.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  }

  // Under the curves.
  void drawPresent() {
    if (!g.present) return;
    const double x = *g.present;
    p.setPen(hairline(t.accent, 1.2));
    drawUpright(x);
    const QFontMetricsF small(f.small);
    const QString words = Words::tr("now %1").arg(figures::grouped(*d.presentSize()));
    const double wide = small.horizontalAdvance(words) + 6;
    // At the foot, far from the speed curves.
    const bool left = x + wide + 4 > g.speed.right();
    const QRectF rect(left ? x - wide - 2 : x + 2, g.speed.bottom() - small.height() - 2, wide,
                      small.height());
    p.fillRect(rect, t.panel);
    text(rect, Qt::AlignCenter, f.small, t.text, words);
  }

  void drawCurves() {
    p.setBrush(Theme::mix(t.panel, t.text, kBandShare));
    p.setPen(Qt::NoPen);
    p.save();
    p.setClipRect(g.speed.adjusted(0, -1, 1, 0));
    p.drawPolygon(g.band);
    p.setBrush(Qt::NoBrush);
    p.setPen(predictedPen());
    p.drawPolyline(g.predicted);
    p.restore();
    p.setPen(cublasPen());
    p.drawPolyline(g.cublas);
    for (const QPointF& at : g.cublas) drawDiamond(at);
    p.setPen(tilesPen());
    p.drawPolyline(g.tiles);
    p.setPen(wavesPen());
    p.drawPolyline(g.waves);
  }

  void drawBaseline() {
    p.save();
    p.setClipRect(g.speed.adjusted(0, -1, 1, 0));
    p.setPen(baselinePen());
    p.drawPolyline(g.baseline);
    p.restore();
    for (const QPointF& at : g.baselineRuns) drawSquare(at);
  }

  void drawSquare(const QPointF& at) {
    p.setPen(hairline(t.accent, 1.4));
    p.setBrush(t.panel);
    p.drawRect(QRectF(at.x() - 3, at.y() - 3, 6, 6));
    p.setBrush(Qt::NoBrush);
  }

  void drawDiamond(const QPointF& at) {
    p.setPen(hairline(t.text, 1.2));
    p.setBrush(t.panel);
    const double r = 3.6;
    p.drawPolygon(QPolygonF{
        {at.x(), at.y() - r}, {at.x() + r, at.y()}, {at.x(), at.y() + r}, {at.x() - r, at.y()}});
    p.setBrush(Qt::NoBrush);
  }

  void drawRuns() {
    for (std::size_t i = 0; i < d.runs.size(); ++i) {
      const SizeRun& run = d.runs[i];
      p.setPen(hairline(figures::inkOf(run.freshness, t)));
      p.drawLine(QPointF(g.runs[i].x(), g.yOf(run.gflops.low)),
                 QPointF(g.runs[i].x(), g.yOf(run.gflops.high)));
      figures::drawMark(p, g.runs[i], run.freshness, t, kRadius);
    }
    for (const SizeLabel& label : g.labels)
      text(label.rect, Qt::AlignCenter, f.small, t.text, label.text);
  }

  void drawFocus() {
    if (!m_focus) return;
    const double x = g.xOf(*m_focus);
    p.setPen(hairline(t.soft, 1.0, Qt::DashLine));
    drawUpright(x);
    const auto found = std::ranges::find(d.points, *m_focus, &model::SizePoint::size);
    if (found == d.points.end()) return;
    p.setPen(hairline(t.accent, 1.4));
    p.setBrush(t.panel);
    for (const double y :
         {g.yOf(found->gflops), g.shareY(found->tileShare), g.shareY(found->waveShare)})
      p.drawEllipse(QPointF(x, y), 3, 3);
    p.setBrush(Qt::NoBrush);
  }

  // A sample and its meaning; `brief` if there is little room.
  struct Entry {
    QString words, brief;
    std::function<void(double)> sample;  // at x
  };

  std::function<void(double)> lined(const QPen& pen, double y) {
    return [this, y, pen](double at) {
      p.setPen(pen);
      p.drawLine(QPointF(at, y), QPointF(at + kSample, y));
    };
  }

  std::vector<Entry> shareEntries() {
    const double y = g.sharesLegend.center().y();
    return {{Words::tr("of whole tiles"), Words::tr("of tiles"), lined(tilesPen(), y)},
            {Words::tr("of whole waves of blocks"), Words::tr("of waves"), lined(wavesPen(), y)}};
  }

  std::vector<Entry> entries() {
    const double y = g.legend.center().y();
    std::vector<Entry> all;
    if (!d.points.empty()) {
      all.push_back({Words::tr("predicted for %1, 80 % lie in the band").arg(d.foretoldOf),
                     Words::tr("predicted"), [this, y](double at) {
                       p.fillRect(QRectF(at, y - 5, kSample, 10),
                                  Theme::mix(t.panel, t.text, kBandShare));
                       lined(predictedPen(), y)(at);
                     }});
    }
    for (const Freshness freshness : {Freshness::Live, Freshness::Recorded, Freshness::Stale}) {
      if (std::ranges::find(d.runs, freshness, &SizeRun::freshness) == d.runs.end()) continue;
      const QString words = figures::freshnessWord(freshness);
      all.push_back({words, words, [this, y, freshness](double at) {
                       figures::drawMark(p, QPointF(at + kSample / 2, y), freshness, t, kRadius);
                     }});
    }
    if (d.baseline && (!g.baseline.isEmpty() || !g.baselineRuns.empty())) {
      all.push_back({Words::tr("baseline: %1").arg(d.baseline->name), Words::tr("baseline"),
                     [this, y](double at) {
                       if (!g.baseline.isEmpty()) lined(baselinePen(), y)(at);
                       if (!g.baselineRuns.empty()) drawSquare(QPointF(at + kSample / 2, y));
                     }});
    }
    if (g.cublasBeyond) {
      const auto most = std::ranges::max(d.cublas, {}, &SizeCublas::gflops);
      const QString speed = figures::speedText(most.gflops);
      all.push_back({Words::tr("cuBLAS, up to %1, is beyond the axis").arg(speed),
                     Words::tr("cuBLAS beyond"),
                     {}});
    } else if (!d.cublas.empty()) {
      const QString measured =
          d.format == Format::Fp32
              ? Words::tr("cuBLAS, measured")
              : Words::tr("%1, median of all runs").arg(figures::libraryName(d.format));
      all.push_back({measured, Words::tr("cuBLAS"), [this, y](double at) {
                       lined(cublasPen(), y)(at);
                       drawDiamond(QPointF(at + kSample / 2, y));
                     }});
    }
    if (!d.points.empty() && g.sharesLegend.isEmpty()) {
      all.push_back({Words::tr("whole tiles used"), Words::tr("tiles used"), lined(tilesPen(), y)});
      all.push_back({Words::tr("whole waves used"), Words::tr("waves used"), lined(wavesPen(), y)});
    }
    return all;
  }

  // One line.
  void drawLegend(const QRectF& line, const QString& unit, const std::vector<Entry>& all) {
    const QFontMetricsF small(f.small);
    double x = line.left() + small.horizontalAdvance(unit) + 18;
    const auto widthOf = [&](const Entry& entry, const QString& words) {
      return (entry.sample ? kSample + 6 : 0) + small.horizontalAdvance(words) + 16;
    };
    double needs = x;
    for (const Entry& entry : all) needs += widthOf(entry, entry.words);
    const bool brief = needs > line.right() + 16;
    text(line, Qt::AlignLeft | Qt::AlignVCenter, f.small, t.text, unit);
    for (const Entry& entry : all) {
      const QString& words = brief ? entry.brief : entry.words;
      const double next = x + widthOf(entry, words);
      if (entry.sample) {
        entry.sample(x);
        x += kSample + 6;
      }
      text({x, line.top(), small.horizontalAdvance(words) + 1, line.height()},
           Qt::AlignLeft | Qt::AlignVCenter, f.small, t.soft, words);
      x = next;
    }
  }

  QPainter& p;
  const SizeData& d;
  const SizeGeometry& g;
  std::optional<int> m_focus;
  const Theme& t;
  const Fonts& f;
};

}  // namespace

void paintSizes(QPainter& painter, const SizeData& data, const SizeGeometry& geometry,
                std::optional<int> focus, const Theme& theme, const Fonts& fonts) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setBrush(Qt::NoBrush);
  Painter(painter, data, geometry, focus, theme, fonts).paint();
  painter.restore();
}

}  // namespace tileloom::charts
