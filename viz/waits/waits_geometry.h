// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the page Waits: producers at the left, then barriers, consumers, and the tensor
// cores at the right; below them the barriers of the whole block, and the registers.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <optional>
#include <vector>

#include "viz/base/theme.h"
#include "viz/waits/waits_data.h"

namespace tileloom {

struct WaitsBox {
  bool point = false;     // else a node
  std::size_t index = 0;  // among the graph's nodes or points
  QRectF rect;
  QString title, detail;
  bool asleep = false;  // a node in a deadlock, or a point where one waits for ever
};

// From a waiter to what it waits for, or from there to what ends the wait.
struct WaitsLine {
  bool waits = false;
  std::size_t point = 0, edge = 0;  // of the point's waiters or enders
  bool mutual = false;              // all that wait there end each other's wait
  bool hot = false;                 // part of a deadlock
  QPainterPath path;
  QPointF tip, tail;     // the arrow's ends
  double thickness = 1;  // by how long it takes
  QRectF label;          // invalid: it has no room
  QString words, brief;  // brief: only the cycles, if there is no room for more
};

// A bar of the register pool.
struct PoolPart {
  std::optional<std::size_t> node;  // none: unused registers
  std::uint32_t threads = 0, perThread = 0;
  QRectF rect;
};
struct PoolBar {
  QRectF whole, name;
  std::vector<PoolPart> parts;
};

class WaitsGeometry {
 public:
  WaitsGeometry() = default;
  WaitsGeometry(const WaitsData& data, const QRectF& canvas, const Fonts& fonts);

  // The height of the boxes one below the other, each with a line of words.
  static double leastHeight(const WaitsData& data, const Fonts& fonts);
  // The least height, at this width, that leaves each box both of its lines and a gap.
  static double wholeHeight(const WaitsData& data, double width, const Fonts& fonts);

  QRectF sentence, legend, note, poolWords;
  bool compact = false;  // smaller words, and no note
  std::vector<WaitsBox> boxes;
  std::vector<WaitsLine> lines;
  QRectF otherBlock;  // around the nodes of another block of the cluster; invalid: none
  QRectF otherTitle;
  std::vector<PoolBar> pool;  // before and after; empty without register reallocation

  const WaitsBox* boxUnder(const QPointF& pixel) const;
  const WaitsLine* lineUnder(const QPointF& pixel) const;
  const WaitsBox* boxOf(bool point, std::size_t index) const;
};

}  // namespace tileloom
