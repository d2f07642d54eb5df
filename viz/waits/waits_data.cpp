// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_data.h"

#include <algorithm>
#include <optional>

#include "kernels/analysis/order/waits.h"
#include "kernels/tile/derived.h"

namespace tileloom {

using analysis::LeftOut;
using analysis::WaitOn;

namespace {

// Whether the clock has this name for such a wait.
bool fits(WaitOn point, timeline::On on) {
  switch (point) {
    case WaitOn::Phase:
      return on == timeline::On::Phase;
    case WaitOn::Products:
      return on == timeline::On::Products;
    case WaitOn::Copies:
      return on == timeline::On::Copies;
    case WaitOn::Block:
    case WaitOn::Meeting:
    case WaitOn::Cluster:
      return on == timeline::On::Warps;
    case WaitOn::Stored:     // once per tile of C, not in a K tile
    case WaitOn::Registers:  // the clock has no such wait
      return false;
  }
  return false;
}

}  // namespace

namespace {

bool waitsForAllProducts(const emulator::Trace& trace) {
  bool waits = false;
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (const emulator::Instruction& i : trace.at(warp, interval).instructions) {
        if (i.kind != emulator::Kind::WaitProducts || i.kTile == emulator::kNoTile) continue;
        if (i.width > 0) return false;
        waits = true;
      }
    }
  }
  return waits;
}

}  // namespace

WaitFacts waitFacts(const emulator::Trace& trace) {
  WaitFacts facts;
  facts.graph = analysis::waitsOf(trace);
  facts.omissions = analysis::possibleOmissions(facts.graph);
  facts.shares = analysis::registerShares(trace, facts.graph);
  facts.warps = trace.warps;
  facts.tiles = trace.kTilesTraced * trace.walked;
  const Derived derived = derive(*trace.rung(), trace.tile);
  facts.buffers = static_cast<std::uint32_t>(std::max(0, derived.buffers));
  facts.waitsForAll = waitsForAllProducts(trace);
  facts.results = derived.results;
  facts.needed = derived.estimatedRegisters;
  for (const emulator::Fault& fault : trace.faults.kept) {
    if (fault.kind == emulator::FaultKind::Deadlock && fault.block == trace.block &&
        facts.fault.empty())
      facts.fault = emulator::describe(fault);
  }
  return facts;
}

std::string omissionName(const analysis::WaitGraph& graph, const LeftOut& what) {
  const analysis::WaitPoint& point = graph.points.at(what.point);
  if (point.on == WaitOn::Registers) return "registers";
  return what.boxes ? point.name + ":boxes" : point.name;
}

std::optional<LeftOut> omissionNamed(const WaitFacts& facts, std::string_view name) {
  for (const LeftOut& what : facts.omissions) {
    if (omissionName(facts.graph, what) == name) return what;
  }
  return std::nullopt;
}

namespace {

// How long a warp waits at one kind of wait, as a share of its time in the steady state; empty if
// it does nothing there. For warps that multiply the steady state is a span of time, as in
// Timeline::waiting(). Producer warps run ahead, so for them it is a range of K tiles.
std::optional<double> shareAsleep(const timeline::Timeline& timeline, const timeline::Lane& lane,
                                  bool multiplies, const analysis::WaitPoint& point,
                                  const analysis::WaitEdge& edge, std::uint32_t from,
                                  std::uint32_t to) {
  const double steadyFrom = timeline.tileStarts[from], steadyTo = timeline.tileStarts[to];
  std::uint16_t line = 0;  // of the warp's last operation
  double slept = 0, begin = -1, end = 0;
  for (const timeline::Span& span : lane.spans) {
    if (span.work != timeline::Work::Wait) line = span.line;
    const double shown = multiplies
                             ? std::min(span.end, steadyTo) - std::max(span.begin, steadyFrom)
                         : span.kTile >= from && span.kTile < to ? span.end - span.begin
                                                                 : 0;
    if (shown <= 0) continue;
    if (begin < 0) begin = span.begin;
    end = std::max(end, span.end);
    if (span.work == timeline::Work::Wait && fits(point.on, span.on) &&
        std::ranges::binary_search(edge.lines, line))
      slept += shown;
  }
  if (begin < 0 || end <= begin) return std::nullopt;
  if (multiplies) return slept / (steadyTo - steadyFrom);
  // As a share of the time of this warp for these K tiles, which may overlap.
  return std::min(1.0, slept / std::max(end - begin, timeline.cyclesPerTile * (to - from)));
}

}  // namespace

void addCycles(WaitsData& data, const timeline::Timeline& timeline) {
  if (!data.ready() || !timeline.steady()) return;
  const std::uint32_t from = timeline.steadyFrom, to = timeline.steadyTo;
  const auto multiply = timeline.lanesOf(timeline::Who::Multiply);
  for (const analysis::WaitPoint& point : data.facts->graph.points) {
    std::vector<double>& ofPoint = data.cycles.emplace_back();
    for (const analysis::WaitEdge& edge : point.waiters) {
      double share = 0;
      std::size_t lanes = 0;
      for (const timeline::Lane& lane : timeline.lanes) {
        if (lane.kind != timeline::LaneKind::Warp ||
            !std::ranges::binary_search(edge.warps, lane.number))
          continue;
        ++lanes;
        const bool multiplies = std::ranges::find(multiply, &lane) != multiply.end();
        share += shareAsleep(timeline, lane, multiplies, point, edge, from, to).value_or(0);
      }
      ofPoint.push_back(lanes == 0 ? -1
                                   : share / static_cast<double>(lanes) * timeline.cyclesPerTile);
    }
  }
  data.cyclesPerTile = timeline.cyclesPerTile;
  data.standstill = timeline::standstillOf(timeline);
}

}  // namespace tileloom
