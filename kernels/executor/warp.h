// SPDX-License-Identifier: GPL-3.0-or-later
// One warp: registers, where its lanes are in the program, and what they wait for.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/executor/memory.h"
#include "kernels/executor/observer.h"
#include "kernels/executor/operation.h"
#include "kernels/executor/registers.h"

namespace tileloom::executor {

// Lanes that are at the same instruction. A warp whose lanes agree has one such part.
struct Part {
  std::uint32_t lanes = 0;
  std::uint32_t at = 0;  // number of the next instruction
  bool waits = false;    // it has tried to wait for an mbarrier, in vain
  bool tried = false;    // the same since the warp runs
};

inline constexpr std::size_t kBlockBarriers = 16;

// At each barrier of the block: threads that have arrived and do not wait, and how many it needs.
struct Arrivals {
  std::array<std::uint32_t, kBlockBarriers> threads{}, wanted{};
};

// What the threads at a barrier say of a predicate: for how many it is true.
struct BarrierVote {
  std::uint32_t yes = 0;
  bool all = true;
};

// What is the same for all warps of a block.
struct Surroundings {
  const Program* program = nullptr;
  BlockMemory* memory = nullptr;
  Extent3 grid{}, block{}, position{};
  Arrivals* arrivals = nullptr;
  std::vector<InstructionCount>* counts = nullptr;  // by instruction
  Observer* observer = nullptr;                     // nullptr: nothing observes
  bool followed = false;                            // the observer follows()
  std::uint64_t* changes = nullptr;  // of what warps of the cluster wait for: how many there were

  std::uint32_t blockNumber() const {
    return position[0] + grid[0] * (position[1] + grid[1] * position[2]);
  }
};

// For what a warp waits at an mbarrier.
struct BarrierWait {
  std::uint32_t at = 0;     // of the mbarrier
  std::uint32_t phase = 0;  // 0 or 1: that has to end
};

class Warp {
 public:
  Warp(const Surroundings& around, std::uint32_t number);

  // AtObject: at an mbarrier. AtCluster: at the barrier of the cluster. AtGroup: for wgmma.
  enum class State : std::uint8_t { Ready, AtBarrier, AtObject, AtCluster, AtGroup, Done, Failed };

  // Executes until the warp waits at a barrier of the block, ends, or fails; at most `budget`
  // instructions, which it counts down. Ready: the budget is used up, or it lets others go first.
  // AtObject: all of its threads that could go on wait for mbarriers; run() tries again.
  State run(std::uint64_t& budget);
  // The same, but waits of mbarriers that were in vain end now with false, as the hardware ends
  // them after a time.
  State runLate(std::uint64_t& budget);
  bool stoodBack() const { return stoodBack_; }  // it has ended the last run() for others
  // Lets it go on after the barrier.
  void pass(const BarrierVote& outcome) {
    state_ = State::Ready;
    outcome_ = outcome;
  }

  State state() const { return state_; }
  std::uint32_t number() const { return number_; }
  std::uint32_t alive() const { return alive_; }
  int barrier() const { return barrier_; }                   // at which it waits
  std::uint32_t barrierThreads() const { return meeting_; }  // 0: all of the block
  const BarrierVote& vote() const { return vote_; }          // its own, where it waits
  const BarrierVote& outcome() const { return outcome_; }    // of the last barrier
  const std::string& failure() const { return failure_; }    // one sentence
  std::uint64_t executed() const { return executed_; }
  const BarrierWait& barrierWait() const { return wait_; }  // the last one
  std::uint64_t clusterArrivals() const { return clusterArrivals_; }
  void passCluster() { state_ = State::Ready; }
  std::uint64_t productGroups() const { return productGroups_; }  // that it has ended
  std::uint64_t wantedGroups() const { return wantedGroups_; }    // that all warps have to end
  void passGroup() { state_ = State::Ready; }

