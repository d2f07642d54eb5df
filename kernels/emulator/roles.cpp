// SPDX-License-Identifier: GPL-3.0-or-later
// What warp specialisation needs: names, named barriers for some threads, and register reallocation
// with a pool from which consumers take what producers return.
#include "kernels/emulator/agents.h"
#include "kernels/tile/derived.h"

namespace tileloom::emulator {

void Agents::role(const char* name) {
  report(event::RoleNamed{thread() / kWarpSize, name});
}

void Agents::meet(std::uint32_t number, std::uint32_t threads, int line) {
  event::Meet meet{here(line), number, threads};
  if (number < event::kNumberedMeetings) {
    const Meeting& meeting = meetings_[number];
    meet.come = meeting.come;
    meet.wanted = meeting.wanted;
    meet.first = {meeting.line};
  }
  report(meet);
  if (judges().allows(meet)) come(number, threads, line);
}

void Agents::meetWarp(int line) {
  report(event::Meet{here(line), 0, kWarpSize});
  come(event::kNumberedMeetings + thread() / kWarpSize, kWarpSize, line);
}

void Agents::come(std::uint32_t number, std::uint32_t threads, int line) {
  Meeting& meeting = meetings_[number];
  if (meeting.come == 0) meeting.wanted = threads, meeting.line = line;
  report(event::MeetingArrived{here(line), number});
  const std::uint32_t which = meeting.over;
  if (++meeting.come == meeting.wanted) {
    meeting.come = 0;
    ++meeting.over;
    report(event::MeetingEnded{number});
  }
  sleeps_[thread()] = {event::Cause::Meeting, number, which, 0, line};
  pause();
}

std::uint32_t Agents::launched() const {
  return static_cast<std::uint32_t>(launchedRegisters(*block_.setup.rung(), block_.setup.tile));
}

void Agents::keepRegisters(std::uint32_t perThread, int line) {
  std::uint32_t& mine = registers_[thread() / kWarpSize];
  const event::KeepRegisters keep{here(line), perThread, mine};
  report(keep);
  if (!judges().allows(keep)) return;
  pool_ += (mine - perThread) * std::int64_t{kWarpSize};  // nothing where another lane has set it
  mine = perThread;
}

void Agents::takeRegisters(std::uint32_t perThread, int line) {
  const event::TakeRegisters take{here(line), perThread, registers_[thread() / kWarpSize]};
  report(take);
  if (!judges().allows(take)) return;
  sleeps_[thread()] = {event::Cause::Registers, perThread, 0, 0, line};
  pause();
}

}  // namespace tileloom::emulator
