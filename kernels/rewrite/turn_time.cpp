// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/turn_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kernels/rewrite/issue.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

constexpr int kSchedulers = Architecture::kPartitions;
constexpr int kScoreboards = 6;
constexpr int kTurns = 40;      // that are simulated
constexpr int kSettled = 8;     // of them pass before anything is counted
constexpr int kLongest = 4096;  // cycles per instruction after which a simulation is given up

// Measured with chains of dependent loads (docs/hardware.md, rule 80): a load of one wavefront may
// be used 23 cycles after its issue. Each wavefront occupies the data pipe for a cycle and the way
// back to its scheduler for two.
constexpr int kReturnCycles = 2;
constexpr int kSharedLatency = 23 - kReturnCycles;
// From the last arrival at a barrier: 14 cycles with one warp, and 2 more for each further one.
constexpr int kBarrierLatency = 12;
constexpr int kBarrierPerWarp = 2;
constexpr int kGlobalLatency = 488;  // docs/timeline.md
constexpr int kOperandsRead = 14;    // until stored values have left their registers, about

// One instruction, as far as time is concerned.
struct Slot {
  Effect effect = Effect::None;
  int stall = 1;
  int lost = 0;
  unsigned wait = 0;
  int writes = -1, reads = -1;  // scoreboards
  int wavefronts = 0;           // that it takes of the data pipe
  int awaited = -1, left = 0;   // of DEPBAR: the scoreboard, and how many may be left
  bool arithmetic = true;
};

int wavefrontsOf(const Op& op, bool paired) {
  if (op.never()) return 0;
  int bytes = op.code.bytes();
  switch (op.code.effect()) {
    case Effect::SharedLoad:
      for (const sass::DecodedOperand& operand : op.code.operands)
        if (operand.access == sass::Access::Write) bytes = std::max(bytes, 4 * operand.registers);
      return std::max(1, bytes / 4 / (paired && bytes > 4 ? 2 : 1));
    case Effect::SharedStore:
    case Effect::GlobalLoad:
    case Effect::AsyncCopy:
      return std::max(1, bytes / 4);
    default:
      return 0;
  }
}

Slot slotOf(const Op& op, const sass::Lost& lost, bool paired) {
  Slot slot;
  slot.effect = op.never() ? Effect::None : op.code.effect();
  const sass::Control& control = op.code.control;
  slot.stall = std::max(1, control.stall);
  slot.lost = lost.cycles();
  slot.wait = static_cast<unsigned>(control.wait);
  slot.writes = control.writeScoreboard;
  slot.reads = control.readScoreboard;
  slot.wavefronts = wavefrontsOf(op, paired);
  slot.arithmetic = isArithmetic(op);
  if (op.code.effect() == Effect::Wait) {
    for (const sass::DecodedOperand& operand : op.code.operands) {
      if (operand.kind == sass::OperandKind::Scoreboard) slot.awaited = operand.number;
      if (operand.kind == sass::OperandKind::Immediate) slot.left = static_cast<int>(operand.value);
    }
  }
  return slot;
}

struct Warp {
  std::size_t next = 0;  // instruction of the turn
  int turn = 0;
  int from = 0;        // the cycle from which its stall cycles are over
  int couldGoOn = -1;  // the cycle from which it has waited for its scheduler alone; -1: not yet
  int last = 0;        // the cycle of its latest issue
  bool held = false;   // by a barrier, from `holds` on
  int holds = 0;
  int lastCopy = 0;                      // the cycle in which the latest of its copies ends
  std::array<int, kScoreboards> free{};  // the cycle from which each is zero
  std::array<std::vector<int>, kScoreboards> counted{};  // when each count ends, in order
};

class Sm {
 public:
  Sm(std::span<const Slot> slots, const Residency& residency)
      : slots_(slots),
        perBlock_(std::max(1, residency.warpsPerBlock)),
        warps_(static_cast<std::size_t>(std::max(1, residency.warps))),
        arrived_(warps_.size() / static_cast<std::size_t>(perBlock_) + 1) {}

  TurnTime run() {
    TurnTime time;
    time.issued.assign(slots_.size(), 0);
    time.waited.assign(slots_.size(), 0);
    present_ = time;
    const int most = kLongest * static_cast<int>(slots_.size());
    for (now_ = 0; now_ < most && warps_.front().turn < kTurns; ++now_) {
      arrive();
      for (std::size_t s = 0; s < kSchedulers; ++s) step(s, time);
    }
    const int turns = static_cast<int>(starts_.size()) - 1 - kSettled;
    if (turns > 0) {
      const int first = starts_[kSettled];
      time.cycles = static_cast<double>(starts_.back() - first) / turns;
    }
    return time;
  }

 private:
  // Global memory answers: its data passes the pipe.
  void arrive() {
    std::erase_if(arrivals_, [this](const std::pair<int, int>& each) {
      if (each.first > now_) return false;
      pipe_ = std::max(pipe_, now_) + each.second;
      return true;
    });
  }

  bool canGoOn(Warp& warp) const {
    const Slot& slot = slots_[warp.next];
    if (now_ < warp.from) return false;
    if (warp.held && now_ >= warp.holds) return false;
    for (std::size_t i = 0; i < kScoreboards; ++i)
      if ((slot.wait >> i & 1) != 0 && warp.free[i] > now_) return false;
    if (slot.awaited >= 0 && slot.awaited < kScoreboards) {
      const auto& ends = warp.counted[static_cast<std::size_t>(slot.awaited)];
      const auto left = std::ranges::count_if(ends, [this](int end) { return end > now_; });
      if (left > slot.left) return false;
    }
    return true;
  }

