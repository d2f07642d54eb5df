// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/data_ways.h"

#include <algorithm>

#include "kernels/timeline/lateness.h"

namespace tileloom::timeline {

using machine::Passage;
using machine::Ticks;
using machine::ticks;

Ticks DataWays::throughPipe(Ticks at, double cycles) {
  takeArrivals(at);
  const Passage passage = sm_.data.pass(at, ticks(cycles));
  busy_.occupy(Unit::Shared, passage);
  return passage.end;
}

Ticks DataWays::fetch(const Operation& op, std::uint32_t block, Ticks at) {
  const Ticks arrival = memory(op, block, throughL2(op, at, op.bytes, costs_.l2Bytes));
  const Ticks length = ticks(passes(op));
  sm_.data.expect(arrival, length);
  busy_.passSectors(op, sectorCycles(op));
  return arrival + length;
}

// Most lines are there already; only some loads go to L2.
Ticks DataWays::fetchThroughL1(const Operation& op, std::uint32_t block, Ticks at) {
  const Ticks asked = throughPipe(at, op.wavefronts);
  const Ticks sent =
      std::max(asked, throughL2(op, at, op.bytes * costs_.throughL2, costs_.l2Bytes));
  missed_ += costs_.throughL2;
  if (missed_ < 1) return sent + ticks(costs_.l1Latency);
  missed_ -= 1;
  return memory(op, block, sent);
}

Ticks DataWays::fetchBox(const Operation& op, std::uint32_t block, Ticks at) {
  return memory(op, block, throughL2(op, at, op.bytes, costs_.boxL2Bytes));
}

// The speed is assumed (docs/design/05-timeline.md).
Passage DataWays::leave(const Operation& op, Ticks at) {
  const Ticks length = costs_.l2Bytes > 0 ? ticks(op.bytes / costs_.l2Bytes) : 0;
  const Passage passage = sm_.toL2.pass(at, length);
  busy_.occupy(Unit::L2, passage);
  return passage;
}

void DataWays::takeArrivals(Ticks until) {
  sm_.data.take(until, [this](const Passage& passage) { busy_.occupy(Unit::Shared, passage); });
}

// Returns when the last byte leaves L2.
Ticks DataWays::throughL2(const Operation& op, Ticks at, double bytes, double rate) {
  const Passage passage = sm_.fromL2.pass(at, ticks(bytes / rate));
  if (rate > 0) busy_.deliver(op, bytes / rate);
  busy_.occupy(Unit::L2, passage);
  return passage.end;
}

// When a transfer that is sent now arrives. All of a K tile of A, or of B, is equally late.
Ticks DataWays::memory(const Operation& op, std::uint32_t block, Ticks sent) const {
  double cycles = costs_.memoryLatency + costs_.delay;
  if (costs_.varies > 0 && op.brings != emulator::kNoTile)
    cycles += costs_.varies * lateness(op.brings, op.matrix, block);
  return sent + ticks(cycles);
}

}  // namespace tileloom::timeline
