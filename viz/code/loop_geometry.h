// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of the picture of a rewritten loop stands: the turn as it was compiled above the
// rewritten one, on one scale, the lines that join instructions between them, the bars from each
// load to its first use, and the tables that say what one change is worth and what the warps wait
// for. It does not paint.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/code/loop_data.h"
#include "viz/code/loop_legend.h"
#include "viz/code/loop_rows.h"
#include "viz/code/loop_table.h"
#include "viz/code/loop_waits.h"

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
  QRectF words;                // about it: two lines, or one where there is little room
  QRectF ribbon;               // its instructions
  QRectF bars;                 // from loads to uses
  std::vector<double> starts;  // of each instruction: the cycle in which it is issued
  std::vector<Wait> waits;     // of the warp before it
  std::vector<Use> uses;
  double length = 0;  // cycles
};

struct LoopGeometry {
  LoopTurn untouched, rewritten;
  QRectF joins;                 // between the two ribbons
  std::vector<LoopMark> marks;  // what the picture's marks mean
  LoopTable costs;              // what leaving out a change costs
  LoopTable waits;              // what the warps wait for; no rows: there is no room for them
  LoopWindow window;            // that is shown: never an empty one
  double pixelsPerCycle = 0;

  // A wide canvas has the rows beside the turns, with bars; a narrower one beside them without; a
  // narrow one below them.
  static LoopGeometry of(const LoopData& data, const std::vector<LoopRow>& rows,
                         const std::vector<LoopWait>& waits, const QRectF& canvas,
                         const Fonts& fonts, const LoopWindow& window);
  // With which nothing of turns and rows is cut off at this width.
  static double leastHeight(const LoopData& data, const std::vector<LoopRow>& rows, double width,
                            const Fonts& fonts);
  // The same of the rewritten loop with the rows beside the turns, whatever the loop is, and with
  // what the warps wait for below them if that is wanted, too.
  static double usualHeight(const Fonts& fonts, bool withWaits);

  const LoopTurn& turn(bool after) const { return after ? rewritten : untouched; }
  double x(double cycle) const;
  double cycleAt(double x) const;
  std::optional<LoopPlace> at(const QPointF& place) const;
  std::optional<std::size_t> rowAt(const QPointF& place) const;
  std::optional<std::size_t> waitAt(const QPointF& place) const;
};

// Waits of fewer cycles than this are no more than the distances that arithmetic needs anyway.
inline constexpr int kLongWait = 7;

}  // namespace tileloom
