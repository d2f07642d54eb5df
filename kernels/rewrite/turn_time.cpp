// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/turn_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/machine/barrier.h"
#include "kernels/machine/latencies.h"
#include "kernels/machine/sm.h"
#include "kernels/rewrite/issue.h"
#include "kernels/rewrite/turn_slots.h"
#include "kernels/sass/write_ports.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

using machine::kCycle;
using machine::kSchedulers;
using machine::schedulerOf;
using machine::Ticks;

constexpr int kScoreboards = 6;
// Iterations of each warp in two simulations: their difference is what is counted.
constexpr std::size_t kTurns = 56, kFewTurns = 8;
constexpr int kNotYet = std::numeric_limits<int>::max();  // a barrier's opening
// Cycles per iteration, and for each of its instructions, after which a simulation is abandoned.
constexpr int kLongest = 4096, kLongestPerInstruction = 64;

int wholeCycles(Ticks time) {
  return static_cast<int>(time / kCycle);
}

struct Turn {
  int start = 0;  // the cycle of its first instruction
  std::vector<int> issued, waited;
};

struct Warp {
  std::size_t next = 0;   // instruction of the iteration
  std::size_t ended = 0;  // iterations
  int from = 0;           // the cycle from which its stall cycles are over
  int couldGoOn = -1;     // the cycle from which it has waited only for its scheduler; -1: not yet
  int last = -1;          // the cycle of its latest issue
  // A barrier holds the next instruction that does not pass it, from `holds` to `opens`.
  int holds = 0, opens = 0;
  int lastCopy = 0;                       // the cycle in which the latest of its copies ends
  std::array<int, kScoreboards> free{};   // the cycle from which each is zero
  std::array<bool, kScoreboards> slow{};  // whether global memory counts it
  std::array<std::vector<int>, kScoreboards> counted{};  // when each count ends, in order
  std::vector<Turn> turns;                               // begun iterations
};

// The warps of an SM, each of which executes this many iterations.
class Turns {
 public:
  Turns(std::span<const Slot> slots, const Residency& residency, std::size_t turns)
      : slots_(slots),
        jumps_(!slots.empty() && slots.back().effect == Effect::Branch),
        perBlock_(std::max(1, residency.warpsPerBlock)),
        warps_(static_cast<std::size_t>(std::max(1, residency.warps))),
        barriers_(warps_.size() / static_cast<std::size_t>(perBlock_) + 1),
        turnsOfEach_(turns),
        atWork_(warps_.size()) {}

  // Runs until all iterations have ended; `cycles` and `states` cover all of it, and are 0 if it
  // does not end.
  TurnTime run() {
    TurnTime time;
    time.issued.assign(slots_.size(), 0);
    time.waited.assign(slots_.size(), 0);
    const auto most =
        static_cast<int>(turnsOfEach_ * (kLongest + kLongestPerInstruction * slots_.size()));
    for (now_ = 0; now_ < most && atWork_ > 0; ++now_) {
      const Ticks now = now_ * kCycle;
      sm_.paths.advance(now);
      sm_.data.take(now, [](const machine::Passage&) {});
      for (std::size_t s = 0; s < kSchedulers; ++s) step(s);
    }
    if (atWork_ > 0) return time;
    time.cycles = now_;
    time.states = states_;
    pickUsual(time);
    return time;
  }

 private:
  // The iteration that differs least from the mean of all.
  void pickUsual(TurnTime& time) const {
    std::vector<double> mean(slots_.size() + 1, 0);
    std::size_t count = 0;
    const auto visit = [this](const auto& see) {
      for (const Warp& warp : warps_)
        // The last one has no successor to show when it ended.
        for (std::size_t turn = std::min(kFewTurns, warp.turns.size() / 2);
             turn + 1 < warp.turns.size(); ++turn)
          see(warp.turns[turn], warp.turns[turn + 1].start - warp.turns[turn].start);
    };
    visit([&](const Turn& turn, int length) {
      ++count;
      for (std::size_t i = 0; i < slots_.size(); ++i) mean[i] += turn.issued[i];
      mean.back() += length;
    });
    for (double& each : mean) each /= static_cast<double>(std::max<std::size_t>(1, count));
    double least = std::numeric_limits<double>::infinity();
    visit([&](const Turn& turn, int length) {
      double off = std::abs(length - mean.back());
      for (std::size_t i = 0; i < slots_.size(); ++i) off += std::abs(turn.issued[i] - mean[i]);
      if (off >= least) return;
      least = off;
      time.issued = turn.issued;
      time.waited = turn.waited;
      time.length = length;
    });
  }

