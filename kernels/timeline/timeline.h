// SPDX-License-Identifier: GPL-3.0-or-later
// What the virtual clock has found: which lane did what when. A plain value in SM cycles; views lay
// it out, and the export writes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

// What a sleeping warp waits for.
enum class On : std::uint8_t {
  Nothing,
  Fragments,   // from shared memory
  Memory,      // a load from global memory
  Copies,      // a group of asynchronous copies
  Warps,       // the others of the block, at __syncthreads()
  Phase,       // of a barrier that counts arrivals and bytes
  Products,    // of its warpgroup
  TensorCore,  // which another warp's mma occupies
  Result,      // of an earlier multiply-add
  Boxes,       // that are stored, until shared memory has been read
};

struct Span {
  double begin = 0, end = 0;  // SM cycles
  Work work = Work::Wait;
  On on = On::Nothing;  // of a Wait
  analysis::Matrix matrix = analysis::Matrix::A;
  std::uint16_t line = 0;
  std::uint16_t dot = emulator::kNoDot;
  std::uint32_t kTile = emulator::kNoTile;  // that it works on; of a Flight: that is on its way
  std::uint32_t first = kNone, count = 0;   // instructions of the warp in the trace
};

// Leaving: C on its way from the SM to L2, where several block tiles are simulated.
enum class LaneKind : std::uint8_t { Flight, TensorCore, Leaving, Warp };

struct Lane {
  LaneKind kind = LaneKind::Warp;
  std::uint32_t number = 0;                       // of the warp; of several in flight at a time
  std::uint32_t scheduler = 0;                    // of a warp
  analysis::Matrix matrix = analysis::Matrix::A;  // of a Flight
  std::vector<Span> spans;                        // in order, never two at a time
  std::string role;                               // of a warp, as the kernel calls it, or empty
};

// Somebody ended somebody's sleep.
struct Arrow {
  std::uint32_t fromLane = 0;
  double from = 0;
  std::uint32_t toLane = 0;
  double to = 0;
};

// Warps by what they do in the steady state. Where no lane says who multiplies, as stamps of rungs
// without products do not, all that act are taken to.
enum class Who : std::uint8_t { Multiply, Bring };

enum class Unit : std::uint8_t { Issue, Fma, TensorCore, Shared, L2 };
inline constexpr std::size_t kUnits = 5;

// How busy a unit is, over time: the share of each `step` cycles, 0 to 1. Of all resident blocks.
struct Curve {
  double step = 64;
  std::vector<float> share;
  double between(double from, double to) const;  // the average
};

struct Timeline {
  std::vector<Lane> lanes;  // of the first block: data on its way, tensor core, C, warps
  std::vector<Arrow> arrows;
  std::vector<double> tileStarts;  // when the first block begins to multiply each K tile
  double cycles = 0;               // until the last resident block has ended
  double loopEnd = 0;              // until the first block has left the last loop over K
  // K tiles of each block tile, where several were simulated, which are counted on from one to the
  // next; 0: there is one block tile.
  std::uint32_t tilesPerWalk = 0;
  // K tiles that repeat: from the start of one until the start of another.
  std::uint32_t steadyFrom = 0, steadyTo = 0;
  double cyclesPerTile = 0;  // of all resident blocks, each of which does one in that time
  // What they take of each unit for that, in cycles: what is issued in a turn of the loop, and what
  // a K tile loads, whenever that is fetched. C is not part of it.
  std::array<double, kUnits> perTile{};
  // Of the data pipe: cycles for which the sectors that a K tile loads pass it.
  double sectorsPerTile = 0;
  std::array<Curve, kUnits> curves;
  int blocks = 1;

  // Whether K is long enough for the K tiles to repeat. Where it is not, nothing is busy or asleep
  // for a share of the steady state.
  bool steady() const {
    return steadyFrom >= 2 && steadyTo > steadyFrom + 1 && steadyTo < tileStarts.size();
  }
  // In the steady state, 0 to 1: `perTile` as a share of `cyclesPerTile`.
  std::optional<double> busy(Unit unit) const;
  // Of the data pipe of L1 and shared memory: with sectors of global memory that pass it. The rest
  // are wavefronts.
  std::optional<double> busyWithSectors() const;
  // What multiplies here: the FMA pipes or the tensor cores.
  Unit multiplier() const;
  // The tensor cores compute products of warpgroups (wgmma), and not mma of single warps.
  bool hasProducts() const;
  // How long these warps of the first block sleep for this, as a share of their time in the steady
  // state; 0 where there are none. Warps that do nothing but sleep there count to neither.
  double waiting(On on, Who who = Who::Multiply) const;
  bool has(Who who) const;
  std::vector<const Lane*> lanesOf(Who who) const;
  std::optional<std::uint32_t> laneOfWarp(std::uint32_t warp) const;
  // The span of a warp in which instruction `index` of the trace is issued, or the latest before.
  const Span* spanOf(std::uint32_t warp, std::uint32_t index) const;
};

}  // namespace tileloom::timeline
