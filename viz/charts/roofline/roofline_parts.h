// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a roofline's picture: plain values in pixels. Private to viz/charts.
#pragma once

#include <QFont>
#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "viz/charts/roofline/roofline_data.h"

namespace tileloom::charts {

// A logarithmic axis: from values to pixels and back.
struct LogAxis {
  double low = 1, high = 10;  // values
  double from = 0, to = 1;    // pixels
  double at(double value) const;
  double valueAt(double pixel) const;
};

struct RooflineTick {
  double at = 0;  // pixels
  QString text;   // empty: only a line of the grid
};

struct RooflineRoof {
  model::Roof roof = model::Roof::Fma;
  QLineF line;
  QString text;                   // empty: no room
  QPointF label;                  // left end of the text's base line
  double slant = 0;               // rotation of the text, in degrees
  std::vector<QRectF> covered{};  // boxes around the text
};

// One point at one level.
struct RooflineMark {
  int point = 0;  // index in RooflineData::rungs; -1: the present tile
  model::MemoryLevel level = model::MemoryLevel::Dram;
  QPointF at;
  bool predicted = false;
  QLineF spread;           // of the intensity (DRAM, from most to least bytes); null: none
  QLineF range;            // of the predicted speed; null: none
  bool main = true;        // this mark of the point has the label
  bool elsewhere = false;  // its label is in the inset
  double radius = 4;
};

struct RooflineLabel {
  int point = 0;
  QString number;  // of the rung, before the text; may be empty
  QString text;
  QRectF rect;
  QLineF leader;  // null: the label is beside its mark
};

// A level's mark with the name of the level.
struct RooflineKey {
  model::MemoryLevel level = model::MemoryLevel::Dram;
  QPointF at;
  QRectF rect;  // of the text
  QString text;
};

// The intensity, at one level, of a tile whose speed is not known.
struct RooflineGuide {
  model::MemoryLevel level = model::MemoryLevel::Dram;
  QLineF line;  // from the foot of the plot to its top
};

// One pair of axes with its content.
struct RooflinePanel {
  QRectF plot;
  LogAxis x, y;
  std::vector<RooflineTick> xTicks, yTicks;
  std::vector<RooflineRoof> roofs;
  std::vector<RooflineMark> marks;
  std::vector<RooflineLabel> labels;
  // Intensities of a present tile without any speed, one per shown level.
  std::vector<RooflineGuide> presentGuides;
};

// An enlarged part of the chart beside it, with its own axes.
struct RooflineInset : RooflinePanel {
  QRectF outer;  // with its ticks and its title
  QString title;
  QRectF titleRect;
  QRectF frame;                  // in the main chart: what is enlarged
  std::vector<QLineF> guides{};  // from the frame's corners to those of `outer`
};

struct RooflineGeometry : RooflinePanel {
  QRectF facts;  // numbers beside the chart; empty: no room
  QRectF axis;   // the line below the ticks, with the axis title
  // For crowded points; std::nullopt: there are none, or there is no room.
  std::optional<RooflineInset> inset;
  // With all levels: the shape of each level's marks, in the line `axis`.
  std::vector<RooflineKey> keys;

  // The point nearest to this place, within a few pixels. std::nullopt: there is none.
  std::optional<int> pointAt(const QPointF& at) const;
};

struct RooflineFonts {
  QFont body, small;
};
// The font of the numbers before labels.
QFont numberFont(const QFont& small);
// The width of a number in front of its label.
double numberWidth(const QFont& small, const QString& number);
inline constexpr double kMarkRadius = 4.5;
inline constexpr double kPresentRadius = 7.5;

}  // namespace tileloom::charts
