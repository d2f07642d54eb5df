// SPDX-License-Identifier: GPL-3.0-or-later
// What Hopper adds to the operations of a warp: mbarriers, TMA copies and wgmma.
#include <algorithm>

#include "kernels/timeline/sm_clock.h"

namespace tileloom::timeline {

using machine::cyclesOf;
using machine::kCycle;
using machine::kNever;
using machine::kWarpgroup;
using machine::ticks;

namespace {

constexpr std::uint32_t kBeforeFirst = 0xFFFFFFFF;  // a phase that counts as ended

}  // namespace

void SmClock::executeHopper(Warp& w, const Operation& op, Ticks at, Ticks end) {
  Block& block = blocks_[w.block];
  const Cause self{Cause::Kind::Warp, w.number, end};
  switch (op.work) {
    case Work::StartBarrier:
      block.phases[op.object] = machine::PhaseBarrier(op.amount);
      break;
    case Work::Expect:
      block.phases[op.object].announce(op.announced);
      wakeForPhase(w.block, op.object, block.phases[op.object].arrive(end, self));
      break;
    case Work::Arrive:
      for (std::uint32_t i = 0; i < std::max(1u, op.amount); ++i)
        wakeForPhase(w.block, op.object, block.phases[op.object].arrive(end, self));
      break;
    case Work::WaitBarrier:
      waitForPhase(w, op, end);
      break;
    case Work::Box:
    case Work::BoxStore: {
      const Ticks asked = std::max(end, at + ticks(costs_.boxAsk));
      sleep(w, asked, On::Nothing);  // its span says what it does in that time
      if (op.work == Work::Box) {
        bring(w, op, asked);
      } else {
        w.boxes.add(leave(w, op, asked).end);
      }
      break;
    }
    case Work::CommitBoxes:
      w.boxes.commit();
      break;
    case Work::WaitBoxes:
      sleep(w, w.boxes.readBut(op.amount), On::Boxes);
      break;
    case Work::Product:
      multiply(w, op, end);
      break;
    case Work::CommitProducts:
      w.productGroups.push_back(w.products);
      break;
    case Work::WaitProducts:
      waitForProducts(w, op.amount);
      break;
    default:
      break;  // an issue slot without visible effect
  }
}

// A TMA load, issued until `asked`.
void SmClock::bring(Warp& w, const Operation& op, Ticks asked) {
  const Ticks there = data_.fetchBox(op, w.block, asked);
  const std::uint32_t id = flight(w, op, {asked, there});
  const Cause cause = id == kNone ? Cause{} : Cause{Cause::Kind::Transfer, id, there};
  wakeForPhase(w.block, op.object,
               blocks_[w.block].phases[op.object].bring(
                   std::int64_t{op.announced} * std::max(1u, op.amount), there, cause));
}

SmClock::Ticks SmClock::goesOn(Ticks phaseEnd) const {
  return phaseEnd + ticks(costs_.phaseLatency);
}

void SmClock::waitForPhase(Warp& w, const Operation& op, Ticks end) {
  if (op.amount == kBeforeFirst) return sleep(w, goesOn(end), On::Phase);
  if (const auto* phase = blocks_[w.block].phases[op.object].end(op.amount))
    return sleep(w, goesOn(std::max(end, phase->at)), On::Phase, phase->cause);
  w.waitsForBarrier = op.object;
  w.waitsForPhase = op.amount;
  sleep(w, kNever, On::Phase);
}

void SmClock::wakeForPhase(std::uint32_t block, std::uint32_t object,
                           std::optional<std::uint32_t> phase) {
  if (!phase) return;
  const machine::PhaseBarrier::End ended = *blocks_[block].phases[object].end(*phase);
  for (Warp& w : warpsOf(block)) {
    if (w.done || w.waitsForBarrier != object || w.waitsForPhase != *phase) continue;
    w.waitsForBarrier = kNone;
    wake(w, goesOn(std::max(w.issued, ended.at)), ended.cause);
  }
}

machine::Warpgroup& SmClock::groupOf(const Warp& w) {
  return blocks_[w.block].groups[w.number / kWarpgroup];
}

// A wgmma: the last warp of the group starts it.
void SmClock::multiply(Warp& w, const Operation& op, Ticks end) {
  machine::Warpgroup& group = groupOf(w);
  auto* product = group.issue(w.products++, end, op.wavefronts);
  if (product == nullptr) return;
  const Passage passage =
      sm_.tensor.wgmma(*product, ticks(op.amount * costs_.productCyclesPerColumn));
  busy_.occupy(Unit::TensorCore, passage);
  busy_.work(Unit::TensorCore, op, cyclesOf(passage.end - passage.begin));
  // The tensor core reads its operands while it multiplies. That occupies the data pipe but delays
  // nothing: measurements show that it is not the bottleneck.
  if (passage.end > passage.begin)
    busy_.occupy(Unit::Shared, passage,
                 double(product->wavefronts * kCycle) / double(passage.end - passage.begin));
  if (w.block == 0) lanes_.wgmma(op, passage);
  const std::uint32_t first = w.number / kWarpgroup * kWarpgroup;
  for (Warp& each : warpsOf(w.block).subspan(first, group.warps())) {
    begin(each, op, passage.begin);
    lookForProducts(each);
  }
}

void SmClock::waitForProducts(Warp& w, std::uint32_t newest) {
  if (w.productGroups.size() <= newest) return;
  const std::uint32_t upTo = w.productGroups[w.productGroups.size() - 1 - newest];
  if (upTo == 0) return;
  w.waitsForProduct = upTo - 1;
  sleep(w, kNever, On::Products);
  lookForProducts(w);
}

void SmClock::lookForProducts(Warp& w) {
  if (w.waitsForProduct == kNone) return;
  const Ticks at = groupOf(w).end(w.waitsForProduct);
  if (at == kNever) return;
  w.waitsForProduct = kNone;
  wake(w, at + ticks(costs_.productReturn), {Cause::Kind::TensorCore, 0, at});
}

}  // namespace tileloom::timeline
