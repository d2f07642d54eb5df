// SPDX-License-Identifier: GPL-3.0-or-later
// Computes where the roofs, points and labels of the roofline are in a picture of a given size.
#pragma once

#include <QFont>
#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "viz/charts/roofline_data.h"

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
  QString text;                   // empty: there is no room for it
  QPointF label;                  // left end of the text's base line
  double slant = 0;               // degrees by which the text is turned
  std::vector<QRectF> covered{};  // boxes around the text
};

// One point at one level.
struct RooflineMark {
  int point = 0;  // index in RooflineData::rungs; -1: the present tile
  model::MemoryLevel level = model::MemoryLevel::Dram;
  QPointF at;
  bool predicted = false;
  QLineF spread;     // of the intensity (DRAM, from most to least bytes); null: none
  QLineF range;      // of the predicted speed; null: none
  bool main = true;  // has the label; the marks of other levels are small
  double radius = 4;
  bool numbered = false;  // the rung's number stands in it, because no other mark is in its way
};

struct RooflineLabel {
  int point = 0;
  QString number;  // of the rung, before the text; empty: it stands in the mark, or there is none
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

struct RooflineGeometry {
  QRectF plot;
  QRectF facts;  // numbers beside the chart; empty: no room
  LogAxis x, y;
  std::vector<RooflineTick> xTicks, yTicks;
  std::vector<RooflineRoof> roofs;
  std::vector<RooflineMark> marks;
  std::vector<RooflineLabel> labels;
  // With all levels: the shape of each level's marks, in one line below the axis.
  std::vector<RooflineKey> keys;
  QLineF presentGuide;  // intensity of a present tile without any speed; null: none

  // The point nearest to this place, within a few pixels. std::nullopt: there is none.
  std::optional<int> pointAt(const QPointF& at) const;
};

struct RooflineFonts {
  QFont body, small;
};
// Of the numbers in marks and before labels.
QFont numberFont(const QFont& small);
// What a number takes in front of its label.
double numberWidth(const QFont& small, const QString& number);
inline constexpr double kMarkRadius = 4;
inline constexpr double kPresentRadius = 7;

RooflineGeometry rooflineGeometry(const RooflineData& data, const QSizeF& size,
                                  const RooflineFonts& fonts);

}  // namespace tileloom::charts