  // Whether the warp can issue, or why not.
  WarpState stateOf(const Warp& warp, std::size_t scheduler) const {
    const Slot& slot = slots_[warp.next];
    if (now_ < warp.from) return WarpState::FixedLatency;
    if (!slot.passes && now_ >= warp.holds && now_ < warp.opens) return WarpState::Barrier;
    for (std::size_t i = 0; i < kScoreboards; ++i)
      if ((slot.wait >> i & 1) != 0 && warp.free[i] > now_)
        return warp.slow[i] ? WarpState::GlobalLoads : WarpState::SharedLoads;
    if (slot.awaited >= 0 && slot.awaited < kScoreboards) {
      const auto& ends = warp.counted[static_cast<std::size_t>(slot.awaited)];
      const auto left = std::ranges::count_if(ends, [this](int end) { return end > now_; });
      if (left > slot.left) return WarpState::GlobalLoads;
    }
    if (slot.memory && !sm_.paths.hasRoom(scheduler)) return WarpState::MemoryWay;
    return WarpState::Ready;
  }

  void note(WarpState state, int cycles) { states_[static_cast<std::size_t>(state)] += cycles; }

  void step(std::size_t scheduler) {
    machine::Scheduler& its = sm_.schedulers[scheduler];
    ready_.clear();
    for (std::size_t w = scheduler; w < warps_.size(); w += kSchedulers) {
      Warp& warp = warps_[w];
      if (now_ <= warp.last) continue;  // its instruction loses cycles to the register file
      if (warp.ended == turnsOfEach_) continue;
      const WarpState state = stateOf(warp, scheduler);
      note(state, 1);
      if (state != WarpState::Ready) continue;
      if (warp.couldGoOn < 0) warp.couldGoOn = now_;
      ready_.push_back({static_cast<std::uint32_t>(w),
                        static_cast<std::uint32_t>(w / static_cast<std::size_t>(perBlock_)),
                        warp.couldGoOn * kCycle});
    }
    sass::WritePorts& ports = ports_[scheduler];
    if (now_ * kCycle < its.free()) return;
    if (ready_.empty()) return ports.idle(now_);
    const std::size_t chosen = its.choose(ready_, now_ * kCycle).warp;
    const Slot& slot = slots_[warps_[chosen].next];
    const int lost = slot.banks + portsHold(ports, slot);
    int busy = now_ + lost + 1;
    if (closes(warps_[chosen]) && slots_.size() > machine::kCachedInstructions)
      busy += machine::kRefetch / static_cast<int>((warps_.size() + kSchedulers - 1) / kSchedulers);
    for (int cycle = now_ + lost + 1; cycle < busy; ++cycle) ports.idle(cycle);
    its.issue(static_cast<std::uint32_t>(chosen), busy * kCycle);
    note(WarpState::Ready, -1);
    note(WarpState::Issues, 1);
    note(WarpState::RegisterFile, lost);
    issue(chosen, lost);
  }

  bool closes(const Warp& warp) const { return jumps_ && warp.next + 1 == slots_.size(); }

  // For how many cycles registers of shared loads delay an instruction. All cycles up to that of
  // its issue are passed to the ports.
  int portsHold(sass::WritePorts& ports, const Slot& slot) const {
    for (int i = 0; i < slot.banks; ++i) ports.idle(now_ + i);
    const int held = slot.writesAtOnce ? ports.hold(now_ + slot.banks) : 0;
    const int at = now_ + slot.banks + held;
    if (!slot.writesAtOnce) ports.idle(at);
    if (slot.pairedBytes > 0) ports.load(slot.pairedBytes, at);
    return held;
  }

  void count(Warp& warp, int scoreboard, int end, bool slow) {
    if (scoreboard < 0 || scoreboard >= kScoreboards) return;
    const auto at = static_cast<std::size_t>(scoreboard);
    if (end >= warp.free[at]) warp.slow[at] = slow;
    warp.free[at] = std::max(warp.free[at], end);
    auto& ends = warp.counted[at];
    std::erase_if(ends, [this](int each) { return each <= now_; });
    ends.push_back(end);
  }

