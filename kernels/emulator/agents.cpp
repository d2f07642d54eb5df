// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers and the waits at them. boxes.cpp and products.cpp have the other agents, and
// agents_text.cpp the sentences about their faults.
#include "kernels/emulator/agents.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/emulator/block.h"

namespace tileloom::emulator {

Agents::Agents(Block& block)
    : block_(block),
      values_(block.setup().matrices[kArrayA].readHalves != nullptr),
      boxShapes_(block.setup().rung()->boxes(block.setup().tile)),
      products_(block.warps()),
      clocks_(block.warps()),
      times_(block.warps(), 1),
      sleeps_(block.threads()),
      asked_(block.threads()),
      warps_(block.warps()),
      registers_(block.warps(), launched()) {}

std::uint32_t Agents::thread() const {
  return block_.thread_;
}

std::uint32_t Agents::who() const {
  return block_.firstThread_ + block_.thread_;
}

std::uint32_t Agents::warpComponent(std::uint32_t warp) const {
  return Component::warp(block_.firstThread_ / kWarpSize + warp);
}

std::uint32_t Agents::productsComponent(std::uint32_t warp) const {
  return Component::products(block_.firstThread_ / kWarpSize + warp);
}

std::uint32_t Agents::barrierComponent(std::uint32_t barrier) const {
  return Component::barrier(rank_ * kBarriersPerBlock + barrier);
}

std::uint32_t Agents::storesComponent(std::uint32_t warp) const {
  return Component::stores(block_.firstThread_ / kWarpSize + warp);
}

Clock& Agents::clock() {
  return clocks_[thread() / kWarpSize];
}

Fault Agents::faultOf(FaultKind kind, int line, std::string detail) const {
  Fault fault = block_.faultHere(kind);
  fault.line = line;
  fault.detail = std::move(detail);
  return fault;
}

void Agents::add(Fault fault) {
  block_.faults_.add(std::move(fault));
}

void Agents::endStretch() {
  const std::uint32_t warp = thread() / kWarpSize;
  clocks_[warp].heard[warpComponent(warp)] = times_[warp]++;
  block_.become(warp, thread() % kWarpSize, times_[warp] - 1);
  readers_.forget();
  wellWritten_ = wellRead_ = 0;
}

void Agents::pause() {
  block_.fibers_.pause();
}

std::uint32_t Agents::barriers(std::uint32_t ordinal, const char* name, std::uint32_t count) {
  if (ordinal == firstOfArray_.size()) {
    firstOfArray_.push_back(static_cast<std::uint32_t>(barriers_.size()));
    for (std::uint32_t i = 0; i < count; ++i) {
      records_.push_back({name, i});
      barriers_.emplace_back();
    }
  }
  return firstOfArray_[ordinal];
}

std::uint32_t Agents::barrierBytes() const {
  return static_cast<std::uint32_t>(8 * barriers_.size());
}

// Whether the barrier exists and was started before, as the running thread must know.
bool Agents::usable(const Agents& of, std::uint32_t number, int line, const char* word) {
  if (number >= of.barriers_.size() || number >= kBarriersPerBlock) {
    add(faultOf(FaultKind::OutOfBounds, line,
                fmt::format("names barrier {} in {}, and the block has {}", number, word,
                            of.barriers_.size())));
    return false;
  }
  const Barrier& barrier = of.barriers_[number];
  const std::string whose = &of == this ? "" : fmt::format(" of the block with rank {}", of.rank_);
  if (barrier.expected == 0) {
    add(faultOf(FaultKind::NoFence, line,
                fmt::format("uses {}{} in {} before any thread has started it",
                            of.barrierText(number), whose, word)));
    return false;
  }
  const bool own = &of == this && barrier.starter == static_cast<int>(thread());
  if (!own && !clock().knows(barrier.started)) {
    add(faultOf(FaultKind::NoFence, line,
                fmt::format("uses {}{} in {}, which thread {} has started with no {} in between",
                            of.barrierText(number), whose, word, barrier.starter,
                            &of == this ? "__syncthreads()" : "meet_cluster()")));
  }
  return true;
}

void Agents::start(std::uint32_t number, std::uint32_t count, int line) {
  block_.recorder_.event(Kind::BarrierStart, line, 0, 0, {number, count});
  if (number >= barriers_.size() || number >= kBarriersPerBlock) {
    usable(number, line, "start");
    return;
  }
  Barrier& barrier = barriers_[number];
  barrier.expected = barrier.pending = std::max(count, 1u);
  barrier.started = block_.stamp_;
  barrier.starter = static_cast<int>(thread());
}

void Agents::publishBarriers(int line) {
  block_.recorder_.event(Kind::PublishBarriers, line);
  for (Barrier& barrier : barriers_) {
    if (barrier.starter == static_cast<int>(thread())) barrier.published = true;
  }
}

void Agents::fenceAsync(int line) {
  block_.recorder_.event(Kind::FenceAsync, line);
  endStretch();
  clock().show();
}

void Agents::endPhase(Barrier& barrier, std::uint32_t number) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  const Clock& before = barrier.ended[barrier.phase % barrier.ended.size()];
  Clock& ended = barrier.ended[++barrier.phase % barrier.ended.size()];
  ended = before;
  ended.join(barrier.arriving);
  ended.heard[barrierComponent(number)] = barrier.phase;
  barrier.pending = barrier.expected;
  barrier.announced = 0;
}

