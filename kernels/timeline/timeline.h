// SPDX-License-Identifier: GPL-3.0-or-later
// The result of the virtual clock: which lane did what when. A plain value in SM cycles; views lay
// it out, and the export writes it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/timeline/operation.h"

namespace tileloom::timeline {

// What a warp waits for.
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
  std::uint32_t kTile = emulator::kNoTile;  // that it works on; of a Flight: that is in flight
  std::uint32_t first = kNone, count = 0;   // instructions of the warp in the trace
};

// Leaving: C from the SM to L2, if several block tiles are simulated.
enum class LaneKind : std::uint8_t { Flight, TensorCore, Leaving, Warp };

struct Lane {
  LaneKind kind = LaneKind::Warp;
  std::uint32_t number = 0;                       // of the warp; of several in flight at a time
  std::uint32_t scheduler = 0;                    // of a warp
  analysis::Matrix matrix = analysis::Matrix::A;  // of a Flight
  std::vector<Span> spans;                        // in order, never two at a time
  std::string role;                               // of a warp, with the kernel's name, or empty
};

// The end of a wait, and what ended it.
struct Arrow {
  std::uint32_t fromLane = 0;
  double from = 0;
  std::uint32_t toLane = 0;
  double to = 0;
};

// Warps by their work in the steady state. If no lane says which warps multiply, as with timestamps
// of rungs without wgmma, all that act are assumed to.
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
  std::vector<Lane> lanes;  // of the first block: data in flight, tensor core, C, warps
  std::vector<Arrow> arrows;
  std::vector<double> tileStarts;  // when the first block begins to multiply each K tile
  double cycles = 0;               // until the last resident block has ended
  double loopEnd = 0;              // until the first block has left the last loop over K
  // K tiles of each block tile, if several were simulated; they are numbered continuously. 0: there
  // is one block tile.
  std::uint32_t tilesPerWalk = 0;
  // K tiles that repeat: from the start of one until the start of another.
  std::uint32_t steadyFrom = 0, steadyTo = 0;
  double cyclesPerTile = 0;  // of all resident blocks, each of which computes one in that time
  // The cycles of each unit that they take: what is issued in an iteration of the loop, and what a
  // K tile loads, whenever that is fetched. C is not part of it.
  std::array<double, kUnits> perTile{};
  // Of the data pipe: the cycles in which the sectors that a K tile loads pass through it.
  double sectorsPerTile = 0;
  std::array<Curve, kUnits> curves;
  int blocks = 1;

  // Whether K is long enough for the K tiles to repeat. If not, shares of the steady state are
  // undefined: nothing is busy or waiting.
  bool steady() const {
    return steadyFrom >= 2 && steadyTo > steadyFrom + 1 && steadyTo < tileStarts.size();
  }
  // In the steady state, 0 to 1: `perTile` as a share of `cyclesPerTile`.
  std::optional<double> busy(Unit unit) const;
  // Of the data pipe of L1 and shared memory: the part with sectors of global memory. The rest are
  // wavefronts.
  std::optional<double> busyWithSectors() const;
  // The unit that multiplies: the FMA pipes or the tensor cores.
  Unit multiplier() const;
  // The tensor cores compute wgmma, not mma of single warps.
  bool hasProducts() const;
  // How long these warps of the first block wait for this, as a share of their time in the steady
  // state; 0 if there are none. Warps that only wait in the steady state count to neither.
  double waiting(On on, Who who = Who::Multiply) const;
  bool has(Who who) const;
  std::vector<const Lane*> lanesOf(Who who) const;
  std::optional<std::uint32_t> laneOfWarp(std::uint32_t warp) const;
  // The span of a warp in which instruction `index` of the trace is issued, or the latest before.
  const Span* spanOf(std::uint32_t warp, std::uint32_t index) const;
};

}  // namespace tileloom::timeline
