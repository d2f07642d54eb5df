// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the timeline: a row for each lane over a common axis of SM cycles. Spans that are
// too narrow to be seen are joined: such a box shows the shares of its time. Condensed, it has a
// row for each kind of lane: data in flight, the multiplying unit, the watched warp, and all other
// warps together.
#pragma once

#include <QPointF>
#include <QRectF>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "viz/timeline/timeline_data.h"

namespace tileloom {

// What a lane does, by colour.
enum class Doing : std::uint8_t { Multiply, Fragments, Fill, Ask, Store, Order, Wait };
inline constexpr std::size_t kDoings = 7;
Doing doingOf(timeline::Work work);

struct TimelineRow {
  // Leaving: stores of C in flight.
  enum class Kind : std::uint8_t { Flight, Busy, TensorCore, Leaving, Warp, Others };
  Kind kind = Kind::Warp;
  QRectF rect;             // over the axis
  std::uint32_t lane = 0;  // of a Flight: A's; B's is the next one
  timeline::Unit unit{};   // of Busy
};

struct TimelineBox {
  QRectF rect;
  std::uint32_t lane = 0;
  std::uint32_t first = 0, count = 1;   // spans of the lane
  std::array<float, kDoings> shares{};  // of a joined box
  bool joined() const { return count > 1; }
};

// What the other warps do in a few pixels of time: average shares of it. The rest of the time they
// are stalled, or wait for their scheduler.
struct TimelineColumn {
  QRectF rect;
  double multiply = 0;
  std::array<double, 3> moves{};  // of A, B and C, between any memories
  double orders = 0;              // barriers and groups
};

struct TimelineTick {
  double x = 0;
  double cycle = 0;
};

// A K tile of the first block, from the time at which the block begins to multiply it.
struct TimelineTile {
  double left = 0, right = 0;  // within the plot
  std::uint32_t number = 0;
};

struct TimelineArrow {
  QPointF from, to;
  bool known = true;  // its source is within the plot
};

// The rows: every lane; or, condensed, all kinds, or only the watched warp and the multiplying
// unit.
enum class TimelineRows : std::uint8_t { Every, Condensed, Fewest };

struct TimelineInput {
  TimelineRows rows = TimelineRows::Every;
  QRectF canvas;
  double line = 15;         // pixels that a line of small text needs
  double header = 20;       // pixels of the figures above
  double names = 90;        // width of the names of the lanes
  double shares = 0;        // height of the table of shares; 0: no table
  double from = 0, to = 1;  // cycles
};

class TimelineGeometry {
 public:
  TimelineGeometry() = default;
  TimelineGeometry(const TimelineInput& input, const TimelineData& data);

  QRectF header, legend, axis, plot, names;
  QRectF shares;  // the table of shares; empty: no table
  std::vector<TimelineRow> rows;
  std::vector<TimelineBox> boxes;
  std::vector<TimelineColumn> columns;  // of the other warps, if these share a row
  std::vector<TimelineTick> ticks;
  std::vector<TimelineTile> tiles;
  double from = 0, to = 1;
  bool condensed = false;

  double xOf(double cycle) const;
  double cycleAt(double x) const;
  const TimelineRow* rowAt(const QPointF& pixel) const;
  // The row of a lane.
  const TimelineRow* rowOf(std::uint32_t lane) const;
  // What is under a pixel: a lane and one of its spans, even if it is too narrow to be seen.
  struct Spot {
    std::uint32_t lane = 0;
    std::uint32_t span = 0;
    bool operator==(const Spot&) const = default;
  };
  std::optional<Spot> spotAt(const TimelineData& data, const QPointF& pixel) const;
  QRectF rectOf(const TimelineData& data, const Spot& spot) const;
  // The shown arrows that end in this lane between two cycles.
  std::vector<TimelineArrow> arrows(const TimelineData& data, std::uint32_t lane, double begin,
                                    double end) const;

  // Where the tensor cores are idle between two tiles of C, across all rows; empty: never, or not
  // shown.
  QRectF idle;

  // The column of the other warps at this pixel.
  const TimelineColumn* columnAt(const QPointF& pixel) const;

  // The least height in pixels at which all lanes are distinguishable.
  static double leastHeight(const TimelineData& data, double line, double header);

 private:
  void placeRows(const TimelineData& data);
  void placeCondensed(TimelineRows wanted, const TimelineData& data);
  void placeColumns(const TimelineRow& row, const TimelineData& data);
  void placeBoxes(const TimelineData& data);
  QRectF laneRect(const TimelineRow& row, std::uint32_t lane) const;
};

}  // namespace tileloom