  void step(std::size_t scheduler, TurnTime& time) {
    int& busy = busyUntil_[scheduler];
    std::size_t chosen = warps_.size();
    int since = std::numeric_limits<int>::max();
    for (std::size_t w = scheduler; w < warps_.size(); w += kSchedulers) {
      Warp& warp = warps_[w];
      if (warp.turn > kTurns || !canGoOn(warp)) continue;
      if (warp.couldGoOn < 0) warp.couldGoOn = now_;
      const bool current = w == current_[scheduler];
      const int its = current ? -1 : warp.couldGoOn;
      if (its < since) {
        since = its;
        chosen = w;
      }
    }
    if (now_ < busy || chosen == warps_.size()) return;
    current_[scheduler] = chosen;
    busy = now_ + 1 + slots_[warps_[chosen].next].lost;
    issue(chosen, time);
  }

  void count(Warp& warp, int scoreboard, int end) {
    if (scoreboard < 0 || scoreboard >= kScoreboards) return;
    const auto at = static_cast<std::size_t>(scoreboard);
    warp.free[at] = std::max(warp.free[at], end);
    auto& ends = warp.counted[at];
    std::erase_if(ends, [this](int each) { return each <= now_; });
    ends.push_back(end);
  }

  void issue(std::size_t index, TurnTime& time) {
    Warp& warp = warps_[index];
    const Slot& slot = slots_[warp.next];
    const int at = now_ + slot.lost;  // when it leaves
    if (index == 0) {
      if (warp.next == 0) starts_.push_back(now_);
      present_.issued[warp.next] = at - starts_.back();
      present_.waited[warp.next] = slot.lost + std::max(0, warp.couldGoOn - warp.last - 1);
      // Of a turn that does not end nothing is told.
      if (warp.next + 1 == slots_.size()) {
        time.issued = present_.issued;
        time.waited = present_.waited;
      }
    }
    switch (slot.effect) {
      case Effect::SharedLoad:
      case Effect::SharedStore: {
        const int start = std::max(pipe_, at);
        pipe_ = start + slot.wavefronts;
        int& back = back_[index % kSchedulers];
        if (slot.effect == Effect::SharedLoad)
          back = std::max(back, start) + kReturnCycles * slot.wavefronts;
        count(warp, slot.writes, std::max(back, pipe_) + kSharedLatency);
        count(warp, slot.reads, pipe_ + kOperandsRead - 1);
        break;
      }
      case Effect::GlobalLoad:
      case Effect::AsyncCopy:
        arrivals_.emplace_back(at + kGlobalLatency, slot.wavefronts);
        count(warp, slot.writes, at + kGlobalLatency);
        count(warp, slot.reads, at + kOperandsRead);
        warp.lastCopy = at + kGlobalLatency;
        break;
      case Effect::AsyncCommit:
        count(warp, slot.writes, std::max(at + 1, warp.lastCopy));
        break;
      case Effect::Barrier:
        meet(index, at);
        break;
      default:
        count(warp, slot.writes, at + kOperandsRead);
        count(warp, slot.reads, at + kOperandsRead);
    }
    warp.last = at;
    warp.from = std::max(warp.from, at + slot.stall);
    warp.couldGoOn = -1;
    if (++warp.next == slots_.size()) {
      warp.next = 0;
      ++warp.turn;
    }
  }

  void meet(std::size_t index, int at) {
    Warp& warp = warps_[index];
    warp.held = true;
    warp.holds = at + kBarrierDelay - 1;
    const std::size_t block = index / static_cast<std::size_t>(perBlock_);
    if (++arrived_[block] < perBlock_) return;
    arrived_[block] = 0;
    const int latency = kBarrierLatency + kBarrierPerWarp * perBlock_;
    for (std::size_t w = block * static_cast<std::size_t>(perBlock_);
         w < std::min(warps_.size(), (block + 1) * static_cast<std::size_t>(perBlock_)); ++w) {
      warps_[w].held = false;
      warps_[w].from = std::max(warps_[w].from, at + latency);
    }
  }

  std::span<const Slot> slots_;
  int perBlock_;
  std::vector<Warp> warps_;
  std::vector<int> arrived_;  // per block: warps at its barrier
  std::array<int, kSchedulers> busyUntil_{};
  std::array<std::size_t, kSchedulers> current_{};
  std::vector<std::pair<int, int>> arrivals_;  // from global memory: cycle, wavefronts
  std::vector<int> starts_;                    // of the first warp's turns
  TurnTime present_;                           // of its present turn
  int now_ = 0;
  int pipe_ = 0;                         // the cycle from which the data pipe is free
  std::array<int, kSchedulers> back_{};  // the same of the way back to each scheduler
};

}  // namespace

TurnTime turnTime(std::span<const Op> turn, std::span<const sass::Lost> lost,
                  const Residency& residency) {
  if (turn.empty() || lost.size() != turn.size() || residency.warps < 1) return {};
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < turn.size(); ++i)
    slots.push_back(slotOf(turn[i], lost[i], residency.pairedLoads));
  return Sm(slots, residency).run();
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
        const int wrap = next ? static_cast<int>(std::lround(time.cycles)) : 0;
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
