// SPDX-License-Identifier: GPL-3.0-or-later
// Places the curves and points of the size chart in a picture of a given size. Private to
// viz/charts.
#pragma once

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/sizes/size_data.h"

namespace tileloom::charts {

struct SizeTick {
  double at = 0;  // pixels
  QString text;
};

// The speed of a measured size, beside its mark.
struct SizeLabel {
  QRectF rect;
  QString text;  // "38,138"
};

struct SizeGeometry {
  QRectF legend;            // one or more lines above the plot
  QRectF sharesLegend;      // between the plots; empty: it is in the line above them
  QRectF speed;             // GFLOP/s over size
  QRectF shares;            // below it, with the same axis: 0 to 100 % of tiles and waves used
  double from = 0, to = 1;  // sizes at the left and right edge
  double top = 1;           // GFLOP/s at the upper edge; the lower one is 0

  std::vector<SizeTick> xTicks, yTicks, shareTicks;
  // One per piece without a gap; the band is closed.
  QPolygonF predicted, band, tiles, waves, cublas;
  bool cublasBeyond = false;  // too fast to be drawn
  QPolygonF baseline;         // predicted
  std::vector<QPointF> runs;  // in the order of the data
  std::vector<QPointF> baselineRuns;
  std::vector<SizeLabel> labels;  // of the runs that have room for one
  std::optional<double> present;  // pixels across

  double xOf(double size) const;
  double yOf(double gflops) const;
  double shareY(double share) const;
  double sizeAt(double x) const;
};

SizeGeometry sizeGeometry(const SizeData& data, const QSizeF& size, const Fonts& fonts);

// The spot at this place: the nearest run within a few pixels, else the horizontally nearest
// predicted size; std::nullopt: outside of the plots, or nothing is known.
struct SizeSpot {
  int size = 0;
  bool isRun = false;
  bool operator==(const SizeSpot&) const = default;
};
std::optional<SizeSpot> spotAt(const SizeData& data, const SizeGeometry& geometry,
                               const QPointF& at);

}  // namespace tileloom::charts