void Agents::arrive(Agents& at, std::uint32_t number, int line) {
  Barrier& barrier = at.barriers_[number];
  if (clock().heard[at.barrierComponent(number)] < barrier.phase) {
    add(faultOf(FaultKind::EarlyArrival, line,
                fmt::format("arrives at {}{} in phase {} and has not waited for phase {} to end",
                            at.barrierText(number),
                            &at == this ? "" : fmt::format(" of the block with rank {}", at.rank_),
                            barrier.phase, barrier.phase - 1)));
  }
  barrier.arrived = static_cast<int>(who());
  barrier.arrivedLine = line;
  endStretch();
  barrier.arriving.join(clock());
  if (barrier.pending > 0) --barrier.pending;
  at.endPhase(barrier, number);
}

void Agents::expect(std::uint32_t number, std::uint32_t bytes, int line) {
  block_.recorder_.event(Kind::BarrierExpect, line, 0, 0, {number, bytes});
  if (!usable(number, line, "expect")) return;
  Barrier& barrier = barriers_[number];
  barrier.bytes += bytes;
  barrier.announced += bytes;
  arrive(*this, number, line);
}

void Agents::arriveAt(std::uint32_t number, int line) {
  block_.recorder_.event(Kind::BarrierArrive, line, 0, 0, {number, rank_});
  if (usable(number, line, "arrive")) arrive(*this, number, line);
}

// A parity means the last phase that has ended or the present one.
void Agents::wait(std::uint32_t number, std::uint32_t parity, int line) {
  const bool known = usable(number, line, "wait");
  const std::uint32_t present = known ? barriers_[number].phase : 0;
  const std::uint32_t phase = (present & 1) == (parity & 1) ? present : present - 1;
  block_.recorder_.event(Kind::BarrierWait, line, 0, 0, {number, phase});
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
    const Barrier& barrier = barriers_[sleep.barrier];
    const auto kept = static_cast<std::uint32_t>(barrier.ended.size());
    std::uint32_t phases = sleep.phase + 1;  // that have ended: none where it is before the first
    if (barrier.phase >= kept) phases = std::max(phases, barrier.phase - kept + 1);
    clocks_[warp].join(barrier.ended[phases % kept]);
    readers_.forget();
    wellWritten_ = wellRead_ = 0;
  } else if (sleep.cause == Cause::Products) {
    const std::uint32_t committed = asked_[thread].committed;
    if (committed > sleep.newest) finish(warp, committed - sleep.newest);
  } else if (sleep.cause == Cause::Meeting) {
    clocks_[warp].join(meetings_[sleep.barrier].ended);
    readers_.forget();
    wellWritten_ = wellRead_ = 0;
  } else if (sleep.cause == Cause::Registers && registers_[warp] < sleep.barrier) {
    pool_ -= (sleep.barrier - registers_[warp]) * std::int64_t{kWarpSize};
    registers_[warp] = sleep.barrier;
  }
  sleep = {};
}

void Agents::passBlockBarrier() {
  Clock all;
  for (std::uint32_t warp = 0; warp < clocks_.size(); ++warp) {
    clocks_[warp].heard[warpComponent(warp)] = times_[warp]++;
    all.join(clocks_[warp]);
  }
  std::ranges::fill(clocks_, all);
  for (Sleep& sleep : sleeps_) {
    if (sleep.cause == Cause::Block) sleep = {};
  }
  readers_.forget();
  wellWritten_ = wellRead_ = 0;
}

