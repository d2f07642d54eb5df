// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/control.h"

#include <fmt/format.h>

#include <bit>

#include "kernels/executor/sources.h"
#include "kernels/executor/warp.h"

namespace tileloom::executor {

void branch(Warp& warp, const Operation& o) {
  const std::uint32_t taken = warp.lanes() & truth(warp.registers, o.p);
  if (taken != 0) warp.branch(taken, o.target);
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

void meetWarp(Warp& warp, const Operation&) {
  warp.meetAll(warp.lanes());
}

void waitForBlock(Warp& warp, const Operation& o) {
  const auto lane = static_cast<std::uint32_t>(std::countr_zero(warp.lanes()));
  const std::uint32_t barrier = o.extended ? warp.registers.rows[o.base].lane[lane] & 15 : o.table;
  warp.waitAt(static_cast<int>(barrier), o.secondTable);
}

}  // namespace tileloom::executor
