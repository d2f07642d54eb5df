// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/charts/sizes/size_geometry.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <limits>

#include "viz/base/text/figure_text.h"
#include "viz/charts/chart_style.h"
#include "viz/charts/label_places.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom::charts {
namespace {

constexpr double kToldFrom = 11;     // more text is shown from this height on, in lines
constexpr double kMark = 5;          // half the size of a mark, with air
constexpr double kNear = 9;          // hit radius of a run, in pixels
constexpr double kSnap = 3;          // sizes within this many pixels are hard to distinguish
constexpr double kSharePart = 0.24;  // of the height, for the curves below
constexpr double kMostBeside = 2.5;  // cuBLAS may be this many times as fast as the tile
constexpr double kAir = 1.06;        // above the fastest

void setTicks(SizeGeometry& g, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double wide = 2.2 * small.horizontalAdvance(figures::grouped(g.to));
  // Sizes are powers of two, and so are their ticks.
  double step = 64;
  while (g.xOf(g.from + step) - g.xOf(g.from) < wide) step *= 2;
  for (double at = std::ceil(g.from / step) * step; at <= g.to + 0.5; at += step)
    g.xTicks.push_back({g.xOf(at), figures::grouped(at)});
  const int rows = std::max(1, static_cast<int>(g.speed.height() / (1.8 * small.height())));
  const double rise = niceStep(g.top / rows);
  for (double at = 0; at <= g.top; at += rise)
    g.yTicks.push_back({g.yOf(at), figures::grouped(at)});
  if (g.shares.height() < 1) return;
  const bool half = g.shares.height() > 2.6 * small.height();
  for (const int percent : {0, 50, 100}) {
    if (percent == 50 && !half) continue;
    g.shareTicks.push_back({g.shareY(percent / 100.0), QStringLiteral("%1 %").arg(percent)});
  }
}

// Places each run's speed where no curve, mark or other label is.
void labelRuns(SizeGeometry& g, const SizeData& data, const Fonts& fonts) {
  LabelPlaces places{g.speed.adjusted(2, 2, -2, -2), {}};
  for (const QPolygonF* curve : {&g.predicted, &g.cublas}) {
    for (qsizetype i = 1; i < curve->size(); ++i)
      takeLine(places, QLineF(curve->at(i - 1), curve->at(i)), 2);
  }
  if (g.present)
    takeLine(places, QLineF(*g.present, g.speed.top(), *g.present, g.speed.bottom()), 2);
  for (const QPointF& at : g.runs)
    places.taken.push_back(QRectF(at - QPointF(kMark, kMark), QSizeF(2 * kMark, 2 * kMark)));
  const QFontMetricsF small(fonts.small);
  for (std::size_t i = 0; i < g.runs.size(); ++i) {
    for (const QString& text : runLabels(data, data.runs[i])) {
      const QSizeF size(small.horizontalAdvance(text) + 2, small.height());
      LabelPlaces tried = places;
      const auto rect = tried.place(g.runs[i], size, kMark);
      // A number far from its mark would seem to belong to another.
      if (!rect || QLineF(leaderEnd(*rect, g.runs[i]), g.runs[i]).length() > 3 * kMark) continue;
      places = std::move(tried);
      g.labels.push_back({*rect, text});
      break;
    }
  }
}

}  // namespace

double SizeGeometry::xOf(double size) const {
  return speed.left() + (size - from) / (to - from) * speed.width();
}
double SizeGeometry::yOf(double gflops) const {
  return speed.bottom() - gflops / top * speed.height();
}
double SizeGeometry::shareY(double share) const {
  return shares.bottom() - share * shares.height();
}
double SizeGeometry::sizeAt(double x) const {
  return from + (x - speed.left()) / speed.width() * (to - from);
}

