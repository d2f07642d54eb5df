// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/executor/warp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/executor/sources.h"

namespace tileloom::executor {

Warp::Warp(const Surroundings& around, std::uint32_t number) : around_(around), number_(number) {
  const std::uint32_t threads = around.block[0] * around.block[1] * around.block[2];
  const std::uint32_t first = number * kLanes;
  const std::uint32_t count = std::min(kLanes, threads - std::min(threads, first));
  alive_ = count == kLanes ? kAllLanes : (1u << count) - 1;
  local_.resize(kLanes);
  if (alive_ == 0)
    state_ = State::Done;
  else
    parts_.push_back({alive_, 0});
}

void Warp::fail(std::string why) {
  if (state_ == State::Failed) return;
  state_ = State::Failed;
  failure_ = std::move(why);
}

void Warp::add(Part part) {
  if (part.lanes == 0) return;
  // Lanes at the same instruction go on together.
  const auto same = std::ranges::find(parts_, part.at, &Part::at);
  if (same != parts_.end())
    *same = {same->lanes | part.lanes, part.at};
  else
    parts_.push_back(part);
}

// To the next instruction.
void Warp::goOn(std::vector<Part>::iterator part) {
  *part = {part->lanes, next_};
  if (parts_.size() == 1) return;
  const Part moved = *part;
  parts_.erase(part);
  add(moved);
}

// Takes the present part apart: the caller says where the lanes go that execute the instruction.
void Warp::takeApart() {
  if (moved_) return;
  moved_ = true;
  std::erase_if(parts_, [this](const Part& part) { return part.at == present_; });
  add({all_ & ~lanes_, next_});
}

void Warp::branch(std::uint32_t lanes, std::uint32_t target) {
  takeApart();
  add({lanes, target});
  add({lanes_ & ~lanes, next_});
}

void Warp::branchPart(std::uint32_t lanes, std::uint32_t target, bool first) {
  if (first) takeApart();
  add({lanes, target});
}

void Warp::exit(std::uint32_t lanes) {
  takeApart();
  alive_ &= ~lanes;
  add({lanes_ & ~lanes, next_});
  settleAll();
}

void Warp::noteMeeting(int number, std::uint32_t lanes) {
  meetings_[index(number)] = {lanes, 0, 0};
}

void Warp::meet(int number, std::uint32_t lanes) {
  takeApart();
  Meeting& meeting = meetings_[index(number)];
  meeting.arrived |= lanes;
  meeting.at = next_;
  add({lanes_ & ~lanes, next_});
  settle(meeting);
}

void Warp::leave(int number, std::uint32_t lanes) {
  Meeting& meeting = meetings_[index(number)];
  meeting.lanes &= ~lanes;
  // Others may go on now, perhaps to this very instruction: the present lanes leave it first.
  takeApart();
  add({lanes_, next_});
  settle(meeting);
}

void Warp::meetSome(std::uint32_t lanes, std::uint32_t all) {
  const std::uint32_t expected = (all & alive_) | lanes;
  Meeting& meeting = meetings_[index(kWarpMeetings + std::countr_zero(expected))];
  if (meeting.arrived != 0 && meeting.at != next_) {
    return fail(fmt::format(
        "warp {}: its threads meet at two instructions at once, which is not executed yet",
        number_));
  }
  takeApart();
  meeting.lanes = expected;
  meeting.arrived |= lanes;
  meeting.at = next_;
  add({lanes_ & ~lanes, next_});
  settle(meeting);
}

// Once all of its lanes that are alive have arrived, they go on together.
void Warp::settle(Meeting& meeting) {
  if (meeting.arrived == 0 || (meeting.lanes & alive_ & ~meeting.arrived) != 0) return;
  const Part together{meeting.arrived & alive_, meeting.at};
  meeting.arrived = 0;
  add(together);
}

void Warp::settleAll() {
  for (Meeting& meeting : meetings_) settle(meeting);
}

void Warp::waitAt(int barrier, std::uint32_t threads, const BarrierVote& vote) {
  vote_ = vote;
  barrier_ = barrier;
  meeting_ = threads;
  state_ = State::AtBarrier;
}

bool Warp::putAside(const BarrierWait& wait) {
  if (late_ && again_) return false;
  wait_ = wait;
  aside_ = true;
  return true;
}

void Warp::branchTogether(std::uint32_t target) {
  lanes_ = all_;
  branch(all_, target);
}

bool Warp::polls(std::uint64_t address) {
  constexpr std::uint64_t kFew = 16;
  const bool again = look_.executed != 0 && look_.at == present_ && look_.lanes == lanes_ &&
                     look_.address == address && executed_ - look_.executed <= kFew;
  look_ = {address, executed_, present_, lanes_};
  if (!again) return false;
  InstructionCount& count = (*around_.counts)[present_];
  --count.issued;
  count.threads -= static_cast<std::uint64_t>(std::popcount(lanes_));
  return true;
}

void Warp::waitAtCluster() {
  if (lanes_ != alive_)
    return fail(fmt::format(
        "thread {} waits for the cluster without all threads of its warp, which is not executed "
        "yet",
        thread(static_cast<std::uint32_t>(std::countr_zero(lanes_)))));
  state_ = State::AtCluster;
}

void Warp::waitForProducts(std::uint32_t newest) {
  if (productGroups_ <= newest) return;
  wantedGroups_ = productGroups_ - newest;
  state_ = State::AtGroup;
}

Warp::State Warp::runLate(std::uint64_t& budget) {
  late_ = true;
  run(budget);
  late_ = false;
  return state_;
}

Warp::State Warp::run(std::uint64_t& budget) {
  const Program& program = *around_.program;
  if (state_ == State::AtObject) state_ = State::Ready;
  for (Part& part : parts_) part.tried = false;
  standsBack_ = stoodBack_ = false;
  while (state_ == State::Ready) {
    if (parts_.empty()) {
      if (alive_ == 0)
        state_ = State::Done;
      else
        fail(fmt::format("warp {}: its threads wait for each other where branches meet", number_));
      break;
    }
    // The part that is behind goes first, so that lanes meet again as early as possible.
    // One that waits for an mbarrier goes last.
    auto part = parts_.begin();
    if (parts_.size() > 1)
      part = std::ranges::min_element(
          parts_, {}, [](const Part& each) { return std::pair(each.tried, each.at); });
    if (part->tried) {
      state_ = State::AtObject;
      break;
    }
    if (standsBack_) {
      stoodBack_ = true;
      break;
    }
    present_ = part->at;
    lanes_ = part->lanes;
    next_ = present_ + 1;
    if (present_ >= program.operations.size()) {
      fail(fmt::format("warp {}: it goes on behind the end of the kernel", number_));
      break;
    }
    if (budget == 0) break;
    --budget;
    again_ = part->waits;
    executed_ += again_ ? 0 : 1;
    const Operation& operation = program.operations[present_];
    const std::uint32_t all = lanes_;
    const std::uint32_t active = all & truth(registers, operation.guard);
    if (!again_) {
      InstructionCount& count = (*around_.counts)[present_];
      ++count.issued;
      count.off += active == 0 ? 1 : 0;
      count.threads += static_cast<std::uint64_t>(std::popcount(active));
    }
    if (active == 0) {
      goOn(part);
      continue;
    }
    if (operation.execute == nullptr) {
      fail(fmt::format("the instruction at {:#x} cannot be executed: {}", present_ * 16,
                       program.unknown[present_]));
      break;
    }
    moved_ = false;
    all_ = all;
    lanes_ = active;
    if (around_.followed) around_.observer->before(*this, operation);
    operation.execute(*this, operation);
    if (aside_) {
      aside_ = false;
      part->waits = part->tried = true;
      continue;
    }
    if (!moved_) goOn(part);
  }
  return state_;
}

}  // namespace tileloom::executor
