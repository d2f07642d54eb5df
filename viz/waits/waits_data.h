// SPDX-License-Identifier: GPL-3.0-or-later
// What the page Waits shows: which warps wait for which, how long by the virtual clock, and which
// are in a deadlock. A plain value.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/analysis/order/register_shares.h"
#include "kernels/analysis/order/sleepers.h"
#include "kernels/analysis/order/wait_graph.h"
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/timeline/standstill.h"
#include "kernels/timeline/timeline.h"

namespace tileloom {

// Facts from the recording alone.
struct WaitFacts {
  analysis::WaitGraph graph;
  std::vector<analysis::LeftOut> omissions;  // that the user can choose
  std::vector<analysis::RegisterShare> shares;
  std::uint32_t warps = 0;
  std::uint32_t tiles = 0;      // K tiles that were recorded
  std::uint32_t buffers = 0;    // K tiles that shared memory holds
  bool waitsForAll = false;     // each wait for wgmma in the main loop leaves none in flight
  int results = 0, needed = 0;  // registers of a thread that multiplies: sums, and about all
  std::string fault;            // the emulator's words on a deadlock in the recording
};
WaitFacts waitFacts(const emulator::Trace& trace);

struct WaitsData {
  std::shared_ptr<const WaitFacts> facts;  // null: nothing is recorded yet
  std::optional<analysis::LeftOut> without;
  std::vector<analysis::Sleeper> sleepers;
  // [point][waiter]: cycles per K tile that its warps wait there on average, predicted; below 0:
  // unknown. Empty without a timeline.
  std::vector<std::vector<double>> cycles;
  double cyclesPerTile = 0;
  double timestamped = 0;  // cycles per K tile of a real launch, with timestamps; 0: unknown
  std::optional<timeline::Comparison> measured;  // of that launch; none: unknown
  // Of the tensor cores, predicted; none: the rung does not use them, or unknown.
  std::optional<timeline::Standstill> standstill;
  QString device;  // the device of the predicted rates

  bool ready() const { return facts != nullptr; }
  bool deadlock() const { return !sleepers.empty(); }
};

// The name in sessions and on the command line of what is removed: "empty", "full:boxes",
// "registers".
std::string omissionName(const analysis::WaitGraph& graph, const analysis::LeftOut& what);
// std::nullopt: no such name in this graph.
std::optional<analysis::LeftOut> omissionNamed(const WaitFacts& facts, std::string_view name);

// Adds how long the waits take; the timeline must be of the same tile. Where K is too short for the
// K tiles to repeat, nothing is added.
void addCycles(WaitsData& data, const timeline::Timeline& timeline);

}  // namespace tileloom
