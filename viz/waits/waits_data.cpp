// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/waits/waits_data.h"

#include <algorithm>

#include "kernels/tile/derived.h"

namespace tileloom {

using analysis::LeftOut;
using analysis::WaitOn;

namespace {

// Whether the clock calls such a wait so.
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
    case WaitOn::Stored:     // of a tile of C, and in no K tile of one
    case WaitOn::Registers:  // it knows no such wait
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
  const Derived derived = derive(*trace.stage, trace.tile);
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

void addCycles(WaitsData& data, const timeline::Timeline& timeline) {
  if (!data.ready() || !timeline.steady()) return;
  // Those K tiles for which a stage had to become empty first, as in the rest of a long K.
  std::uint32_t from = std::max(timeline.steadyFrom, data.facts->buffers);
  const std::uint32_t to = std::max(timeline.steadyTo, from + 1);
  if (from >= timeline.tileStarts.size()) from = timeline.steadyFrom;
  const double tiles = to - from;
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
        std::uint16_t line = 0;  // of what the warp did last
        double slept = 0, begin = -1, end = 0;
        for (const timeline::Span& span : lane.spans) {
          if (span.work != timeline::Work::Wait) line = span.line;
          if (span.kTile < from || span.kTile >= to) continue;
          if (begin < 0) begin = span.begin;
          end = std::max(end, span.end);
          if (span.work == timeline::Work::Wait && fits(point.on, span.on) &&
              std::ranges::binary_search(edge.lines, line))
            slept += span.end - span.begin;
        }
        // Of the time that this warp takes for these K tiles, which may overlap.
        if (end > begin && begin >= 0)
          share += std::min(1.0, slept / std::max(end - begin, timeline.cyclesPerTile * tiles));
      }
      ofPoint.push_back(lanes == 0 ? -1
                                   : share / static_cast<double>(lanes) * timeline.cyclesPerTile);
    }
  }
  data.cyclesPerTile = timeline.cyclesPerTile;
  data.standstill = timeline::standstillOf(timeline);
}

}  // namespace tileloom
