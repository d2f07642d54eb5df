// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/barriers.h"

#include <fmt/format.h>

namespace tileloom::emulator::judges {

bool Barriers::exists(const Origin& at, const Context& of, std::uint32_t number, const char* word) {
  const std::size_t count = of.shadow.barriers.size();
  if (number < count && number < kBarriersPerBlock) return true;
  context_.report(FaultKind::OutOfBounds, at,
                  fmt::format("names barrier {} in {}, and the block has {}", number, word, count));
  return false;
}

std::string Barriers::whose(const Context& of) const {
  return &of == &context_ ? "" : fmt::format(" of the block with rank {}", of.place.rank);
}

bool Barriers::allows(const event::BarrierStart& e) {
  return exists(e.at, context_, e.barrier, "start");
}

bool Barriers::allows(const event::BarrierUse& e) {
  const Context& of = *context_.peer(e.rank);
  if (!exists(e.at, of, e.barrier, e.word)) return false;
  const ShadowBarrier& barrier = of.shadow.barriers[e.barrier];
  if (barrier.started == 0) {
    context_.report(FaultKind::NoFence, e.at,
                    fmt::format("uses {}{} in {} before any thread has started it",
                                of.barrierText(e.barrier), whose(of), e.word));
    return false;
  }
  const bool own = &of == &context_ && barrier.starter == static_cast<int>(e.at.thread);
  if (!own && !context_.happens.clock(e.at.thread).knows(barrier.started)) {
    context_.report(
        FaultKind::NoFence, e.at,
        fmt::format("uses {}{} in {}, which thread {} has started with no {} in between",
                    of.barrierText(e.barrier), whose(of), e.word, barrier.starter,
                    &of == &context_ ? context_.named("__syncthreads()", "barrier")
                                     : context_.named("meet_cluster()", "barrier.cluster")));
  }
  return true;
}

void Barriers::see(const event::BarriersDeclared& e) {
  std::vector<ShadowBarrier>& barriers = context_.shadow.barriers;
  barriers.resize(barriers.size() + e.count);
}

void Barriers::see(const event::BarrierStart& e) {
  ShadowBarrier& barrier = context_.shadow.barriers[e.barrier];
  barrier.started = context_.happens.stamp(e.at.thread);
  barrier.starter = static_cast<int>(e.at.thread);
}

void Barriers::see(const event::PublishBarriers& e) {
  for (ShadowBarrier& barrier : context_.shadow.barriers) {
    if (barrier.starter == static_cast<int>(e.at.thread)) barrier.published = true;
  }
}

void Barriers::see(const event::Arrived& e) {
  Context& of = *context_.peer(e.rank);
  ShadowBarrier& barrier = of.shadow.barriers[e.barrier];
  const Clock& now = context_.happens.clock(e.at.thread);
  // Where a block knows the phases of another one, in kernels of other people, is not followed.
  const bool followed = context_.subject.wordBytes == 0 || &of == &context_;
  if (followed && now.heard[of.happens.barrierComponent(e.barrier)] < barrier.phase) {
    context_.report(
        FaultKind::EarlyArrival, e.at,
        fmt::format("arrives at {}{} in phase {} and has not waited for phase {} to "
                    "end",
                    of.barrierText(e.barrier), whose(of), barrier.phase, barrier.phase - 1));
  }
  barrier.arrived = static_cast<int>(context_.who(e.at.thread));
  barrier.arrivedAt = e.at.site;
}

void Barriers::see(const event::BoxRequested& e) {
  const Context& to = *context_.peer(e.rank);
  if (to.shadow.barriers[e.box->barrier].published) return;
  context_.report(FaultKind::NoFence, e.at,
                  fmt::format("requests a box on {}, which is not yet visible to TMA: call "
                              "publish_barriers() after start()",
                              to.barrierText(e.box->barrier)));
}

}  // namespace tileloom::emulator::judges