  void issue(std::size_t index, int lost) {
    Warp& warp = warps_[index];
    const Slot& slot = slots_[warp.next];
    const int at = now_ + lost;  // when it is issued
    if (warp.next == 0) warp.turns.push_back({now_, {}, {}});
    warp.turns.back().issued.push_back(at - warp.turns.back().start);
    warp.turns.back().waited.push_back(lost + std::max(0, warp.couldGoOn - warp.last - 1));
    if (slot.memory) {
      const auto ends = sm_.paths.access(sm_.data, schedulerOf(index), *slot.memory, at * kCycle);
      const int result = wholeCycles(ends.result);
      count(warp, slot.writes, result, slot.memory->ofGlobalMemory());
      count(warp, slot.reads, wholeCycles(ends.operands), false);
      if (slot.effect == Effect::AsyncCopy) warp.lastCopy = std::max(warp.lastCopy, result);
    } else if (slot.effect == Effect::AsyncCommit) {
      count(warp, slot.writes, std::max(at + 1, warp.lastCopy), true);
    } else if (slot.effect == Effect::Barrier) {
      meet(index, at);
    } else {
      count(warp, slot.writes, at + slot.latency, false);
      count(warp, slot.reads, at + machine::kOtherLatency, false);
    }
    warp.last = at;
    warp.from = std::max(warp.from, at + slot.stall);
    // Other warps go first: what is fetched again serves them, too.
    if (closes(warp))
      warp.from = std::max({warp.from, at + machine::kJumpLatency,
                            wholeCycles(sm_.schedulers[schedulerOf(index)].free()) + 1});
    warp.couldGoOn = -1;
    if (++warp.next == slots_.size()) {
      warp.next = 0;
      if (++warp.ended == turnsOfEach_) --atWork_;
    }
  }

  void meet(std::size_t index, int at) {
    Warp& warp = warps_[index];
    warp.holds = at + kBarrierDelay - 1;
    warp.opens = kNotYet;
    const std::size_t block = index / static_cast<std::size_t>(perBlock_);
    machine::Barrier& barrier = barriers_[block];
    barrier.arrive(static_cast<std::uint32_t>(index), at * kCycle);
    if (barrier.arrived() < static_cast<std::uint32_t>(perBlock_)) return;
    const int opens = wholeCycles(barrier.open().at) + machine::kBarrierLatency +
                      machine::kBarrierPerWarp * perBlock_;
    for (std::size_t w = block * static_cast<std::size_t>(perBlock_);
         w < std::min(warps_.size(), (block + 1) * static_cast<std::size_t>(perBlock_)); ++w)
      warps_[w].opens = opens;
  }

  std::span<const Slot> slots_;
  bool jumps_;  // the last instruction closes the loop
  int perBlock_;
  std::vector<Warp> warps_;
  std::vector<machine::Barrier> barriers_;  // per block
  machine::Sm sm_;
  std::vector<machine::Candidate> ready_;  // warps of a scheduler that could issue now
  std::array<sass::WritePorts, kSchedulers> ports_{};
  std::array<double, kWarpStates> states_{};  // cycles of all warps
  std::size_t turnsOfEach_;
  std::size_t atWork_;  // warps that have not ended all iterations
  int now_ = 0;
};

}  // namespace

TurnTime turnTime(std::span<const Op> turn, std::span<const sass::Lost> lost,
                  const Residency& residency) {
  if (turn.empty() || lost.size() != turn.size() || residency.warps < 1) return {};
  const std::vector<Slot> slots = slotsOf(turn, lost, residency);
  const TurnTime few = Turns(slots, residency, kFewTurns).run();
  TurnTime all = Turns(slots, residency, kTurns).run();
  const double cycles = all.cycles - few.cycles;
  if (few.cycles == 0 || cycles <= 0) return {.issued = all.issued, .waited = all.waited};
  double inAll = 0;  // warps that have ended all iterations are in none
  for (std::size_t i = 0; i < kWarpStates; ++i) inAll += all.states[i] -= few.states[i];
  for (double& each : all.states) each /= inAll;
  all.cycles = cycles / static_cast<double>(kTurns - kFewTurns);
  return all;
}

std::vector<LoadToUse> loadsToUses(std::span<const Op> turn, const TurnTime& time) {
  std::vector<LoadToUse> all;
  if (time.issued.size() != turn.size()) return all;
  for (std::size_t i = 0; i < turn.size(); ++i) {
    if (turn[i].never() || turn[i].code.effect() != Effect::SharedLoad) continue;
    sass::RegisterUse left = turn[i].writes;  // of it
    const auto uses = [&](std::size_t at) { return overlap(turn[at].reads, left); };
    for (std::size_t step = 1; step <= turn.size(); ++step) {
      const std::size_t at = (i + step) % turn.size();
      if (uses(at)) {
        const bool next = i + step >= turn.size();
        const int wrap = next ? time.length : 0;
        all.push_back({i, at, next, time.issued[at] + wrap - time.issued[i]});
        break;
      }
      if (!turn[at].guarded()) left = without(left, turn[at].writes);
      if (empty(left)) break;  // others write all of it first: it is not used
    }
  }
  return all;
}

}  // namespace tileloom::rewrite
