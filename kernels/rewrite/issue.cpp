// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <utility>

namespace tileloom::rewrite {
namespace {

constexpr int kScoreboards = 6;
constexpr int kScoreboardDelay = 2;  // cycles until a scoreboard that counts up is seen

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

bool isArithmetic(const Op& op) {
  return op.code.effect() == sass::Effect::None && !takesUnknownTime(op);
}

bool takesUnknownTime(const Op& op) {
  if (op.code.control.writeScoreboard >= 0 || op.code.control.readScoreboard >= 0) return true;
  switch (op.code.effect()) {
    case sass::Effect::SharedLoad:
    case sass::Effect::SharedStore:
    case sass::Effect::GlobalLoad:
    case sass::Effect::GlobalStore:
    case sass::Effect::AsyncCopy:
      return !op.never();
    default:
      return false;
  }
}

int Issue::scoreboardFor(std::size_t at, Part part) const {
  const Pending& its = pending_[at];
  const auto tells = [part](const Pending& p) {
    const sass::Control& control = p.op.code.control;
    if (control.writeScoreboard >= 0) return control.writeScoreboard;
    return part == Part::Reads ? control.readScoreboard : -1;
  };
  // Operands are read in order by instructions of one kind, and shared loads arrive in order, so
  // that a later one tells of those before it.
  const bool inOrder = part == Part::Reads || its.op.code.effect() == sass::Effect::SharedLoad;
  for (std::size_t i = at; i < pending_.size(); ++i) {
    if (i != at && (!inOrder || pending_[i].op.code.effect() != its.op.code.effect())) continue;
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
        needs.problem = fmt::format("\"{}\" has to wait for \"{}\", and no scoreboard tells when",
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
  if (!isArithmetic(op)) needs.cycles = std::max(needs.cycles, barrierHolds_ - now_);
  const auto until = [&needs, this](int ready) {
    needs.cycles = std::max(needs.cycles, ready - now_);
  };
  eachOf(op.reads.registers | op.writes.registers,
         [&](std::size_t r) { until(ready_.general[r]); });
  eachOf(op.reads.uniform | op.writes.uniform, [&](std::size_t r) { until(ready_.uniform[r]); });
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
    const auto kind = pending_[at].op.code.effect();
    for (std::size_t before = 0; before < at; ++before) {
      if (pending_[before].op.code.effect() != kind) continue;
      pending_[before].reads = false;
      if (written && kind == sass::Effect::SharedLoad) pending_[before].writes = false;
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
    Pending its{op, true, true, now_};
    // Guards and other predicates are read when the instruction is issued.
    its.op.reads.predicates = its.op.reads.uniformPredicates = 0;
    pending_.push_back(std::move(its));
  } else {
    setReady(op, latenciesOf(op));
  }
  if (op.code.effect() == sass::Effect::Barrier) barrierHolds_ = now_ + kBarrierDelay;
  now_ += std::max(1, op.code.control.stall);
}

void Issue::pass(const Op& op) {
  releaseWaitsOf(op);
  setReady(op, {0, 0, 0});
  now_ += std::max(1, op.code.control.stall);
}

unsigned Issue::pending() const {
  unsigned all = 0;
  for (const Pending& p : pending_) {
    for (const int scoreboard :
         {p.op.code.control.writeScoreboard, p.op.code.control.readScoreboard})
      if (scoreboard >= 0) all |= 1u << scoreboard;
  }
  return all;
}

}  // namespace tileloom::rewrite
