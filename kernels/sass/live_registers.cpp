// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/live_registers.h"

#include <algorithm>
#include <array>
#include <bitset>

#include "kernels/sass/basic_blocks.h"

namespace tileloom::sass {
namespace {

using RegisterSet = std::bitset<256>;

constexpr std::size_t kStackPointer = 1;
constexpr int kPredicates = 7;  // without PT

// Live registers at the start of a block.
struct Live {
  RegisterSet certain;
  // Needed behind a call under this predicate that writes them, but only if it is not executed.
  // nvdisasm takes them for live up to the start of the block that sets the predicate.
  std::array<RegisterSet, kPredicates> unlessCalled;

  RegisterSet all() const {
    RegisterSet set = certain;
    for (const RegisterSet& each : unlessCalled) set |= each;
    return set;
  }
  bool operator==(const Live&) const = default;
};

// What a called function may change, by the calling convention: registers 2 to 15, and from 32 on
// the first four of each eight.
RegisterSet changedByCalls(std::size_t highest) {
  RegisterSet set;
  for (std::size_t r = 2; r <= highest; ++r)
    if (r < 16 || (r >= 32 && r % 8 < 4)) set.set(r);
  return set;
}

// What a block needs and gives, without its neighbours.
struct BlockUse {
  RegisterSet needed;  // read before the block certainly writes them
  RegisterSet given;   // certainly written
  // Written under the guard of its last instruction. Where that one branches, they are given.
  RegisterSet givenIfTaken;
  std::uint8_t predicates = 0;  // that it sets; bit i: Pi
};

class LiveRegisters {
 public:
  LiveRegisters(std::span<const Decoded> code, std::vector<BasicBlock> blocks)
      : code_(code), blocks_(std::move(blocks)), reads_(code.size()), writes_(code.size()) {
    findUses();
    for (const BasicBlock& block : blocks_) uses_.push_back(useOf(block));
    at_.resize(blocks_.size());
    while (pass()) {
    }
  }

  std::vector<int> counts() const {
    std::vector<int> counts(code_.size());
    for (const BasicBlock& block : blocks_) {
      RegisterSet live = behind(block);
      for (std::size_t i = block.end; i-- > block.begin;) {
        RegisterSet seen = live | writes_[i];
        if (isCertain(i)) live &= ~writes_[i];
        live |= reads_[i];
        seen |= live;
        counts[i] = static_cast<int>(seen.count());
      }
    }
    return counts;
  }

 private:
  bool isCertain(std::size_t i) const {
    return !isConditional(code_[i]) && !code_[i].guard.negated;
  }
  bool isCall(std::size_t i) const { return code_[i].effect() == Effect::Call; }
  const Decoded& lastOf(const BasicBlock& block) const { return code_[block.end - 1]; }

  void findUses() {
    std::size_t highest = 0;
    for (std::size_t i = 0; i < code_.size(); ++i) {
      reads_[i] = code_[i].reads().registers;
      writes_[i] = code_[i].writes().registers;
      const RegisterSet used = reads_[i] | writes_[i];
      for (std::size_t r = highest; r < used.size(); ++r)
        if (used[r]) highest = r;
      if (code_[i].effect() == Effect::Exit) reads_[i].set(kStackPointer);
    }
    for (std::size_t i = 0; i < code_.size(); ++i)
      if (isCall(i)) writes_[i] = changedByCalls(highest);
  }

  BlockUse useOf(const BasicBlock& block) const {
    BlockUse use;
    const Guard guard = lastOf(block).guard;
    int settings = 0;  // of the guard's predicate
    for (std::size_t i = block.begin; i < block.end; ++i) {
      use.needed |= reads_[i] & ~use.given;
      if (isCertain(i)) use.given |= writes_[i];
      const std::uint8_t sets = code_[i].writes().predicates;
      use.predicates = static_cast<std::uint8_t>(use.predicates | sets);
      if ((sets >> guard.predicate & 1) != 0) {
        use.givenIfTaken.reset();
        ++settings;
      }
      if (code_[i].guard == guard) use.givenIfTaken |= writes_[i];
    }
    // nvdisasm does not follow a predicate that a block sets twice.
    if (!isConditional(lastOf(block)) || settings > 1) use.givenIfTaken.reset();
    return use;
  }

  // What a called function needs of its caller's registers.
  static RegisterSet neededByCalled(const RegisterSet& live) {
    RegisterSet asked;
    asked.set(0);
    asked.set(kStackPointer);
    return live & asked;
  }

  RegisterSet behind(const BasicBlock& block) const {
    RegisterSet live;
    const std::uint8_t sets = uses_[static_cast<std::size_t>(&block - blocks_.data())].predicates;
    if (block.next) live |= afterSetting(at_[*block.next], sets).all();
    if (block.target) {
      const Live there = afterSetting(at_[*block.target], sets);
      live |= isCall(block.end - 1) ? neededByCalled(there.certain) : there.all();
    }
    return live;
  }

  // At the end of a block that sets these predicates.
  static Live afterSetting(Live live, std::uint8_t predicates) {
    for (int p = 0; p < kPredicates; ++p)
      if ((predicates >> p & 1) != 0) live.unlessCalled[static_cast<std::size_t>(p)].reset();
    return live;
  }

  Live before(const BasicBlock& block, const BlockUse& use) const {
    Live live;
    const Decoded& last = lastOf(block);
    const auto guard = static_cast<std::size_t>(last.guard.predicate);
    const auto join = [&live](const RegisterSet& certain, const Live& other) {
      live.certain |= certain;
      for (std::size_t p = 0; p < other.unlessCalled.size(); ++p)
        live.unlessCalled[p] |= other.unlessCalled[p];
    };
    const bool calls = isCall(block.end - 1);
    if (block.next) {
      const Live there = afterSetting(at_[*block.next], use.predicates);
      const RegisterSet lost = calls ? use.givenIfTaken : RegisterSet();
      join(there.certain & ~lost, there);
      if (lost.any() && (use.predicates >> guard & 1) == 0)
        live.unlessCalled[guard] |= there.certain & lost;
    }
    if (block.target) {
      const Live there = afterSetting(at_[*block.target], use.predicates);
      if (calls) {
        live.certain |= neededByCalled(there.certain);
      } else {
        join(there.certain & ~use.givenIfTaken, there);
      }
    }
    live.certain = use.needed | (live.certain & ~use.given);
    for (RegisterSet& each : live.unlessCalled) each &= ~(use.given | live.certain);
    return live;
  }

  bool pass() {
    bool changed = false;
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      Live live = before(blocks_[b], uses_[b]);
      if (live == at_[b]) continue;
      at_[b] = live;
      changed = true;
    }
    return changed;
  }

  std::span<const Decoded> code_;
  std::vector<BasicBlock> blocks_;
  std::vector<RegisterSet> reads_, writes_;
  std::vector<BlockUse> uses_;
  std::vector<Live> at_;
};

}  // namespace

std::optional<std::vector<int>> liveRegisters(std::span<const Decoded> code) {
  auto blocks = basicBlocks(code);
  if (!blocks) return std::nullopt;
  return LiveRegisters(code, std::move(*blocks)).counts();
}

}  // namespace tileloom::sass