  // For the functions that execute instructions.
  Registers registers;
  const Surroundings& around() const { return around_; }
  std::uint32_t lanes() const { return lanes_; }  // that execute the present instruction
  std::vector<std::uint8_t>& local(std::uint32_t lane) { return local_[lane]; }
  std::uint32_t thread(std::uint32_t lane) const { return number_ * kLanes + lane; }
  void fail(std::string why);
  void branch(std::uint32_t lanes, std::uint32_t target);
  // One of several places that the present lanes go to; `first`: of the first one.
  void branchPart(std::uint32_t lanes, std::uint32_t target, bool first);
  void exit(std::uint32_t lanes);
  void noteMeeting(int number, std::uint32_t lanes);      // BSSY
  void meet(int number, std::uint32_t lanes);             // BSYNC
  void leave(int number, std::uint32_t lanes);            // BREAK
  void meetSome(std::uint32_t lanes, std::uint32_t all);  // WARPSYNC: all that meet
  void waitAt(int barrier, std::uint32_t threads, const BarrierVote& vote = {});
  // The present instruction is executed again later, and counts once. False: it has waited long
  // enough.
  bool putAside(const BarrierWait& wait);
  // Whether it polls: the same instruction has read the same place a few instructions before. The
  // present one is not counted again then, as with mbarriers: how often a GPU polls depends on
  // time.
  bool polls(std::uint64_t address);
  void standBack() { standsBack_ = true; }    // other warps go first
  void branchTogether(std::uint32_t target);  // lanes that the guard excludes, too
  void arriveAtCluster() { ++clusterArrivals_; }
  void waitAtCluster();
  void endProductGroup() { ++productGroups_; }
  void waitForProducts(std::uint32_t newest);             // all groups but the newest ones
  void noteBarrier(std::uint8_t kind) { noted_ = kind; }  // what the last one computed
  std::uint8_t notedBarrier() const { return noted_; }
  std::uint32_t next() const { return next_; }
  std::uint32_t present() const { return present_; }  // number of the present instruction
  std::uint32_t meetingLanes(int number) const { return meetings_[index(number)].lanes; }
  void setMeetingLanes(int number, std::uint32_t lanes) { meetings_[index(number)].lanes = lanes; }

 private:
  // Where threads that diverged meet: which belong to it, and which have arrived.
  struct Meeting {
    std::uint32_t lanes = 0, arrived = 0, at = 0;
  };
  // 16, and those of WARPSYNC, by the lowest lane that meets there.
  static constexpr int kWarpMeetings = 16, kMeetings = kWarpMeetings + 32;
  static std::size_t index(int number) { return static_cast<std::size_t>(number); }
  void settle(Meeting& meeting);
  void settleAll();
  void add(Part part);
  void goOn(std::vector<Part>::iterator part);
  void takeApart();

  Surroundings around_;
  std::uint32_t number_ = 0;
  State state_ = State::Ready;
  std::uint32_t alive_ = 0;
  std::vector<Part> parts_;  // of lanes that can go on
  std::array<Meeting, kMeetings> meetings_{};
  std::uint32_t all_ = 0, lanes_ = 0;  // at the present instruction, and that execute it
  std::uint32_t present_ = 0, next_ = 0;
  bool moved_ = false;  // the present instruction has placed its lanes itself
  int barrier_ = 0;
  std::uint32_t meeting_ = 0;
  BarrierVote vote_, outcome_;
  BarrierWait wait_;
  bool aside_ = false, again_ = false, late_ = false;
  bool standsBack_ = false, stoodBack_ = false;
  std::uint64_t clusterArrivals_ = 0;
  std::uint64_t productGroups_ = 0, wantedGroups_ = 0;
  // The last load that may be a poll.
  struct Look {
    std::uint64_t address = 0, executed = 0;
    std::uint32_t at = 0, lanes = 0;
  };
  Look look_;
  std::uint8_t noted_ = 0;
  std::vector<std::vector<std::uint8_t>> local_;
  std::string failure_;
  std::uint64_t executed_ = 0;
};

}  // namespace tileloom::executor
