// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/register_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <numeric>
#include <optional>
#include <utility>

namespace tileloom::rewrite {
namespace {

// A kernel's number of registers includes two that no instruction may name: in 131 kernels for 9.0
// it is the highest number + 3, and a kernel that names one of the last two fails with an illegal
// instruction.
constexpr int kReserved = 2;
constexpr std::size_t kStackPointer = 1;  // R1, by NVIDIA's calling convention
constexpr int kMost = 255;                // registers per thread; the number 255 is RZ
constexpr int kNone = -1;
using Registers = std::bitset<kMost + 1>;

void add(Registers& set, const LoadedWords& words) {
  for (int word = 0; word < words.count; ++word)
    set.set(static_cast<std::size_t>(words.first + word));
}

// Registers of instructions that are neither multiply-adds nor loads of fragments, in groups that
// must stay neighbours because one operand names several of them.
class Others {
 public:
  Others() { std::iota(group_.begin(), group_.end(), 0); }

  void add(const Op& op) {
    used |= op.reads.registers | op.writes.registers;
    for (const sass::DecodedOperand& operand : op.code.operands) {
      if (!namesRegisters(operand)) continue;
      for (int i = 1; i < operand.registers; ++i) join(operand.number, operand.number + i);
    }
    for (std::size_t reg = 0; reg < kMost; ++reg) {
      if (op.reads.registers[reg] && !written[reg]) readFirst.set(reg);
    }
    written |= op.writes.registers;
  }

  Registers used, written;
  Registers readFirst;  // before any instruction of these has written them

  // The registers in the same group as `reg`, in order.
  std::vector<int> groupOf(int reg) const {
    std::vector<int> its;
    for (int other = 0; other < kMost; ++other)
      if (used[static_cast<std::size_t>(other)] && root(other) == root(reg)) its.push_back(other);
    return its;
  }

 private:
  int root(int reg) const {
    while (group_[static_cast<std::size_t>(reg)] != reg)
      reg = group_[static_cast<std::size_t>(reg)];
    return reg;
  }
  void join(int a, int b) { group_[static_cast<std::size_t>(root(b))] = root(a); }

  std::array<int, kMost + 1> group_{};
};

// The first of `count` free registers that begin at a multiple of `alignment`, plus `odd`.
std::optional<int> take(Registers& free, int count, int alignment, int odd = 0) {
  for (int first = odd; first + count <= kMost; first += alignment) {
    bool all = true;
    for (int i = 0; i < count && all; ++i) all = free[static_cast<std::size_t>(first + i)];
    if (!all) continue;
    for (int i = 0; i < count; ++i) free.reset(static_cast<std::size_t>(first + i));
    return first;
  }
  return std::nullopt;
}

// Registers for the pieces of a second set, the wide ones first; pieces without room are left out.
// For consecutive single words, even and odd registers alternate as long as there are both
// (outer_products.cpp puts those of set 0 in such an order).
FragmentSet secondSet(Registers& free, const FragmentSet& first) {
  FragmentSet second = first;
  for (const int count : {4, 2, 1}) {
    for (std::vector<LoadedWords>* pieces : {&second.rows, &second.columns}) {
      int word = 0;
      for (LoadedWords& piece : *pieces) {
        const int odd = word % 2;
        word += piece.count;
        if (piece.count != count) continue;
        auto its = count == 1 ? take(free, 1, 2, odd) : take(free, count, count);
        if (!its && count == 1) its = take(free, 1, 1);
        piece.first = its.value_or(kNone);
      }
    }
  }
  const auto none = [](const LoadedWords& piece) { return piece.first == kNone; };
  std::erase_if(second.rows, none);
  std::erase_if(second.columns, none);
  return second;
}

}  // namespace

tl::expected<RegisterPlan, std::string> planRegisters(const LoopCode& loop,
                                                      const ProductLoop& products,
                                                      const LiveAround& live, int registersBefore,
                                                      int limit) {
  if (registersBefore > limit) {
    return tl::unexpected(fmt::format("it has {} registers per thread, but only {} are allowed",
                                      registersBefore, limit));
  }
  RegisterPlan plan;
  Registers kept;  // hold an accumulator or a fragment of set 0 all the time
  for (const int sum : products.sums) kept.set(static_cast<std::size_t>(sum));
  for (const Piece& piece : products.steps[0].rows) {
    plan.sets[0].rows.push_back(piece.words);
    add(kept, piece.words);
  }
  for (const Piece& piece : products.steps[0].columns) {
    plan.sets[0].columns.push_back(piece.words);
    add(kept, piece.words);
  }

  Others others;
  Registers addresses;
  for (std::size_t i = 0; i < loop.turn.size(); ++i) {
    const Op& op = loop.turn[i];
    if (multiplyAddOf(op.code)) continue;
    if (products.loads(i)) {
      addresses |= op.reads.registers;
    } else {
      others.add(op);
    }
  }

  Registers free;
  for (int reg = 0; reg < std::min(limit, kMost) - kReserved; ++reg)
    free.set(static_cast<std::size_t>(reg));
  free.reset(kStackPointer);
  free &= ~(kept | others.used | addresses | live.turn.registers | live.exit.registers);

  plan.sets[1] = secondSet(free, plan.sets[0]);
  const std::size_t pieces = plan.sets[1].rows.size() + plan.sets[1].columns.size();
  const std::size_t wanted = plan.sets[0].rows.size() + plan.sets[0].columns.size();
  if (pieces < wanted) {
    return tl::unexpected(
        fmt::format("a second set of fragments needs registers for {} loads, but with {} registers "
                    "per thread only those for {} are free",
                    wanted, limit, pieces));
  }

  const Registers clash = others.written & kept;
  for (int reg = 0; reg < kMost; ++reg) {
    if (!clash[static_cast<std::size_t>(reg)] || plan.moved.contains(reg)) continue;
    const std::vector<int> group = others.groupOf(reg);
    for (const int its : group) {
      const auto at = static_cast<std::size_t>(its);
      const bool outlives = others.readFirst[at] || live.exit.registers[at];
      if (outlives && !kept[at]) {
        return tl::unexpected(
            fmt::format("R{} holds an address and shares an operand with a register that is needed "
                        "for an accumulator or a fragment",
                        its));
      }
      if (others.readFirst[at]) {
        return tl::unexpected(fmt::format(
            "another instruction of the loop reads R{}, which is an accumulator or a fragment",
            its));
      }
    }
    const int count = group.back() - group.front() + 1;
    const int alignment = count > 2 ? 4 : count;
    const auto first = take(free, count, alignment);
    if (!first) {
      return tl::unexpected(
          fmt::format("no {} registers of {} per thread are free for the temporary value of R{}",
                      count, limit, reg));
    }
    for (const int its : group) plan.moved[its] = *first + its - group.front();
  }

  int last = registersBefore - 1 - kReserved;
  for (const auto& [from, to] : plan.moved) last = std::max(last, to);
  for (const std::vector<LoadedWords>& its : {plan.sets[1].rows, plan.sets[1].columns})
    for (const LoadedWords& words : its) last = std::max(last, words.first + words.count - 1);
  plan.perThread = last + 1 + kReserved;
  return plan;
}

}  // namespace tileloom::rewrite
