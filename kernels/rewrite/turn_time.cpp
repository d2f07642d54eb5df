// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/turn_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "kernels/rewrite/issue.h"
#include "kernels/rewrite/sm_memory.h"
#include "kernels/sass/write_ports.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

constexpr int kSchedulers = Architecture::kPartitions;
constexpr int kScoreboards = 6;
// Iterations of each warp in two simulations: their difference is what is counted.
constexpr std::size_t kTurns = 56, kFewTurns = 8;
constexpr int kNever = std::numeric_limits<int>::max();
// Cycles per iteration, and for each of its instructions, after which a simulation is abandoned.
constexpr int kLongest = 4096, kLongestPerInstruction = 64;

// From the last arrival at a barrier: 14 cycles with one warp, and 2 more for each further one
// (docs/hardware.md, rule 80).
constexpr int kBarrierLatency = 12;
constexpr int kBarrierPerWarp = 2;
// Until the result of another instruction with a scoreboard is ready (rule 82).
constexpr int kConstantLatency = 25, kSpecialLatency = 35, kOtherLatency = 14;
// The cost of a copy of 16 and of 4 bytes and of a global load on their path (rule 81).
constexpr int kCopyWay = 8, kLoadWay = 4;
constexpr double kLookUpPerLine = 1.13, kLookUpWide = 2.4;
// The branch that closes a loop (rule 83): the warp's next instruction comes this many cycles
// later. If the loop is longer than a scheduler's instruction cache, nothing is issued for this
// many cycles while each of its warps executes an iteration.
constexpr int kJumpLatency = 12;
constexpr int kRefetch = 25;
constexpr std::size_t kCachedInstructions = 340;

// The timing of one instruction.
struct Slot {
  Effect effect = Effect::None;
  int stall = 1;
  int banks = 0;  // cycles that it loses to the register banks
  unsigned wait = 0;
  int writes = -1, reads = -1;  // scoreboards
  std::optional<MemoryAccess> memory;
  int latency = kOtherLatency;  // of the result that its scoreboard covers
  int pairedBytes = 0;          // see sass::Lost
  bool writesAtOnce = false;
  bool passes = false;         // after a barrier, without waiting for other warps
  int awaited = -1, left = 0;  // of DEPBAR: the scoreboard, and how many may be left
};

int loadedBytes(const sass::Decoded& code) {
  int bytes = code.bytes();
  for (const sass::DecodedOperand& operand : code.operands)
    if (operand.access == sass::Access::Write) bytes = std::max(bytes, 4 * operand.registers);
  return bytes;
}

int times(int wavefronts, double conflicts) {
  return static_cast<int>(std::lround(wavefronts * conflicts));
}

std::optional<MemoryAccess> memoryOf(const Op& op, bool paired, const Residency& residency) {
  if (op.never()) return std::nullopt;
  using enum MemoryAccess::Kind;
  constexpr int kWord = 4;
  const int words = std::max(1, op.code.bytes() / kWord);
  switch (op.code.effect()) {
    case Effect::SharedLoad: {
      // Without pairs of lanes the registers come one by one.
      const int registers = std::max(1, loadedBytes(op.code) / kWord);
      return MemoryAccess{
          .kind = SharedLoad,
          .wavefronts = times(std::max(1, registers / (paired ? 2 : 1)), residency.loadConflicts),
          .late = paired ? 0 : registers - 1};
    }
    case Effect::SharedStore:
      return MemoryAccess{.kind = SharedStore,
                          .wavefronts = times(words, residency.storeConflicts)};
    case Effect::GlobalLoad:
      return MemoryAccess{.kind = GlobalLoad, .wavefronts = words, .wayCycles = kLoadWay};
    case Effect::AsyncCopy:
      if (words > 1)
        return MemoryAccess{
            .kind = Copy, .wavefronts = words, .wayCycles = kCopyWay, .lookUp = kLookUpWide};
      return MemoryAccess{.kind = Copy,
                          .wavefronts = residency.copyWavefronts,
                          .wayCycles = kCopyWay,
                          .lookUp = kLookUpPerLine * residency.copyLines};
    default:
      return std::nullopt;
  }
}

// Constants and UMOV are not arithmetic for the barrier (rule 75).
bool passesBarrier(const Op& op) {
  return isArithmetic(op) && op.code.base() != "ULDC" && op.code.base() != "UMOV";
}