SizeGeometry sizeGeometry(const SizeData& data, const QSizeF& size, const Fonts& fonts) {
  const QFontMetricsF small(fonts.small);
  const double line = std::ceil(small.height());
  SizeGeometry g;
  g.from = data.from;
  g.to = std::max(data.from + 1, data.to);
  double top = 0;
  for (const auto& p : data.points) top = std::max(top, p.gflops);
  for (const auto& run : data.runs) top = std::max(top, run.gflops.high);
  if (data.baseline) {
    for (const auto& p : data.baseline->points) top = std::max(top, p.gflops);
    for (const auto& run : data.baseline->runs) top = std::max(top, run.gflops.high);
  }
  // For a slow rung cuBLAS is left beyond the axis; otherwise the rung would be a line at the foot.
  double library = 0;
  for (const auto& each : data.cublas) library = std::max(library, each.gflops);
  g.cublasBeyond = top > 0 && library > kMostBeside * top;
  if (!g.cublasBeyond) top = std::max(top, library);
  g.top = top > 0 ? kAir * top : 1;
  // Wide enough for most rungs; tensor cores may be ten times as fast.
  QString fastest = QStringLiteral("60,000");
  if (const QString most = figures::grouped(g.top); most.size() > fastest.size()) fastest = most;
  const double left = small.horizontalAdvance(fastest) + 14;
  const double right = small.horizontalAdvance(QStringLiteral("8,192")) / 2 + 8;
  g.legend = QRectF(8, 2, std::max(40.0, size.width() - 16), line + 4);
  const double width = std::max(60.0, size.width() - left - right);
  const double rest = std::max(60.0, size.height() - g.legend.bottom() - 2 * line - 10);
  // The shares are part of the prediction; measured speeds alone use all the room.
  const bool measuredAlone = data.points.empty() && !data.waiting && !data.runs.empty();
  const double below = measuredAlone ? 0 : std::max(20.0, std::min(kSharePart * rest, 7 * line));
  const bool told = rest >= kToldFrom * line;
  const double gap = measuredAlone ? 0 : (told ? 2 : 0.9) * line;
  g.speed = QRectF(left, g.legend.bottom() + line / 2, width, rest - below - gap - line / 2);
  g.shares = QRectF(left, g.speed.bottom() + gap, width, below);
  if (told && !measuredAlone)
    g.sharesLegend = QRectF(left, g.speed.bottom() + 0.6 * line, width, 1.2 * line);

  QPolygonF lower;
  for (const auto& p : data.points) {
    const double x = g.xOf(p.size);
    g.predicted << QPointF(x, g.yOf(p.gflops));
    g.band << QPointF(x, g.yOf(std::min(p.gflopsHigh, g.top)));
    lower << QPointF(x, g.yOf(p.gflopsLow));
    g.tiles << QPointF(x, g.shareY(p.tileShare));
    g.waves << QPointF(x, g.shareY(p.waveShare));
  }
  std::ranges::reverse(lower);
  g.band << lower;
  for (const auto& run : data.runs) g.runs.push_back({g.xOf(run.size), g.yOf(run.gflops.median)});
  if (data.baseline) {
    for (const auto& p : data.baseline->points)
      g.baseline << QPointF(g.xOf(p.size), g.yOf(p.gflops));
    for (const auto& run : data.baseline->runs)
      g.baselineRuns.push_back({g.xOf(run.size), g.yOf(run.gflops.median)});
  }
  for (const auto& each : data.cublas) {
    if (!g.cublasBeyond) g.cublas << QPointF(g.xOf(each.size), g.yOf(each.gflops));
  }
  if (const auto at = data.presentSize(); at && *at >= data.from && *at <= data.to)
    g.present = g.xOf(*at);
  setTicks(g, fonts);
  if (told) labelRuns(g, data, fonts);
  return g;
}

std::optional<SizeSpot> spotAt(const SizeData& data, const SizeGeometry& g, const QPointF& at) {
  double least = kNear;
  std::optional<SizeSpot> found;
  for (std::size_t i = 0; i < g.runs.size(); ++i) {
    const double away = std::hypot(g.runs[i].x() - at.x(), g.runs[i].y() - at.y());
    if (away >= least) continue;
    least = away;
    found = SizeSpot{data.runs[i].size, true};
  }
  if (found) return found;
  const QRectF all = g.speed.united(g.shares).adjusted(-4, -4, 4, 4);
  if (!all.contains(at) || data.points.empty()) return std::nullopt;
  // Of sizes within one pixel it takes the one that wastes least: a multiple of the tile, not its
  // neighbour.
  const model::SizePoint* meant = nullptr;
  double away = std::numeric_limits<double>::max();
  for (const auto& p : data.points) {
    const double far = std::abs(g.xOf(p.size) - at.x());
    const bool close = far <= kSnap, closer = far < away;
    const bool better =
        meant == nullptr || (close && away <= kSnap ? p.tileShare > meant->tileShare : closer);
    if (!better) continue;
    meant = &p;
    away = far;
  }
  return SizeSpot{meant->size, false};
}

}  // namespace tileloom::charts
