// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/clock.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/timeline/sm_clock.h"
#include "kernels/timeline/steady_state.h"

namespace tileloom::timeline {

using machine::cyclesOf;
using machine::kNever;
using machine::kSchedulers;
using machine::kWarpgroup;
using machine::ticks;

SmClock::SmClock(const BlockProgram& program, const Costs& costs)
    : program_(program),
      costs_(costs),
      perBlock_(std::uint32_t(program.warps.size())),
      slot_(ticks(costs.slot)),
      sm_(costs.order),
      data_(costs, sm_, busy_),
      lanes_(program.warps.size()) {
  dirty_.fill(true);
  const auto blocks = static_cast<std::uint32_t>(std::max(1, costs.blocks));
  blocks_.resize(blocks);
  warps_.resize(std::size_t{blocks} * perBlock_);
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    Warp& w = warps_[i];
    w.index = i;
    w.block = i / perBlock_;
    w.number = i % perBlock_;
    w.scheduler = std::uint32_t(machine::schedulerOf(i));
    w.program = &program.warps[w.number];
    w.results.assign(w.program->operations.size(), 0);
    w.flights.assign(w.program->operations.size(), kNone);
    w.tileStarts.assign(program.kTiles, kNever);
    warpsOfScheduler_[w.scheduler].push_back(i);
  }
  for (Block& b : blocks_) {
    b.alive = perBlock_;
    for (std::uint32_t first = 0; first < perBlock_; first += kWarpgroup)
      b.groups.emplace_back(std::min(kWarpgroup, perBlock_ - first));
  }
  for (Warp& w : warps_) prepare(w);
}

tl::expected<Timeline, std::string> SmClock::run() {
  while (true) {
    std::size_t best = 0;
    Ticks at = kNever;
    for (std::size_t s = 0; s < kSchedulers; ++s) {
      if (dirty_[s]) decide(s);
      if (choices_[s].at < at) {
        at = choices_[s].at;
        best = s;
      }
    }
    if (at == kNever) break;
    issue(warps_[choices_[best].warp], at);
    dirty_[best] = true;
  }
  for (const Warp& w : warps_) {
    if (!w.done) return tl::unexpected(stuck(w));
  }
  return result();
}

SmClock::Ticks SmClock::eligible(const Warp& w) const {
  if (w.ready < kNever && w.operation().work == Work::Mma)
    return std::max(w.ready, sm_.tensor.freeForMma(w.scheduler));
  return w.ready;
}

void SmClock::decide(std::size_t scheduler) {
  dirty_[scheduler] = false;
  candidates_.clear();
  for (const std::uint32_t i : warpsOfScheduler_[scheduler]) {
    if (!warps_[i].done) candidates_.push_back({i, warps_[i].block, eligible(warps_[i])});
  }
  choices_[scheduler] = sm_.schedulers[scheduler].choose(candidates_);
}

void SmClock::prepare(Warp& w) {
  if (w.done) return;
  dirty_[w.scheduler] = true;
  if (w.next == w.program->operations.size()) {
    w.ready = kNever;
    if (w.blocked >= kNever) return;  // at a barrier after which it does nothing more
    w.done = true;
    --blocks_[w.block].alive;
    meet(w.block);
    end_ = std::max(end_, std::max(w.issued, w.blocked));
    return;
  }
  const Operation& op = w.operation();
  w.ready = w.issued;
  w.readyOn = On::Nothing;
  w.readyCause = {};
  if (w.blocked > w.ready) {
    w.ready = w.blocked;
    w.readyOn = w.on;
    w.readyCause = w.cause;
  }
  for (const std::uint32_t need : op.needs) {
    if (need == kNone || w.results[need] <= w.ready) continue;
    w.ready = w.results[need];
    w.readyCause = {};
    switch (w.program->operations[need].work) {
      case Work::Load:
        w.readyOn = On::Memory;
        if (w.flights[need] != kNone)
          w.readyCause = {Cause::Kind::Transfer, w.flights[need], w.ready};
        break;
      case Work::Fragments:
        w.readyOn = On::Fragments;
        break;
      default:
        w.readyOn = On::Result;
    }
  }
  if (op.work == Work::Multiply && w.lastMultiply > 0) {
    const Ticks chained = w.lastMultiply + ticks(costs_.fmaLatency);
    if (chained > w.ready) {
      w.ready = chained;
      w.readyOn = On::Result;
      w.readyCause = {};
    }
  }
}

