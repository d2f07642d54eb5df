// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "kernels/rewrite/issue.h"

namespace tileloom::rewrite {
namespace {

constexpr int kMostStall = 11;  // larger ones need the yield bit, or the instruction is illegal
constexpr int kTurns = 2;       // one iteration affects the next
constexpr int kMostRounds = 200;

// The state when the loop begins. Instructions that a forward branch may skip are not certain to
// execute.
Issue issueBefore(std::span<const Op> before) {
  Issue issue;
  std::size_t certainFrom = 0;
  for (const Op& op : before) {
    issue.issueKnown(op, op.at >= certainFrom);
    if (op.code.effect() != sass::Effect::Branch) continue;
    if (const auto target = op.code.target()) {
      const std::size_t to = *target / static_cast<std::uint32_t>(sass::kCodeWordBytes);
      if (to <= before.back().at) certainFrom = std::max(certainFrom, to);
    }
  }
  return issue;
}

// The next instructions after the loop, while results of the loop can still be in flight.
std::span<const Op> reached(std::span<const Op> behind) {
  constexpr std::size_t kFar = 64;
  std::size_t count = 0;
  while (count < std::min(kFar, behind.size())) {
    const sass::Effect effect = behind[count].code.effect();
    ++count;
    if (effect == sass::Effect::Branch || effect == sass::Effect::Exit ||
        effect == sass::Effect::Call)
      break;
  }
  return behind.first(count);
}

// An instruction that is issued too early: what it needs, and its place in the iteration
// (std::nullopt: after the loop).
struct Early {
  std::optional<std::size_t> place;
  Issue::Needs needs;
};

std::optional<Early> firstEarly(const Issue& start, std::span<const Op> turn,
                                std::span<const Op> behind) {
  Issue issue = start;
  const auto early = [](const Op& op, const Issue::Needs& needs) {
    return !needs.problem.empty() || (needs.wait & ~op.code.control.wait) != 0 || needs.cycles > 0;
  };
  for (int turns = 0; turns < kTurns; ++turns) {
    for (std::size_t i = 0; i < turn.size(); ++i) {
      Issue::Needs needs = issue.needsOf(turn[i]);
      if (early(turn[i], needs)) return Early{i, std::move(needs)};
      issue.issue(turn[i]);
    }
  }
  for (const Op& op : reached(behind)) {
    Issue::Needs needs = issue.needsOf(op);
    if (early(op, needs)) return Early{std::nullopt, std::move(needs)};
    issue.pass(op);
  }
  // No later instruction is examined: nothing may be in flight there.
  if (const unsigned left = issue.pending(); left != 0)
    return Early{std::nullopt, {.wait = left, .cycles = 0, .problem = {}}};
  return std::nullopt;
}

std::string sentenceOf(const Early& early, std::span<const Op> turn) {
  if (!early.needs.problem.empty()) return early.needs.problem;
  const std::string where = early.place ? fmt::format("\"{}\"", turn[*early.place].code.text())
                                        : "the code after the loop";
  if (early.needs.cycles > 0)
    return fmt::format("{} is issued {} cycles too early", where, early.needs.cycles);
  return fmt::format("{} does not wait for scoreboards that it needs (bits {:06b})", where,
                     early.needs.wait);
}

// Adds `cycles` to the stalls of the instructions before `place`, the nearest first.
bool stallBefore(std::span<Op> turn, std::size_t place, int cycles) {
  for (std::size_t i = place; i-- > 0 && cycles > 0;) {
    int& stall = turn[i].code.control.stall;
    const int more = std::min(cycles, kMostStall - stall);
    stall += more;
    cycles -= more;
  }
  return cycles <= 0;
}

}  // namespace

std::string setWaits(std::span<const Op> before, std::span<Op> turn, std::span<const Op> behind) {
  const Issue start = issueBefore(before);
  // Waits first: each round may reveal further ones, but only in the second iteration.
  for (int round = 0; round < kMostRounds; ++round) {
    Issue issue = start;
    bool changed = false;
    for (int turns = 0; turns < kTurns; ++turns) {
      for (std::size_t i = 0; i < turn.size(); ++i) {
        Op& op = turn[i];
        Issue::Needs needs = issue.needsOf(op);
        if (!needs.problem.empty()) return needs.problem;
        // Nothing of an iteration is in flight any more when the next one, or the code after it,
        // begins.
        if (i + 1 == turn.size()) needs.wait |= issue.pending();
        if ((needs.wait & ~op.code.control.wait) != 0) {
          op.code.control.wait |= needs.wait;
          changed = true;
        }
        issue.issue(op);
      }
    }
    if (!changed) break;
  }
  for (int round = 0; round < kMostRounds; ++round) {
    const auto early = firstEarly(start, turn, behind);
    if (!early) return {};
    const bool canStall = early->needs.problem.empty() && early->needs.cycles > 0;
    const std::size_t place = early->place.value_or(turn.size());
    // An instruction at the beginning of an iteration is too early after the branch that closes it.
    const bool stalled =
        canStall && stallBefore(turn, place == 0 ? turn.size() : place, early->needs.cycles);
    if (!stalled) return sentenceOf(*early, turn);
  }
  return "its stall cycles do not converge";
}

std::string whyTooEarly(std::span<const Op> before, std::span<const Op> turn,
                        std::span<const Op> behind) {
  for (const Op& op : turn) {
    const sass::Control& control = op.code.control;
    if (!control.yield && (control.stall < 1 || control.stall > kMostStall))
      return fmt::format("\"{}\" stalls {} cycles, which is illegal without the yield bit",
                         op.code.text(), control.stall);
  }
  const auto early = firstEarly(issueBefore(before), turn, behind);
  return early ? sentenceOf(*early, turn) : std::string();
}

}  // namespace tileloom::rewrite
