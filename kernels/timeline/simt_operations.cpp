// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp does alone or with its block: loads, copies, stores, multiply-adds, mma.sync and
// barriers of warps.
#include <algorithm>

#include "kernels/timeline/sm_clock.h"

namespace tileloom::timeline {

using machine::kCycle;
using machine::kNever;
using machine::kSchedulers;
using machine::ticks;

void SmClock::execute(Warp& w, std::uint32_t number, const Operation& op, Ticks at, Ticks end) {
  Block& block = blocks_[w.block];
  switch (op.work) {
    case Work::Load:
      w.results[number] = costs_.fromL1 && op.matrix != analysis::Matrix::C
                              ? data_.fetchThroughL1(op, w.block, at)
                              : data_.fetch(op, w.block, at);
      w.flights[number] = flight(w, op, {at, w.results[number]});
      break;
    case Work::Copy: {
      const Ticks there = data_.fetch(op, w.block, at);
      const std::uint32_t id = flight(w, op, {at, there});
      if (there >= w.openCopies) w.openFlight = id;
      w.openCopies = std::max(w.openCopies, there);
      break;
    }
    case Work::Fill:
      w.stored = std::max(w.stored, data_.throughPipe(at, data_.passes(op)));
      break;
    case Work::Fragments:
      w.results[number] =
          data_.throughPipe(at, data_.passes(op)) - kCycle + ticks(costs_.sharedLatency);
      break;
    case Work::Multiply:
      w.lastMultiply = at;
      w.results[number] = end + ticks(costs_.fmaLatency) - slot_;
      busy_.occupy(Unit::Fma, {at, end},
                   double(op.issues * kCycle) / double(end - at) / kSchedulers);
      busy_.work(Unit::Fma, op, double(op.issues) / kSchedulers);
      begin(w, op, at);
      break;
    case Work::Mma:
      busy_.occupy(Unit::TensorCore, sm_.tensor.mma(w.scheduler, at, ticks(costs_.mmaCycles)),
                   1.0 / kSchedulers);
      busy_.work(Unit::TensorCore, op, costs_.mmaCycles / kSchedulers);
      w.results[number] = at + ticks(costs_.mmaLatency);
      begin(w, op, at);
      break;
    case Work::Store:
      leave(w, op, data_.throughPipe(at, data_.passes(op)));
      break;
    case Work::Barrier:
      block.barrier.arrive(w.number, std::max(end, w.stored));
      sleep(w, kNever, On::Warps);
      meet(w.block);
      break;
    case Work::Meet:
      meetSome(w, op, end);
      break;
    case Work::CommitCopies:
      commitCopies(w);
      break;
    case Work::WaitCopies:
      waitForCopies(w, op.amount);
      break;
    default:
      executeHopper(w, op, at, end);
  }
}

void SmClock::commitCopies(Warp& w) {
  const Ticks before = w.copyGroups.empty() ? 0 : w.copyGroups.back();
  const bool later = w.openCopies >= before && w.openFlight != kNone;
  w.copyFlights.push_back(later                   ? w.openFlight
                          : w.copyFlights.empty() ? kNone
                                                  : w.copyFlights.back());
  w.copyGroups.push_back(std::max(before, w.openCopies));
  w.openCopies = 0;
  w.openFlight = kNone;
}

void SmClock::waitForCopies(Warp& w, std::uint32_t newest) {
  if (w.copyGroups.size() <= newest) return;
  const std::size_t group = w.copyGroups.size() - 1 - newest;
  Cause cause;
  if (w.copyFlights[group] != kNone)
    cause = {Cause::Kind::Transfer, w.copyFlights[group], w.copyGroups[group]};
  sleep(w, w.copyGroups[group], On::Copies, cause);
}

// __syncthreads(): the last warp releases all.
void SmClock::meet(std::uint32_t number) {
  Block& block = blocks_[number];
  if (block.barrier.arrived() == 0 || block.barrier.arrived() < block.alive) return;
  const machine::Barrier::Arrival last = block.barrier.open();
  const Ticks release = last.at + ticks(costs_.barrierLatency);
  for (Warp& w : warpsOf(number)) {
    if (!w.done && w.on == On::Warps && w.blocked == kNever)
      wake(w, release, {Cause::Kind::Warp, last.warp, last.at});
  }
}

// The last warp releases the others; the cost is that of __syncthreads() of a block of this many
// warps.
void SmClock::meetSome(Warp& w, const Operation& op, Ticks end) {
  if (op.amount <= 1) return;  // its lanes have arrived already
  Meeting& meeting = blocks_[w.block].meetings[op.object];
  sleep(w, kNever, On::Warps);
  meeting.sleepers.push_back(w.index);
  meeting.barrier.arrive(w.number, std::max(end, w.stored));
  if (meeting.sleepers.size() < op.amount) return;
  const machine::Barrier::Arrival last = meeting.barrier.open();
  const Ticks release = last.at + ticks(costs_.meetLatency + costs_.meetPerWarp * op.amount);
  for (const std::uint32_t sleeper : meeting.sleepers)
    wake(warps_[sleeper], release, {Cause::Kind::Warp, last.warp, last.at});
  meeting = {};
}

}  // namespace tileloom::timeline
