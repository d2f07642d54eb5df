// SPDX-License-Identifier: GPL-3.0-or-later
// Paints the cells of the tuning map and their legend: a colour bar with speeds and shares of
// cuBLAS, and one sample of each look. Private to viz/charts.
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <vector>

#include "viz/base/theme.h"
#include "viz/charts/speed_scale.h"

class QPainter;

namespace tileloom::charts {

// The origin of a cell's value, or why it has none. Colour shows the speed; the looks differ in
// texture. The last two are marks on a cell with one of the other looks.
enum class CellLook { Live, Recorded, Predicted, Unknown, Illegal, Present, Fastest };
inline constexpr std::size_t kCellLooks = 7;

// Live: a full frame. Recorded: a dashed frame. Predicted: hatched, with a dotted frame. Unknown:
// an empty frame. Illegal: no frame and no colour, a small cross. Present: a thick frame. Fastest:
// a filled corner.
void paintCellLook(QPainter& painter, const QRectF& rect, CellLook look, const QColor& fill,
                   const Theme& theme);

// Numbers are in TFLOP/s if cells are too narrow for GFLOP/s.
enum class SpeedUnit { Giga, Tera };
QString unitText(SpeedUnit unit);               // "GFLOP/s"
QString inUnit(double gflops, SpeedUnit unit);  // "36,339", "36.3"

struct LegendData {
  SpeedScale scale;
  SpeedUnit unit = SpeedUnit::Giga;
  // Speeds of cuBLAS at this size, in GFLOP/s, each with the name of its device.
  struct Cublas {
    QString device;
    double gflops = 0;
  };
  std::vector<Cublas> cublas{};
  std::vector<CellLook> looks{};  // those that occur
  bool othersBest = false;        // a cell has the fastest tile with its two values
  QString presentIs{};            // the speed of the window's own tile: "itself 38.1"; or empty
  QString foretoldOf{};           // device whose runs the predictions were fitted to
};

struct LegendGeometry {
  QRectF room;
  QRectF bar;                 // the fastest is at the top
  std::vector<double> ticks;  // heights beside it
  struct Word {
    QRectF rect;
    QString text;
    Qt::Alignment align = Qt::AlignLeft | Qt::AlignVCenter;
    bool title = false;
  };
  std::vector<Word> words;
  struct Sample {
    CellLook look{};
    QRectF rect;
  };
  std::vector<Sample> samples;  // empty: no room
  bool hasLooks() const { return !samples.empty(); }
};

// At the right end of `available`, as wide as needed; it begins at room.left(). Without the samples
// if they would take too much of the width.
LegendGeometry legendGeometry(const QRectF& available, const LegendData& data, const Fonts& fonts);
void moveLegend(LegendGeometry& geometry, double right);
void paintLegend(QPainter& painter, const LegendGeometry& geometry, const Theme& theme,
                 const Fonts& fonts);

// The same as a sentence, if there is no room for samples.
QString looksSentence(const LegendData& data);

}  // namespace tileloom::charts