Slot slotOf(const Op& op, const sass::Lost& lost, const Residency& residency) {
  Slot slot;
  slot.effect = op.never() ? Effect::None : op.code.effect();
  const sass::Control& control = op.code.control;
  slot.stall = std::max(1, control.stall);
  slot.banks = lost.banks;
  slot.wait = static_cast<unsigned>(control.wait);
  slot.writes = control.writeScoreboard;
  slot.reads = control.readScoreboard;
  slot.memory = memoryOf(op, lost.pairedBytes > 0, residency);
  slot.pairedBytes = lost.pairedBytes;
  slot.writesAtOnce = lost.writesAtOnce;
  slot.passes = passesBarrier(op);
  if (op.code.base() == "LDC") slot.latency = kConstantLatency;
  if (op.code.base() == "S2R" || op.code.base() == "S2UR") slot.latency = kSpecialLatency;
  if (op.code.effect() == Effect::Wait) {
    for (const sass::DecodedOperand& operand : op.code.operands) {
      if (operand.kind == sass::OperandKind::Scoreboard) slot.awaited = operand.number;
      if (operand.kind == sass::OperandKind::Immediate) slot.left = static_cast<int>(operand.value);
    }
  }
  return slot;
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

class Sm {
 public:
  Sm(std::span<const Slot> slots, const Residency& residency, std::size_t turns)
      : slots_(slots),
        jumps_(!slots.empty() && slots.back().effect == Effect::Branch),
        perBlock_(std::max(1, residency.warpsPerBlock)),
        warps_(static_cast<std::size_t>(std::max(1, residency.warps))),
        arrived_(warps_.size() / static_cast<std::size_t>(perBlock_) + 1),
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
      memory_.advance(now_);
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
    if (slot.memory && !memory_.hasRoom(scheduler)) return WarpState::MemoryWay;
    return WarpState::Ready;
  }

  // The current one as long as it can issue, then those of earlier blocks. Which warp of a block
  // goes first differs from launch to launch: here it is the later one (rule 84).
  bool goesBefore(std::size_t warp, std::size_t other, std::size_t scheduler) const {
    if (warp == current_[scheduler] || other == current_[scheduler])
      return warp == current_[scheduler];
    const auto perBlock = static_cast<std::size_t>(perBlock_);
    return warp / perBlock != other / perBlock ? warp < other : warp > other;
  }

  void note(WarpState state, int cycles) { states_[static_cast<std::size_t>(state)] += cycles; }

  void step(std::size_t scheduler) {
    int& busy = busyUntil_[scheduler];
    std::size_t chosen = warps_.size();
    for (std::size_t w = scheduler; w < warps_.size(); w += kSchedulers) {
      Warp& warp = warps_[w];
      if (now_ <= warp.last) continue;  // its instruction loses cycles to the register file
      if (warp.ended == turnsOfEach_) continue;
      const WarpState state = stateOf(warp, scheduler);
      note(state, 1);
      if (state != WarpState::Ready) continue;
      if (warp.couldGoOn < 0) warp.couldGoOn = now_;
      if (chosen == warps_.size() || goesBefore(w, chosen, scheduler)) chosen = w;
    }
    sass::WritePorts& ports = ports_[scheduler];
    if (now_ < busy) return;
    if (chosen == warps_.size()) return ports.idle(now_);
    current_[scheduler] = chosen;
    const Slot& slot = slots_[warps_[chosen].next];
    const int lost = slot.banks + portsHold(ports, slot);
    busy = now_ + lost + 1;
    if (closes(warps_[chosen]) && slots_.size() > kCachedInstructions)
      busy += kRefetch / static_cast<int>((warps_.size() + kSchedulers - 1) / kSchedulers);
    for (int cycle = now_ + lost + 1; cycle < busy; ++cycle) ports.idle(cycle);
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
      const SmMemory::Ends ends = memory_.access(index % kSchedulers, *slot.memory, at);
      const bool slow = slot.memory->kind == MemoryAccess::Kind::GlobalLoad ||
                        slot.memory->kind == MemoryAccess::Kind::Copy;
      count(warp, slot.writes, ends.result, slow);
      count(warp, slot.reads, ends.operands, false);
      if (slot.effect == Effect::AsyncCopy) warp.lastCopy = std::max(warp.lastCopy, ends.result);
    } else if (slot.effect == Effect::AsyncCommit) {
      count(warp, slot.writes, std::max(at + 1, warp.lastCopy), true);
    } else if (slot.effect == Effect::Barrier) {
      meet(index, at);
    } else {
      count(warp, slot.writes, at + slot.latency, false);
      count(warp, slot.reads, at + kOtherLatency, false);
    }
    warp.last = at;
    warp.from = std::max(warp.from, at + slot.stall);
    // Other warps go first: what is fetched again serves them, too.
    if (closes(warp))
      warp.from = std::max({warp.from, at + kJumpLatency, busyUntil_[index % kSchedulers] + 1});
    warp.couldGoOn = -1;
    if (++warp.next == slots_.size()) {
      warp.next = 0;
      if (++warp.ended == turnsOfEach_) --atWork_;
    }
  }

  void meet(std::size_t index, int at) {
    Warp& warp = warps_[index];
    warp.holds = at + kBarrierDelay - 1;
    warp.opens = kNever;
    const std::size_t block = index / static_cast<std::size_t>(perBlock_);
    if (++arrived_[block] < perBlock_) return;
    arrived_[block] = 0;
    const int latency = kBarrierLatency + kBarrierPerWarp * perBlock_;
    for (std::size_t w = block * static_cast<std::size_t>(perBlock_);
         w < std::min(warps_.size(), (block + 1) * static_cast<std::size_t>(perBlock_)); ++w)
      warps_[w].opens = at + latency;
  }

  std::span<const Slot> slots_;
  bool jumps_;  // the last instruction closes the loop
  int perBlock_;
  std::vector<Warp> warps_;
  std::vector<int> arrived_;  // per block: warps at its barrier
  std::array<int, kSchedulers> busyUntil_{};
  std::array<std::size_t, kSchedulers> current_{};
  std::array<sass::WritePorts, kSchedulers> ports_{};
  SmMemory memory_;
  std::array<double, kWarpStates> states_{};  // cycles of all warps
  std::size_t turnsOfEach_;
  std::size_t atWork_;  // warps that have not ended all iterations
  int now_ = 0;
};

}  // namespace

TurnTime turnTime(std::span<const Op> turn, std::span<const sass::Lost> lost,
                  const Residency& residency) {
  if (turn.empty() || lost.size() != turn.size() || residency.warps < 1) return {};
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < turn.size(); ++i)
    slots.push_back(slotOf(turn[i], lost[i], residency));
  const TurnTime few = Sm(slots, residency, kFewTurns).run();
  TurnTime all = Sm(slots, residency, kTurns).run();
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
