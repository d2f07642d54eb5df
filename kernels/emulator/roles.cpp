// SPDX-License-Identifier: GPL-3.0-or-later
// What warp specialisation needs: names, named barriers for some threads, and register reallocation
// with a pool from which consumers take what producers return.
#include <fmt/format.h>

#include <utility>

#include "kernels/emulator/agents.h"
#include "kernels/emulator/block.h"
#include "kernels/tile/derived.h"

namespace tileloom::emulator {
namespace {

// The numbers of registers that a warp may set (PTX ISA, "setmaxnreg").
constexpr std::uint32_t kFewest = 24, kMost = 256, kStep = 8;

}  // namespace

void Agents::role(const char* name) {
  if (roles_.empty()) roles_.resize(block_.warps());
  std::string& its = roles_[thread() / kWarpSize];
  if (its.empty()) its = name;
}

void Agents::meet(std::uint32_t number, std::uint32_t threads, int line) {
  block_.recorder_.event(Kind::Meet, line, 0, 0, {number, threads});
  if (number == 0 || number >= kNumberedMeetings) {
    add(faultOf(FaultKind::OutOfBounds, line,
                fmt::format("meets at barrier {}, but a block has barriers 1 to {} for this, "
                            "besides that of __syncthreads()",
                            number, kNumberedMeetings - 1)));
    return;
  }
  Meeting& meeting = meetings_[number];
  if (meeting.come == 0) {
    if (threads == 0 || threads % kWarpSize != 0 || threads > block_.threads()) {
      add(faultOf(
          FaultKind::Disagreement, line,
          fmt::format(
              "meets {} threads at barrier {}: they must be whole warps, and the block has {}",
              threads, number, block_.warps())));
      return;
    }
  } else if (meeting.wanted != threads) {
    add(faultOf(FaultKind::Disagreement, line,
                fmt::format("meets {} threads at barrier {}, but {} are to meet there by line {}",
                            threads, number, meeting.wanted, meeting.line)));
  }
  come(number, threads, line);
}

void Agents::meetWarp(int line) {
  const std::uint32_t warp = thread() / kWarpSize;
  block_.recorder_.event(Kind::Meet, line, 0, 0, {0, kWarpSize});
  come(kNumberedMeetings + warp, kWarpSize, line);
}

void Agents::come(std::uint32_t number, std::uint32_t threads, int line) {
  Meeting& meeting = meetings_[number];
  if (meeting.come == 0) meeting.wanted = threads, meeting.line = line;
  endStretch();
  meeting.arriving.join(clock());
  const std::uint32_t which = meeting.over;
  if (++meeting.come == meeting.wanted) {
    meeting.ended = std::exchange(meeting.arriving, {});
    meeting.come = 0;
    ++meeting.over;
  }
  sleeps_[thread()] = {Cause::Meeting, number, which, 0, line};
  pause();
}

std::uint32_t Agents::launched() const {
  return static_cast<std::uint32_t>(launchedRegisters(*block_.setup().rung(), block_.setup().tile));
}

bool Agents::settable(std::uint32_t perThread, int line, const char* word) {
  if (perThread >= kFewest && perThread <= kMost && perThread % kStep == 0) return true;
  add(faultOf(
      FaultKind::Registers, line,
      fmt::format(
          "sets its warp to {} registers per thread in {}: choose a multiple of {} from {} to {}",
          perThread, word, kStep, kFewest, kMost)));
  return false;
}

void Agents::keepRegisters(std::uint32_t perThread, int line) {
  count(Keep, line);
  block_.recorder_.event(Kind::KeepRegisters, line, 0, 0, {perThread});
  if (!settable(perThread, line, "keep_registers")) return;
  std::uint32_t& mine = registers_[thread() / kWarpSize];
  if (perThread == mine) return;  // another lane of the warp has set it
  if (perThread > mine) {
    add(faultOf(FaultKind::Registers, line,
                fmt::format("is to keep {} registers per thread but has {}", perThread, mine)));
    return;
  }
  pool_ += (mine - perThread) * std::int64_t{kWarpSize};
  mine = perThread;
}

void Agents::takeRegisters(std::uint32_t perThread, int line) {
  count(Take, line);
  block_.recorder_.event(Kind::TakeRegisters, line, 0, 0, {perThread});
  if (!settable(perThread, line, "take_registers")) return;
  const std::uint32_t mine = registers_[thread() / kWarpSize];
  if (perThread < mine) {
    add(faultOf(FaultKind::Registers, line,
                fmt::format("is to take up to {} registers per thread but already has {}",
                            perThread, mine)));
    return;
  }
  sleeps_[thread()] = {Cause::Registers, perThread, 0, 0, line};
  pause();
}

}  // namespace tileloom::emulator
