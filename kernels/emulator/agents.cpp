// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers and the waits at them. boxes.cpp and products.cpp have the other agents.
#include "kernels/emulator/agents.h"

#include <algorithm>
#include <utility>

namespace tileloom::emulator {

using event::BarrierState;
using event::Cause;

Agents::Agents(BlockState& block)
    : block_(block),
      values_(block.setup.matrices[kArrayA].elements != nullptr),
      boxShapes_(block.setup.rung()->boxes(block.setup.tile)),
      sleeps_(block.threads),
      asked_(block.threads),
      warps_(block.warps()),
      meetings_(event::kNumberedMeetings + block.warps()),
      registers_(block.warps(), launched()) {}

void Agents::pause() {
  block_.fibers.pause();
}

std::uint32_t Agents::barriers(std::uint32_t ordinal, const char* name, std::uint32_t count) {
  if (ordinal == firstOfArray_.size()) {
    firstOfArray_.push_back(static_cast<std::uint32_t>(barriers_.size()));
    barriers_.resize(barriers_.size() + count);
    report(event::BarriersDeclared{name, count});
  }
  return firstOfArray_[ordinal];
}

std::uint32_t Agents::barrierBytes() const {
  return static_cast<std::uint32_t>(8 * barriers_.size());
}

bool Agents::usable(const Agents& of, std::uint32_t number, int line, const char* word) const {
  return judges().allows(event::BarrierUse{here(line), number, of.rank_, word});
}

void Agents::start(std::uint32_t number, std::uint32_t count, int line) {
  const event::BarrierStart start{here(line), number, count};
  block_.recorder.see(start);
  if (!judges().allows(start)) return;
  judges().see(start);
  barriers_[number].expected = barriers_[number].pending = std::max(count, 1u);
}

void Agents::publishBarriers(int line) {
  report(event::PublishBarriers{here(line)});
}

void Agents::fenceAsync(int line) {
  report(event::FenceAsync{here(line)});
}

void Agents::endPhase(std::uint32_t number) {
  BarrierState& barrier = barriers_[number];
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
  barrier.announced = 0;
  report(event::PhaseEnded{number});
}

void Agents::arrive(Agents& at, std::uint32_t number, int line) {
  report(event::Arrived{here(line), number, at.rank_});
  BarrierState& barrier = at.barriers_[number];
  if (barrier.pending > 0) --barrier.pending;
  at.endPhase(number);
}

void Agents::expect(std::uint32_t number, std::uint32_t bytes, int line) {
  report(event::BarrierExpect{here(line), number, bytes});
  if (!usable(*this, number, line, "expect")) return;
  barriers_[number].bytes += bytes;
  barriers_[number].announced += bytes;
  arrive(*this, number, line);
}

void Agents::arriveAt(std::uint32_t number, int line) {
  report(event::BarrierArrive{here(line), number, rank_});
  if (usable(*this, number, line, "arrive")) arrive(*this, number, line);
}

// A parity means the last phase that has ended or the present one.
void Agents::wait(std::uint32_t number, std::uint32_t parity, int line) {
  const bool known = usable(*this, number, line, "wait");
  const std::uint32_t present = known ? barriers_[number].phase : 0;
  const std::uint32_t phase = (present & 1) == (parity & 1) ? present : present - 1;
  report(event::BarrierWait{here(line), number, phase});
  if (!known) return;
  sleeps_[thread()] = {Cause::Barrier, number, phase, 0, line};
  pause();
}

void Agents::sleepAtBlockBarrier(int line) {
  sleeps_[thread()] = {Cause::Block, 0, 0, 0, line};
  pause();
}

bool Agents::atBlockBarrier(std::uint32_t thread) const {
  return sleeps_[thread].cause == Cause::Block;
}

bool Agents::canGoOn(std::uint32_t thread) const {
  const Sleep& sleep = sleeps_[thread];
  switch (sleep.cause) {
    case Cause::None:
      return true;
    case Cause::Barrier:
      // Before phase 0 there is no phase, which counts as ended: phase is -1 then.
      return static_cast<std::int32_t>(barriers_[sleep.barrier].phase) >
             static_cast<std::int32_t>(sleep.phase);
    case Cause::Products: {
      const Warp& warp = warps_[thread / kWarpSize];
      return asked_[thread].products <= warp.first;
    }
    case Cause::Meeting:
      return meetings_[sleep.barrier].over > sleep.phase;
    case Cause::Registers: {
      const std::uint32_t has = registers_[thread / kWarpSize];
      return has >= sleep.barrier || (sleep.barrier - has) * std::int64_t{kWarpSize} <= pool_;
    }
    case Cause::Block:
    case Cause::Cluster:
      return false;
  }
  return false;
}

void Agents::wake(std::uint32_t thread, std::uint32_t warp) {
  Sleep& sleep = sleeps_[thread];
  if (sleep.cause == Cause::Barrier) {
    report(event::WaitEnded{thread, sleep.barrier, sleep.phase});
  } else if (sleep.cause == Cause::Products) {
    const std::uint32_t committed = asked_[thread].committed;
    if (committed > sleep.newest) finish(warp, committed - sleep.newest);
  } else if (sleep.cause == Cause::Meeting) {
    report(event::MeetingLeft{thread, sleep.barrier});
  } else if (sleep.cause == Cause::Registers && registers_[warp] < sleep.barrier) {
    pool_ -= (sleep.barrier - registers_[warp]) * std::int64_t{kWarpSize};
    registers_[warp] = sleep.barrier;
  }
  sleep = {};
}

void Agents::passBlockBarrier() {
  report(event::BlockBarrierPassed{});
  for (Sleep& sleep : sleeps_) {
    if (sleep.cause == Cause::Block) sleep = {};
  }
}

std::vector<event::Waiting> Agents::waitingOf(const std::vector<std::uint32_t>& threads) const {
  std::vector<event::Waiting> all;
  for (const std::uint32_t thread : threads) {
    const Sleep& sleep = sleeps_[thread];
    event::Waiting waiting{thread, sleep.cause, sleep.barrier, sleep.phase, {sleep.line}};
    if (sleep.cause == Cause::Meeting) {
      waiting.come = meetings_[sleep.barrier].come;
      waiting.wanted = meetings_[sleep.barrier].wanted;
    }
    waiting.has = registers_[thread / kWarpSize];
    waiting.pool = pool_;
    all.push_back(waiting);
  }
  return all;
}

void Agents::reportDeadlock(const std::vector<std::uint32_t>& alive) {
  report(event::Deadlocked{waitingOf(alive), barriers_});
}

void Agents::reportLeftovers() {
  report(event::BlockEnded{barriers_});
}

}  // namespace tileloom::emulator
