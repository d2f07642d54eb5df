// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <string_view>
#include <utility>

namespace tileloom::rewrite {
namespace {

constexpr int kScoreboards = 6;
constexpr int kScoreboardDelay = 2;  // cycles until an incremented scoreboard is seen

// Instructions without an effect on memory but with unknown latency: NVIDIA's assembler gives them
// scoreboards in all kernels of this program for compute capability 9.0.
constexpr std::array<std::string_view, 8> kUnknownTime = {"LDC",   "S2R", "S2UR", "MUFU",
                                                          "REDUX", "F2I", "I2F",  "LDSM"};

// Whether it uses the queue of memory accesses.
bool isAccess(const Op& op) {
  switch (op.code.effect()) {
    case sass::Effect::SharedLoad:
    case sass::Effect::SharedStore:
    case sass::Effect::GlobalLoad:
    case sass::Effect::GlobalStore:
    case sass::Effect::GlobalAtomic:
    case sass::Effect::AsyncCopy:
    case sass::Effect::AsyncCommit:
      return !op.never();
    default:
      return false;
  }
}

// Whether the same unit of the hardware executes both, in order.
bool sameKind(const Op& a, const Op& b) {
  if (a.code.effect() != b.code.effect()) return false;
  return a.code.effect() != sass::Effect::None || a.code.base() == b.code.base();
}

// Whether results of such instructions arrive in order.
bool arrivesInOrder(const Op& op) {
  return op.code.effect() == sass::Effect::SharedLoad || op.code.base() == "LDC";
}

template <class Visit>
void eachOf(const std::bitset<256>& set, const Visit& visit) {
  for (std::size_t i = 0; i < set.size(); ++i)
    if (set[i]) visit(i);
}

template <class Visit>
void eachOf(unsigned predicates, const Visit& visit) {
  for (std::size_t i = 0; i < 8; ++i)
    if ((predicates >> i & 1) != 0) visit(i);
}

}  // namespace

bool isPlaceholder(const Op& op) {
  return op.never() && op.code.effect() == sass::Effect::SharedLoad;
}

bool isArithmetic(const Op& op) {
  return op.code.effect() == sass::Effect::None && !takesUnknownTime(op);
}

bool takesUnknownTime(const Op& op) {
  if (op.code.control.writeScoreboard >= 0 || op.code.control.readScoreboard >= 0) return true;
  if (std::ranges::find(kUnknownTime, op.code.base()) != kUnknownTime.end()) return !op.never();
  switch (op.code.effect()) {
    case sass::Effect::SharedLoad:
    case sass::Effect::SharedStore:
    case sass::Effect::GlobalLoad:
    case sass::Effect::GlobalStore:
    case sass::Effect::GlobalAtomic:
    case sass::Effect::AsyncCopy:
      return !op.never();
    default:
      return false;
  }
}

// Instructions of one kind read their operands in order, and shared loads arrive in order, so a
// later one implies the completion of earlier ones, if it is executed wherever they are.
bool Issue::follows(std::size_t later, std::size_t earlier, Part part) const {
  const Pending& a = pending_[earlier];
  const Pending& b = pending_[later];
  if (!sameKind(a.op, b.op) || (part == Part::Writes && !arrivesInOrder(a.op))) return false;
  if (!b.op.guarded()) return true;
  return a.op.code.guard == b.op.code.guard && a.guardSince == b.guardSince &&
         a.op.code.form->uniformGuard == b.op.code.form->uniformGuard;
}

int Issue::scoreboardFor(std::size_t at, Part part) const {
  const auto tells = [part](const Pending& p) {
    const sass::Control& control = p.op.code.control;
    if (control.writeScoreboard >= 0) return control.writeScoreboard;
    return part == Part::Reads ? control.readScoreboard : -1;
  };
  for (std::size_t i = at; i < pending_.size(); ++i) {
    if (i != at && !follows(i, at, part)) continue;
    if (const int scoreboard = tells(pending_[i]); scoreboard >= 0) return scoreboard;
  }
  return -1;
}

Issue::Needs Issue::needsOf(const Op& op) const {
  Needs needs;
  const bool barrier = op.code.effect() == sass::Effect::Barrier;
  for (std::size_t i = 0; i < pending_.size(); ++i) {
    const Pending& p = pending_[i];
    const auto require = [&](Part part) {
      const int scoreboard = scoreboardFor(i, part);
      if (scoreboard < 0) {
        needs.problem = fmt::format("\"{}\" has to wait for \"{}\", but has no scoreboard for that",
                                    op.code.text(), p.op.code.text());
      } else {
        needs.wait |= 1u << scoreboard;
      }
    };
    const bool used = overlap(op.reads, p.op.writes) || overlap(op.writes, p.op.writes);
    const bool arrives = barrier && p.op.code.effect() == sass::Effect::SharedLoad;
    if (p.writes && (used || arrives)) require(Part::Writes);
    if (p.reads && overlap(op.writes, p.op.reads)) require(Part::Reads);
  }
  const unsigned waits = needs.wait | op.code.control.wait;
  for (const Pending& p : pending_) {
    for (const int scoreboard :
         {p.op.code.control.writeScoreboard, p.op.code.control.readScoreboard}) {
      if (scoreboard >= 0 && (waits >> scoreboard & 1) != 0)
        needs.cycles = std::max(needs.cycles, p.since + kScoreboardDelay - now_);
    }
  }
  if (op.code.effect() == sass::Effect::AsyncCopy && !op.never() && loaded_ &&
      placeholders_ < kPlaceholders) {
    needs.problem = fmt::format(
        "\"{}\" follows a shared load without the three placeholders that must precede it",
        op.code.text());
  }
  if (!isArithmetic(op))
    needs.cycles = std::max({needs.cycles, barrierHolds_ - now_, waitHolds_ - now_});
  if (isAccess(op)) {
    const bool commit = op.code.effect() == sass::Effect::AsyncCommit;
    needs.cycles = std::max(needs.cycles, (commit ? commitFrom_ : accessFrom_) - now_);
  }
  const auto until = [&needs, this](int ready) {
    needs.cycles = std::max(needs.cycles, ready - now_);
  };
  eachOf(op.reads.registers | op.writes.registers,
         [&](std::size_t r) { until(ready_.general[r]); });
  const int later = op.code.effect() == sass::Effect::None ? 0 : kUniformToMemory;
  eachOf(op.reads.uniform | op.writes.uniform, [&](std::size_t r) {
    if (ready_.uniform[r] > 0) until(ready_.uniform[r] + later);
  });
  eachOf(static_cast<unsigned>(op.reads.predicates | op.writes.predicates),
         [&](std::size_t r) { until(ready_.predicates[r]); });
  eachOf(static_cast<unsigned>(op.reads.uniformPredicates | op.writes.uniformPredicates),
         [&](std::size_t r) { until(ready_.uniformPredicates[r]); });
  return needs;
}

void Issue::release(int scoreboard) {
  for (std::size_t at = pending_.size(); at-- > 0;) {
    const sass::Control& control = pending_[at].op.code.control;
    const bool written = control.writeScoreboard == scoreboard;
    if (!written && control.readScoreboard != scoreboard) continue;
    pending_[at].reads = false;
    if (written) pending_[at].writes = false;
    for (std::size_t before = 0; before < at; ++before) {
      if (follows(at, before, Part::Reads)) pending_[before].reads = false;
      if (written && follows(at, before, Part::Writes)) pending_[before].writes = false;
    }
  }
  std::erase_if(pending_, [](const Pending& p) { return !p.reads && !p.writes; });
}

void Issue::releaseWaitsOf(const Op& op) {
  for (int scoreboard = 0; scoreboard < kScoreboards; ++scoreboard)
    if ((op.code.control.wait >> scoreboard & 1) != 0) release(scoreboard);
}

void Issue::setReady(const Op& op, const Latencies& after) {
  eachOf(op.writes.registers, [&](std::size_t r) { ready_.general[r] = now_ + after.registers; });
  eachOf(op.writes.uniform, [&](std::size_t r) { ready_.uniform[r] = now_ + after.uniform; });
  eachOf(unsigned{op.writes.predicates},
         [&](std::size_t r) { ready_.predicates[r] = now_ + after.predicates; });
  eachOf(unsigned{op.writes.uniformPredicates},
         [&](std::size_t r) { ready_.uniformPredicates[r] = now_ + after.predicates; });
}

void Issue::issue(const Op& op) {
  releaseWaitsOf(op);
  if (takesUnknownTime(op)) {
    const auto guard = static_cast<std::size_t>(op.code.guard.predicate);
    Pending its{op, true, !empty(op.writes), now_,
                predicateWrites_[op.code.form->uniformGuard ? 1 : 0][guard]};
    // Guards and other predicates are read when the instruction is issued.
    its.op.reads.predicates = its.op.reads.uniformPredicates = 0;
    pending_.push_back(std::move(its));
  } else {
    setReady(op, latenciesOf(op));
  }
  if (op.code.effect() == sass::Effect::Barrier) barrierHolds_ = now_ + kBarrierDelay;
  if (op.code.effect() == sass::Effect::Wait) waitHolds_ = now_ + kWaitDelay;
  if (isPlaceholder(op)) {
    ++placeholders_;
  } else {
    placeholders_ = 0;
    if (op.code.effect() == sass::Effect::SharedLoad) loaded_ = true;
    if (op.code.effect() == sass::Effect::AsyncCopy) loaded_ = false;
  }
  if (isAccess(op)) {
    const bool copy = op.code.effect() == sass::Effect::AsyncCopy;
    accessFrom_ = now_ + kAccessDelay;
    commitFrom_ = now_ + (copy ? kCommitDelay : kAccessDelay);
  }
  eachOf(unsigned{op.writes.predicates}, [this](std::size_t p) { ++predicateWrites_[0][p]; });
  eachOf(unsigned{op.writes.uniformPredicates},
         [this](std::size_t p) { ++predicateWrites_[1][p]; });
  now_ += std::max(1, op.code.control.stall);
}

void Issue::issueKnown(const Op& op, bool surely) {
  Op its = op;
  if (!surely) its.code.control.wait = 0;
  releaseWaitsOf(its);
  for (Pending& p : pending_) {
    if (!surely) break;
    const bool used = overlap(op.reads, p.op.writes) || overlap(op.writes, p.op.writes);
    if (used) p.writes = false;
    if (used || overlap(op.writes, p.op.reads)) p.reads = false;
  }
  if (surely) releaseCopies(op);
  std::erase_if(pending_, [](const Pending& p) { return !p.reads && !p.writes; });
  const int before = now_;
  issue(its);
  if (!surely) now_ = before;
}

// A wait for all copies up to a commit: they are complete, including the reads of their addresses.
void Issue::releaseCopies(const Op& wait) {
  int scoreboard = -1;
  std::int64_t left = -1;  // that need not be complete
  for (const sass::DecodedOperand& operand : wait.code.operands) {
    if (operand.kind == sass::OperandKind::Scoreboard) scoreboard = operand.number;
    if (operand.kind == sass::OperandKind::Immediate) left = operand.value;
  }
  const bool waits = wait.code.effect() == sass::Effect::Wait && !wait.guarded();
  if (!waits || scoreboard < 0 || left != 0) return;
  std::size_t end = pending_.size();
  while (end > 0 && (pending_[end - 1].op.code.effect() != sass::Effect::AsyncCommit ||
                     pending_[end - 1].op.code.control.writeScoreboard != scoreboard))
    --end;
  for (std::size_t i = 0; i < end; ++i)
    if (pending_[i].op.code.effect() == sass::Effect::AsyncCopy) pending_[i].reads = false;
}

void Issue::pass(const Op& op) {
  releaseWaitsOf(op);
  setReady(op, {0, -kUniformToMemory, 0});
  now_ += std::max(1, op.code.control.stall);
}

unsigned Issue::pending() const {
  unsigned all = 0;
  for (const Pending& p : pending_) {
    const sass::Control& control = p.op.code.control;
    if (control.writeScoreboard >= 0) all |= 1u << control.writeScoreboard;
    if (p.reads && control.readScoreboard >= 0) all |= 1u << control.readScoreboard;
  }
  return all;
}

}  // namespace tileloom::rewrite
