// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/control.h"

#include <fmt/format.h>

#include <bit>

#include "kernels/executor/reporting.h"
#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

void branch(Warp& warp, const Operation& o) {
  const std::uint32_t taken = warp.lanes() & truth(warp.registers, o.p);
  if (taken != 0) warp.branch(taken, o.target);
}

void branchTogether(Warp& warp, const Operation& o) {
  warp.branchTogether(o.target);
}

void standBack(Warp& warp, const Operation&) {
  warp.standBack();
}

void callTo(Warp& warp, const Operation& o) {
  warp.branch(warp.lanes(), o.target);
}

// Lanes may go to different places.
void branchIndexed(Warp& warp, const Operation& o) {
  const Row low = warp.registers.rows[o.base], high = warp.registers.rows[o.baseUpper];
  std::uint32_t rest = warp.lanes();
  bool first = true;
  while (rest != 0) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    const std::uint32_t same =
        rest & ask([&](auto i) {
          return low.lane[i] == low.lane[lane] && high.lane[i] == high.lane[lane];
        });
    const std::uint64_t to = (low.lane[lane] | std::uint64_t{high.lane[lane]} << 32) +
                             static_cast<std::uint64_t>(o.offset);
    if (to % sass::kCodeWordBytes != 0 ||
        to / sass::kCodeWordBytes >= warp.around().program->operations.size()) {
      return warp.fail(fmt::format("thread {} goes to {:#x}, which is not within the kernel",
                                   warp.thread(lane), to));
    }
    warp.branchPart(same, static_cast<std::uint32_t>(to / sass::kCodeWordBytes), first);
    first = false;
    rest &= ~same;
  }
}

void leave(Warp& warp, const Operation& o) {
  const std::uint32_t lanes = warp.lanes() & truth(warp.registers, o.p);
  if (lanes != 0) warp.exit(lanes);
}

void noteMeeting(Warp& warp, const Operation& o) {
  warp.noteMeeting(o.kind, warp.lanes());
}

void meet(Warp& warp, const Operation& o) {
  warp.meet(o.kind, warp.lanes());
}

void breakMeeting(Warp& warp, const Operation& o) {
  warp.leave(o.kind, warp.lanes());
}

void saveMeeting(Warp& warp, const Operation& o) {
  const std::uint32_t lanes = warp.meetingLanes(o.kind);
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto) { return lanes; });
  if (o.extended) warp.setMeetingLanes(o.kind, 0);
}

void restoreMeeting(Warp& warp, const Operation& o) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.lanes()));
  warp.setMeetingLanes(o.kind, plain(warp.registers, *warp.around().program, o.a).lane[lane]);
}

namespace {

// A source of the first active lane.
std::uint32_t firstOf(const Warp& warp, const Source& source) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.lanes()));
  const std::uint32_t value = plain(warp.registers, *warp.around().program, source).lane[lane];
  return source.complement || source.negative ? ~value : value;
}

}  // namespace

void meetWarp(Warp& warp, const Operation& o) {
  // Lanes may name different ones: those that name the same meet.
  const std::uint32_t all = firstOf(warp, o.a);
  const Row& named = plain(warp.registers, *warp.around().program, o.a);
  for (std::uint32_t rest = warp.lanes(); rest != 0; rest &= rest - 1) {
    if (named.lane[static_cast<std::uint32_t>(std::countr_zero(rest))] == all) continue;
    return warp.fail(
        "the threads of a warp name different threads that meet, which is not "
        "executed yet");
  }
  warp.meetSome(warp.lanes(), all);
}

void branchIfApart(Warp& warp, const Operation& o) {
  const bool together = warp.lanes() == (firstOf(warp, o.a) & warp.alive());
  if (together == o.right) warp.branch(warp.lanes(), o.target);
}

void waitForBlock(Warp& warp, const Operation& o) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.lanes()));
  std::uint32_t barrier = o.table, threads = o.secondTable;
  if (o.extended || o.wide) {
    constexpr std::uint32_t kMost = 0xfff;
    const std::uint32_t given = warp.registers.rows[o.base].lane[lane];
    if (o.extended) barrier = given & 15;
    // Behind the number of the barrier, if the register has both.
    if (o.wide) threads = (o.extended ? given >> 16 : given) & kMost;
  }
  const auto report = [&](bool waits) {
    if (warp.around().observer != nullptr)
      warp.around().observer->see(BarrierArrival{issueOf(warp), barrier, threads, waits});
  };
  if (o.kind == kBarrierArrive) {
    report(false);
    Arrivals& arrivals = *warp.around().arrivals;
    arrivals.threads[barrier] += kLanes;  // a warp counts whole
    arrivals.wanted[barrier] = threads;
    return;
  }
  if (warp.lanes() != warp.alive())
    return warp.fail(fmt::format(
        "thread {} waits at a barrier of the block without all threads of its warp, which is not "
        "executed yet",
        warp.thread(lane)));
  BarrierVote vote;
  const std::uint32_t yes = truth(warp.registers, o.p) & warp.lanes();
  vote.yes = static_cast<std::uint32_t>(std::popcount(yes));
  vote.all = yes == warp.lanes();
  warp.noteBarrier(o.kind);
  report(true);
  warp.waitAt(static_cast<int>(barrier), threads, vote);
}

// Copies complete at once: only an observer needs to know.
void commitCopies(Warp& warp, const Operation&) {
  if (warp.around().observer != nullptr)
    warp.around().observer->see(CopyStep{issueOf(warp), warp.lanes(), false, 0});
}
void waitForCopies(Warp& warp, const Operation& o) {
  if (warp.around().observer != nullptr)
    warp.around().observer->see(CopyStep{issueOf(warp), warp.lanes(), true, o.table});
}

// The count is in the register, and the others in the predicate.
void barrierResult(Warp& warp, const Operation& o) {
  const BarrierVote& is = warp.outcome();
  const std::uint8_t kind = warp.notedBarrier();
  const bool counted = kind == kBarrierCount;
  const bool known = counted ? o.first.number == sass::kTruePredicate
                             : o.result == kWasteRow && (kind == kBarrierAnd || kind == kBarrierOr);
  if (!known) return warp.fail("the result of a barrier is read in a way that is not known yet");
  put(warp.registers.rows[o.result], warp.lanes(), [&](auto) { return is.yes; });
  const bool holds = kind == kBarrierAnd ? is.all : is.yes != 0;
  put(warp.registers, o.first, warp.lanes(), holds ? kAllLanes : 0);
}

}  // namespace tileloom::executor
