// SPDX-License-Identifier: GPL-3.0-or-later
// The simulation behind clock.h: the warps of an SM's blocks, each in its program, on the units of
// kernels/machine. clock.cpp decides which warp issues when; simt_operations.cpp has what a warp
// does alone or with its block, and warpgroup_operations.cpp what Hopper adds: mbarriers, TMA and
// wgmma.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/machine/barrier.h"
#include "kernels/machine/cause.h"
#include "kernels/machine/phase_barrier.h"
#include "kernels/machine/sm.h"
#include "kernels/machine/store_groups.h"
#include "kernels/timeline/busy.h"
#include "kernels/timeline/costs.h"
#include "kernels/timeline/data_ways.h"
#include "kernels/timeline/lane_recorder.h"
#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

class SmClock {
 public:
  SmClock(const BlockProgram& program, const Costs& costs);
  tl::expected<Timeline, std::string> run();

 private:
  using Ticks = machine::Ticks;
  using Cause = machine::Cause;
  using Passage = machine::Passage;

  struct Warp {
    const Program* program = nullptr;
    std::uint32_t index = 0, block = 0, number = 0, scheduler = 0;
    std::uint32_t next = 0;  // operation
    Ticks issued = 0;        // end of the last issue
    Ticks blocked = 0;       // waiting until then, for `on`
    On on = On::Nothing;
    Cause cause;
    Ticks ready = 0;  // when the next operation can be issued, for readyOn
    On readyOn = On::Nothing;
    Cause readyCause;
    bool done = false;
    Ticks stored = 0;               // when its stores to shared memory have arrived
    Ticks lastMultiply = 0;         // when the latest multiply-adds began
    std::vector<Ticks> results;     // by operation
    std::vector<Ticks> tileStarts;  // when it begins to multiply each K tile
    std::vector<std::uint32_t> flights;
    std::vector<Ticks> copyGroups;  // when all groups up to this one have arrived
    std::vector<std::uint32_t> copyFlights;
    Ticks openCopies = 0;
    std::uint32_t openFlight = kNone;
    std::vector<std::uint32_t> productGroups;  // wgmma up to the end of each
    std::uint32_t products = 0;
    std::uint32_t waitsForProduct = kNone;
    std::uint32_t waitsForBarrier = kNone, waitsForPhase = 0;
    machine::StoreGroups boxes;

    const Operation& operation() const { return program->operations[next]; }
  };

  // A barrier of some warps.
  struct Meeting {
    machine::Barrier barrier;
    std::vector<std::uint32_t> sleepers;
  };

  struct Block {
    std::uint32_t alive = 0;  // warps that have not ended
    machine::Barrier barrier;
    std::map<std::uint32_t, machine::PhaseBarrier> phases;
    std::map<std::uint32_t, Meeting> meetings;
    std::vector<machine::Warpgroup> groups;
  };

  // clock.cpp
  Ticks eligible(const Warp& w) const;
  void decide(std::size_t scheduler);
  void prepare(Warp& w);
  void sleep(Warp& w, Ticks until, On on, const Cause& cause = {});
  void wake(Warp& w, Ticks until, const Cause& cause);
  void issue(Warp& w, Ticks at);
  std::span<Warp> warpsOf(std::uint32_t block);
  // The warp multiplies elements of a K tile from then on.
  static void begin(Warp& w, const Operation& op, Ticks at);
  // The number of a transfer to the first block.
  std::uint32_t flight(const Warp& w, const Operation& op, const Passage& time);
  Passage leave(const Warp& w, const Operation& op, Ticks at);
  std::string stuck(const Warp& w) const;
  Timeline result();

  // simt_operations.cpp. `at`: from when the operation is issued, `end`: until when.
  void execute(Warp& w, std::uint32_t number, const Operation& op, Ticks at, Ticks end);
  void commitCopies(Warp& w);
  void waitForCopies(Warp& w, std::uint32_t newest);
  void meet(std::uint32_t block);
  void meetSome(Warp& w, const Operation& op, Ticks end);

  // warpgroup_operations.cpp
  void executeHopper(Warp& w, const Operation& op, Ticks at, Ticks end);
  void bring(Warp& w, const Operation& op, Ticks asked);
  void waitForPhase(Warp& w, const Operation& op, Ticks end);
  void wakeForPhase(std::uint32_t block, std::uint32_t object, std::optional<std::uint32_t> phase);
  Ticks goesOn(Ticks phaseEnd) const;
  void multiply(Warp& w, const Operation& op, Ticks end);
  void waitForProducts(Warp& w, std::uint32_t newest);
  void lookForProducts(Warp& w);
  machine::Warpgroup& groupOf(const Warp& w);

  const BlockProgram& program_;
  const Costs& costs_;
  std::uint32_t perBlock_;
  Ticks slot_ = machine::kCycle;
  std::vector<Warp> warps_;
  std::vector<Block> blocks_;
  std::array<std::vector<std::uint32_t>, machine::kSchedulers> warpsOfScheduler_;
  std::array<machine::Scheduler::Choice, machine::kSchedulers> choices_;
  std::array<bool, machine::kSchedulers> dirty_;  // the choice is to be made again
  std::vector<machine::Candidate> candidates_;
  machine::Sm sm_;
  Busy busy_;
  DataWays data_;
  LaneRecorder lanes_;
  Ticks end_ = 0;
};

}  // namespace tileloom::timeline