void Agents::settle() {
  Clock all;
  for (std::uint32_t i = 0; i < barriers_.size() && i < kBarriersPerBlock; ++i)
    all.heard[barrierComponent(i)] = barriers_[i].phase;
  for (Clock& clock : clocks_) clock.join(all);
  readers_.forget();
  wellWritten_ = wellRead_ = 0;
}

std::uint32_t Agents::withReader(std::uint32_t read) {
  return readers_.with(read, block_.stamp_, clock());
}

void Agents::checkRead(std::uint32_t written, std::uint32_t array, std::int64_t index, int line,
                       const char* how) {
  if (written == wellWritten_ && written != 0) return;
  const std::uint32_t who = written & kManyThreads;
  if (written == 0) {
    block_.fault(FaultKind::Unwritten, array, index, line, false);
  } else if (who == this->who() || clock().knows(written)) {
    wellWritten_ = written;
  } else if (who >= kFirstAgent) {
    if (written == reported_) return;
    reported_ = written;
    add(faultOf(FaultKind::NotArrived, line,
                fmt::format("{} {}[{}], of {}", how, block_.arrays_[array].name, index,
                            boxText(written, array, index))));
  } else {
    block_.fault(FaultKind::Race, array, index, line, false,
                 static_cast<int>(who - block_.firstThread_));
  }
}

void Agents::checkOverwrite(const Agents& in, std::uint32_t written, std::uint32_t read,
                            std::uint32_t array, std::int64_t index, int line, bool byAgent) {
  const bool writtenWell = written == 0 || written == wellWritten_;
  if (writtenWell && (read == 0 || read == wellRead_)) return;
  const Clock& now = clock();
  const auto place = [&] {
    return fmt::format("{}[{}]{}", block_.arrays_[array].name, index,
                       &in == this ? "" : fmt::format(" of the block with rank {}", in.rank_));
  };
  if (!writtenWell && (written & kManyThreads) != who() && !now.knows(written)) {
    if (written == reported_) return;
    reported_ = written;
    const std::uint32_t who = written & kManyThreads;
    if (who < kFirstAgent && &in == this) {
      block_.fault(FaultKind::Race, array, index, line, true,
                   static_cast<int>(who - block_.firstThread_));
    } else if (who < kFirstAgent) {
      add(faultOf(FaultKind::Race, line,
                  fmt::format("overwrites {}, which {} has stored with no barrier in between",
                              place(), threadText(who))));
    } else {
      add(faultOf(FaultKind::Race, line,
                  fmt::format("overwrites {}, of {}", place(), in.boxText(written, array, index))));
    }
    return;
  }
  bool well = true;
  in.readers_.forEach(read, [&](std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    if (!well || who == this->who() || now.knows(stamp)) return;
    well = false;
    if (stamp == reported_) return;
    reported_ = stamp;
    if (who < kFirstAgent) {
      add(faultOf(FaultKind::Race, line,
                  fmt::format("overwrites {}, which {} reads with no barrier in between", place(),
                              threadText(who))));
    } else {
      const std::uint32_t component = Component::of(stamp), group = (stamp >> kThreadBits) - 1;
      const bool store = component >= Component::stores(0);
      const std::uint32_t warp =
          component - (store ? in.storesComponent(0) : in.productsComponent(0));
      add(faultOf(FaultKind::Race, line,
                  fmt::format("overwrites {}, {}", place(),
                              store ? in.storeText(warp, group) : in.groupText(warp, group))));
    }
  });
  // A read that is over for all threads need not be over for TMA.
  in.readers_.forEach(read, [&](std::uint32_t stamp) {
    const std::uint32_t who = stamp & kManyThreads;
    if (!well || !byAgent || who >= kFirstAgent || now.shows(stamp)) return;
    well = false;
    if (stamp == reported_) return;
    reported_ = stamp;
    add(faultOf(FaultKind::NoFence, line,
                fmt::format("loads a box over {}, which {} has read without fence_async(): that "
                            "read may still be in flight",
                            place(), threadText(who))));
  });
  if (well) wellWritten_ = written;
  if (well && byAgent) wellRead_ = read;  // an agent needs more than a thread does
}

}  // namespace tileloom::emulator
