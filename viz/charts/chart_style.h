// SPDX-License-Identifier: GPL-3.0-or-later
// What all charts draw in the same way: numbers, axes, and the three looks of a value's standing.
#pragma once

#include <QPen>
#include <QPointF>
#include <QString>

#include "viz/base/theme.h"
#include "viz/charts/chart_data.h"

class QCPAxis;
class QPainter;

namespace tileloom::charts {

// "36,339": the same digits on every machine, so that a slide and a log can be compared.
QString grouped(double value, int decimals = 0);
QString speedText(double gflops);       // only significant digits: "36,339", "312.4"
QString roughSpeedText(double gflops);  // of a prediction: three digits, "36,300", "40.1"
QString percentText(double percent);    // "71.9", "1.34"

QString stageText(const Stage* stage);                        // "rung 8: warp tiling"
QString tileText(const Stage* stage, const TileShape& tile);  // "BM=128 BN=128 …"
QString dateText(const QString& when);                        // "2026-11-21"
QString standingWord(Standing standing);                      // "live", "recorded", "stale"
QString spreadText(const runs::Interval& interval);           // "± 0.4 %"
QString bytesText(double bytes);                              // bytes that a launch moves: "405 MB"

// Live: filled disc. Recorded: hollow ring. Stale: faint cross. They differ without any colour.
void drawMark(QPainter& painter, const QPointF& at, Standing standing, const Theme& theme,
              double radius);
// Live: solid. Recorded: dashed. Stale: dotted.
QPen linePen(Standing standing, const Theme& theme);
QColor inkOf(Standing standing, const Theme& theme);

// The pattern that marks trouble, drawn as lines, because QSvgGenerator of Qt 6.4 drops pattern
// brushes.
void drawHatch(QPainter& painter, const QRectF& rect, const QColor& color);
// The pattern as a brush where pixels are painted, and as lines (drawHatch) elsewhere.
void fillTrouble(QPainter& painter, const QRectF& rect, const Theme& theme);

// Styles an axis with a thin line, a faint grid, and ticks that have labels only.
void styleAxis(QCPAxis& axis, const Theme& theme, const Fonts& fonts, bool grid);

struct ValueRange {
  double low = 0;
  double high = 1;
  double step = 1;  // between ticks
  bool operator==(const ValueRange&) const = default;
};

// Bounds around [low, high]. The lower one is round; the upper one leaves `air`, a share of the
// height, free for what is drawn above a mark. The range starts at 0 if `fromZero`, or if the
// values spread nearly that far.
ValueRange niceRange(double low, double high, bool fromZero, double air);
// Makes the step so large that there are at most `most` labels.
void limitTicks(ValueRange& range, int most);
double niceStep(double least);  // 1, 2 or 5 times a power of ten, at least `least`

}  // namespace tileloom::charts
