// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/steady_state.h"

#include <algorithm>

namespace tileloom::timeline {
namespace {

using machine::cyclesOf;
using machine::kNever;
using machine::Ticks;

// K tiles that a block loads: a kernel that prefetches loads more of them than are traced.
std::uint32_t loadedTiles(const BlockProgram& program) {
  std::uint32_t tiles = 1;
  for (const Program& warp : program.warps) {
    for (const Operation& op : warp.operations) {
      if (op.brings != emulator::kNoTile && op.bytes > 0) tiles = std::max(tiles, op.brings + 1);
    }
  }
  return tiles;
}

double loopEndOf(const Timeline& t) {
  double end = 0;
  for (const Lane& lane : t.lanes) {
    if (lane.kind == LaneKind::Flight) continue;
    for (const Span& span : lane.spans) {
      if (span.kTile != emulator::kNoTile && span.work != Work::Wait) end = std::max(end, span.end);
    }
  }
  return end;
}

using Starts = std::vector<Ticks>;  // of K tiles

// When the first of a block's warps begins each K tile.
Starts firstOf(std::span<const WarpStarts> warps, std::uint32_t block, std::uint32_t kTiles) {
  Starts first(kTiles, kNever);
  for (const WarpStarts& warp : warps) {
    if (warp.block != block) continue;
    for (std::uint32_t tile = 0; tile < kTiles; ++tile)
      first[tile] = std::min(first[tile], warp.tiles[tile]);
  }
  return first;
}

// Whether warps of a block wait for each other in the loop over K.
bool meet(const BlockProgram& program) {
  return std::ranges::any_of(program.warps, [](const Program& warp) {
    return std::ranges::any_of(warp.operations, [](const Operation& op) {
      const bool waits =
          op.work == Work::Barrier || op.work == Work::Meet || op.work == Work::WaitBarrier;
      return waits && op.kTile != emulator::kNoTile;
    });
  });
}

// Of each part of the SM's work that may be out of step with the others: a block, or a warp if
// warps never meet.
std::vector<Starts> startsOfParts(std::span<const WarpStarts> warps, const BlockProgram& program) {
  std::vector<Starts> parts;
  if (meet(program)) {
    for (std::uint32_t block = 0; block <= warps.back().block; ++block)
      parts.push_back(firstOf(warps, block, program.kTiles));
  } else {
    for (const WarpStarts& warp : warps) parts.push_back(warp.tiles);
  }
  return parts;
}

// How many K tiles have been begun by then, with the part of the latest one.
double progress(const Starts& starts, Ticks at) {
  const auto next = std::ranges::upper_bound(starts, at);
  if (next == starts.begin()) return 0;
  const auto begun = static_cast<double>(next - starts.begin());
  if (next == starts.end() || *next >= kNever) return begun;
  const Ticks latest = *std::prev(next);
  return begun + double(at - latest) / double(*next - latest);
}

// How long the SM needs for as many K tiles as it has blocks, from the time at which the first part
// begins K tile `from` until the first one begins `to`. All parts count: one that is ahead is
// faster than all together.
double cyclesPerTile(std::span<const Starts> parts, std::uint32_t from, std::uint32_t to) {
  Ticks begin = kNever, end = kNever;
  for (const Starts& starts : parts) {
    begin = std::min(begin, starts[from]);
    end = std::min(end, starts[to]);
  }
  double tiles = 0, multiply = 0;
  for (const Starts& starts : parts) {
    if (starts[to] >= kNever) continue;  // a warp without work
    tiles += progress(starts, end) - progress(starts, begin);
    ++multiply;
  }
  return cyclesOf(end - begin) * multiply / tiles;
}

}  // namespace

void addSteadyState(Timeline& t, const BlockProgram& program, std::span<const WarpStarts> starts,
                    const Busy& busy) {
  for (const Ticks at : firstOf(starts, 0, program.kTiles)) {
    if (at >= kNever) break;
    t.tileStarts.push_back(cyclesOf(at));
  }
  t.loopEnd = loopEndOf(t);
  const std::uint32_t loaded = loadedTiles(program);
  t.sectorsPerTile = busy.sectorsPerTile(loaded);
  if (t.tileStarts.size() < 2) return;
  t.steadyTo = static_cast<std::uint32_t>(t.tileStarts.size() - 1);
  if (program.walks > 1) {
    t.tilesPerWalk = program.kTiles / program.walks;
    t.steadyTo = std::min(t.steadyTo, t.tilesPerWalk - 1);
  }
  t.steadyFrom = std::min(std::max(2u, program.buffers), t.steadyTo - 1);
  t.cyclesPerTile = cyclesPerTile(startsOfParts(starts, program), t.steadyFrom, t.steadyTo);
  t.perTile = busy.perTile(t.steadyFrom, t.steadyTo, loaded);
}

}  // namespace tileloom::timeline
