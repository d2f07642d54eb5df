// SPDX-License-Identifier: GPL-3.0-or-later
// Lays out the picture of a rewritten loop: the iteration (turn) as compiled above the rewritten
// one, on one scale, lines that join equal instructions, bars from each load to its first use, and
// tables of what each change is worth and what the warps wait for. It does not paint.
#pragma once

#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/code/loop/loop_data.h"
#include "viz/code/loop/loop_legend.h"
#include "viz/code/loop/loop_rows.h"
#include "viz/code/loop/loop_table.h"
#include "viz/code/loop/loop_waits.h"

namespace tileloom {

// The visible part of the turn, in cycles. `to` <= `from`: the whole turn.
struct LoopWindow {
  double from = 0;
  double to = 0;
  bool whole() const { return to <= from; }
  bool operator==(const LoopWindow&) const = default;
};

// An instruction of the untouched turn or of the one beside it.
struct LoopPlace {
  bool rewritten = false;
  std::size_t index = 0;
  bool operator==(const LoopPlace&) const = default;
};

// One of the two turns of one warp, on the model's clock: when it neither issues nor waits, its
// scheduler issues for another warp.
struct LoopTurn {
  struct Wait {
    double from = 0;
    int cycles = 0;
  };
  struct Use {
    QRectF bar;  // from the load to its first use
    std::size_t load = 0, use = 0;
    bool late = false;  // the warp waits for it
  };
  QRectF words;                // its text: two lines, or one if there is little room
  QRectF ribbon;               // its instructions
  QRectF bars;                 // from loads to uses
  std::vector<double> starts;  // issue cycle of each instruction
  std::vector<Wait> waits;     // of the warp before it
  std::vector<Use> uses;
  double length = 0;  // cycles
};

struct LoopGeometry {
  LoopTurn untouched, rewritten;
  QRectF joins;                 // between the two ribbons
  std::vector<LoopMark> marks;  // the legend of the picture's marks
  LoopTable costs;              // what leaving out a change costs
  LoopTable waits;              // what the warps wait for; no rows: there is no room for them
  LoopWindow window;            // the visible part; never empty
  double pixelsPerCycle = 0;

  // A wide canvas has the rows beside the turns, with bars; a medium one beside them without bars;
  // a narrow one below them.
  static LoopGeometry of(const LoopData& data, const std::vector<LoopRow>& rows,
                         const std::vector<LoopWait>& waits, const QRectF& canvas,
                         const Fonts& fonts, const LoopWindow& window);
  // The least height at which turns and rows are not cut off at this width.
  static double leastHeight(const LoopData& data, const std::vector<LoopRow>& rows, double width,
                            const Fonts& fonts);
  // The height for any rewritten loop with the rows beside the turns; `withWaits`: and the table of
  // waits below them.
  static double usualHeight(const Fonts& fonts, bool withWaits);

  const LoopTurn& turn(bool after) const { return after ? rewritten : untouched; }
  double x(double cycle) const;
  double cycleAt(double x) const;
  std::optional<LoopPlace> at(const QPointF& place) const;
  std::optional<std::size_t> rowAt(const QPointF& place) const;
  std::optional<std::size_t> waitAt(const QPointF& place) const;
};

// Shorter waits, in cycles, are only the latency of dependent arithmetic.
inline constexpr int kLongWait = 7;

}  // namespace tileloom
