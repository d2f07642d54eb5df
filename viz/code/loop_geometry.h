// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of the picture of a rewritten loop stands: the turn as it was compiled above the
// rewritten one, on one scale, the lines that join instructions between them, the bars from each
// load to its first use, and the rows that say what one change is worth. It does not paint.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/code/loop_data.h"
#include "viz/code/loop_rows.h"

namespace tileloom {

// The part of the turn that is shown, in cycles. The whole turn if `to` is not greater.
struct LoopWindow {
  double from = 0;
  double to = 0;
  bool whole() const { return to <= from; }
  bool operator==(const LoopWindow&) const = default;
};

// An instruction: of the untouched turn or of the one beside it.
struct LoopPlace {
  bool rewritten = false;
  std::size_t index = 0;
  bool operator==(const LoopPlace&) const = default;
};

// One of the two turns of one warp, on the clock of the model: where it neither issues nor waits,
// its scheduler issues for another warp.
struct LoopTurn {
  struct Wait {
    double from = 0;
    int cycles = 0;
  };
  struct Use {
    QRectF bar;  // from the load to its first use
    std::size_t load = 0, use = 0;
    bool late = false;  // the warp has to wait for it
  };
  QRectF words;                // the line about it
  QRectF ribbon;               // its instructions
  QRectF bars;                 // from loads to uses
  std::vector<double> starts;  // of each instruction: the cycle in which it is issued
  std::vector<Wait> waits;     // of the warp before it
  std::vector<Use> uses;
  double length = 0;  // cycles
};

struct LoopGeometry {
  LoopTurn untouched, rewritten;
  QRectF joins;   // between the two ribbons
  QRectF legend;  // what the marks mean
  QRectF heading;
  struct RowPlace {
    QRectF room, name, bars, figures;
  };
  QRectF headings;  // above the rows
  std::vector<RowPlace> rows;
  LoopWindow window;  // that is shown: never an empty one
  double pixelsPerCycle = 0;

  static LoopGeometry of(const LoopData& data, const std::vector<LoopRow>& rows,
                         const QRectF& canvas, const Fonts& fonts, const LoopWindow& window);
  // With which nothing is cut off, at this width.
  static double leastHeight(double width, std::size_t rows, const Fonts& fonts);

  const LoopTurn& turn(bool after) const { return after ? rewritten : untouched; }
  double x(double cycle) const;
  double cycleAt(double x) const;
  std::optional<LoopPlace> at(const QPointF& place) const;
  std::optional<std::size_t> rowAt(const QPointF& place) const;
};

// Waits of fewer cycles than this are no more than the distances that arithmetic needs anyway.
inline constexpr int kLongWait = 7;

}  // namespace tileloom