void SmClock::sleep(Warp& w, Ticks until, On on, const Cause& cause) {
  w.blocked = until;
  w.on = on;
  w.cause = cause;
}

void SmClock::wake(Warp& w, Ticks until, const Cause& cause) {
  w.blocked = std::max(w.issued, until);
  w.cause = cause;
  prepare(w);
}

void SmClock::issue(Warp& w, Ticks at) {
  const std::uint32_t number = w.next;
  const Operation& op = w.operation();
  const Ticks end = at + slot_ * op.issues;
  if (w.block == 0) {
    lanes_.wait(w.number, op, {w.issued, w.ready}, w.readyOn, w.readyCause);
    Ticks shown = end;
    if (op.work == Work::Mma) shown = at + ticks(costs_.mmaCycles);
    if (op.work == Work::Box || op.work == Work::BoxStore)
      shown = std::max(end, at + ticks(costs_.boxAsk));
    if (op.issues > 0) lanes_.issue(w.number, op, {at, shown});
  }
  sm_.schedulers[w.scheduler].issue(w.index, end);
  w.issued = end;
  ++w.next;
  busy_.occupy(Unit::Issue, {at, end}, 1.0 / kSchedulers);
  busy_.work(Unit::Issue, op, cyclesOf(end - at) / kSchedulers);
  busy_.work(Unit::Shared, op, op.wavefronts);
  execute(w, number, op, at, end);
  prepare(w);
}

std::span<SmClock::Warp> SmClock::warpsOf(std::uint32_t block) {
  return std::span(warps_).subspan(std::size_t{block} * perBlock_, perBlock_);
}

void SmClock::begin(Warp& w, const Operation& op, Ticks at) {
  if (op.kTile < w.tileStarts.size()) w.tileStarts[op.kTile] = std::min(w.tileStarts[op.kTile], at);
}

std::uint32_t SmClock::flight(const Warp& w, const Operation& op, const Passage& time) {
  return w.block == 0 ? lanes_.transfer(op, time) : kNone;
}

SmClock::Passage SmClock::leave(const Warp& w, const Operation& op, Ticks at) {
  const Passage passage = data_.leave(op, at);
  if (w.block == 0 && program_.walks > 1) lanes_.leave(op, passage);
  return passage;
}

std::string SmClock::stuck(const Warp& w) const {
  const Operation& op = w.program->operations[std::min<std::size_t>(
      w.next == 0 ? 0 : w.next - 1, w.program->operations.size() - 1)];
  const Block& block = blocks_[w.block];
  std::string text = fmt::format("warp {} of block {} waits forever", w.number, w.block);
  if (op.line > 0) text += fmt::format(" at line {}", op.line);
  if (w.waitsForBarrier != kNone) {
    const auto found = block.phases.find(w.waitsForBarrier);
    const machine::PhaseBarrier barrier =
        found == block.phases.end() ? machine::PhaseBarrier{} : found->second;
    return text +
           fmt::format(
               ": phase {} of barrier {} ({} phases are complete) lacks {} arrivals and {} bytes",
               w.waitsForPhase, w.waitsForBarrier, barrier.ended(), barrier.lackingArrivals(),
               barrier.lackingBytes());
  }
  if (w.waitsForProduct != kNone)
    return text + fmt::format(": wgmma {} of its warpgroup has not been issued by all of its warps",
                              w.waitsForProduct);
  return text + fmt::format(": {} of {} warps are at its __syncthreads()", block.barrier.arrived(),
                            block.alive);
}

Timeline SmClock::result() {
  Timeline t;
  t.blocks = static_cast<int>(blocks_.size());
  t.cycles = cyclesOf(end_);
  std::vector<std::uint32_t> schedulers;
  for (const Warp& w : warpsOf(0)) schedulers.push_back(w.scheduler);
  lanes_.addTo(t, schedulers, program_.roles);
  data_.takeArrivals(end_);  // including what came after the last use of the pipe
  t.curves = busy_.curves(end_);
  std::vector<WarpStarts> starts;
  for (const Warp& w : warps_) starts.push_back({w.block, w.tileStarts});
  addSteadyState(t, program_, starts, busy_);
  return t;
}

tl::expected<Timeline, std::string> simulate(const BlockProgram& program, const Costs& costs) {
  return SmClock(program, costs).run();
}

}  // namespace tileloom::timeline
