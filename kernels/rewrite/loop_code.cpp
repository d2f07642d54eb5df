// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/loop_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "kernels/rewrite/known.h"
#include "kernels/sass/mix.h"

namespace tileloom::rewrite {
namespace {

using sass::Effect;

std::size_t indexOf(std::uint32_t address) {
  return address / static_cast<std::uint32_t>(sass::kCodeWordBytes);
}

// The padding after the last instruction is a branch to itself and further placeholders.
bool isPadding(const Op& op) {
  return op.code.effect() == Effect::Branch && op.code.target() == op.code.address;
}

bool returns(const Op& op) {
  return op.code.effect() == Effect::Call && op.code.base() == kReturn;
}

// Where a branch or a call leads to, besides the next instruction.
std::optional<std::size_t> jumpOf(const Op& op) {
  if (op.code.effect() != Effect::Branch && op.code.effect() != Effect::Call) return std::nullopt;
  const auto target = op.code.target();
  return target ? std::optional(indexOf(*target)) : std::nullopt;
}

bool goesOn(const Op& op) {
  const bool leaves =
      op.code.effect() == Effect::Branch || op.code.effect() == Effect::Exit || returns(op);
  return !leaves || op.guarded();
}

// The instructions of an iteration, with guards instead of forward branches.
tl::expected<std::vector<Op>, std::string> withoutJumps(std::span<const Op> loop) {
  std::vector<Op> turn;
  std::size_t until = 0;  // target of the current branch
  sass::Guard jump;       // its condition
  for (const Op& op : loop.first(loop.size() - 1)) {
    const bool passedOver = op.at < until;
    const Effect effect = op.code.effect();
    if (std::string why = whyNotInLoop(op.code); !why.empty())
      return tl::unexpected(std::move(why));
    if (effect == Effect::Branch) {
      const std::size_t target = jumpOf(op).value_or(0);
      const bool forward = target > op.at && target <= loop.back().at;
      const bool plain = op.guarded() && !op.never() && !op.code.form->uniformGuard;
      if (passedOver || !forward || !plain) {
        return tl::unexpected(
            fmt::format("the branch \"{}\" in the loop cannot become a guard", op.code.text()));
      }
      until = target;
      jump = op.code.guard;
    } else if (!passedOver || op.never()) {
      turn.push_back(op);
    } else {
      const bool changesIt = (op.writes.predicates >> jump.predicate & 1) != 0;
      if (op.guarded() || op.code.form->uniformGuard || changesIt) {
        const std::string_view why = op.code.form->uniformGuard ? "is executed for the whole warp"
                                     : op.guarded()             ? "has a guard of its own"
                                                                : "changes its condition";
        return tl::unexpected(fmt::format("\"{}\", which a branch skips, {}", op.code.text(), why));
      }
      sass::Decoded code = op.code;
      code.guard = {jump.predicate, !jump.negated};
      turn.push_back(Op::of(std::move(code), op.at));
    }
  }
  return turn;
}

// What is live before each instruction, and after the last one.
std::vector<sass::RegisterUse> livenessOf(std::span<const Op> kernel) {
  std::vector<sass::RegisterUse> live(kernel.size() + 1);
  for (bool changed = true; changed;) {
    changed = false;
    sass::RegisterUse behindCalls;  // a return leads behind any of them
    for (std::size_t i = 0; i < kernel.size(); ++i) {
      if (kernel[i].code.effect() == Effect::Call && !returns(kernel[i]))
        behindCalls = united(behindCalls, live[i + 1]);
    }
    for (std::size_t i = kernel.size(); i-- > 0;) {
      const Op& op = kernel[i];
      sass::RegisterUse after;
      if (goesOn(op)) after = live[i + 1];
      if (const auto jump = jumpOf(op); jump && *jump <= kernel.size())
        after = united(after, live[*jump]);
      if (returns(op)) after = united(after, behindCalls);
      if (!op.guarded()) after = without(after, op.writes);
      if (!op.never()) after = united(after, op.reads);
      if (after != live[i]) {
        live[i] = after;
        changed = true;
      }
    }
  }
  return live;
}

}  // namespace

tl::expected<LoopCode, std::string> loopCodeOf(const sass::Cubin& cubin) {
  LoopCode loop;
  for (std::size_t i = 0; i < cubin.words.size(); ++i) {
    const auto address = static_cast<std::uint32_t>(i * sass::kCodeWordBytes);
    auto code = sass::decode(cubin.words[i], address, cubin.capability);
    if (!code) return tl::unexpected(code.error());
    if (std::string why = whyNotInKernel(*code); !why.empty())
      return tl::unexpected(std::move(why));
    Op op = Op::of(std::move(*code), i);
    if (isPadding(op)) break;
    loop.kernel.push_back(std::move(op));
  }
  const auto listing = sass::listingOf(cubin);
  if (!listing) return tl::unexpected(listing.error());
  const sass::Loop found = sass::mainLoop(*listing);
  if (found.whole) return tl::unexpected(std::string("it has no loop with multiply-adds"));
  loop.begin = found.range.begin;
  loop.end = found.range.end;
  for (const Op& op : loop.kernel) {
    const auto target = jumpOf(op);
    if (!target) continue;
    if (*target >= loop.kernel.size())
      return tl::unexpected(fmt::format("\"{}\" branches out of the kernel", op.code.text()));
    const bool outside = op.at < loop.begin || op.at >= loop.end;
    if (outside && *target > loop.begin && *target < loop.end)
      return tl::unexpected(
          fmt::format("\"{}\" branches into the middle of the loop", op.code.text()));
    // What its code leaves in flight would have to be known when the loop begins.
    if (op.at >= loop.end && *target <= loop.begin)
      return tl::unexpected(
          fmt::format("it is inside another loop: \"{}\" leads to it again", op.code.text()));
  }
  auto turn = withoutJumps(std::span(loop.kernel).subspan(loop.begin, loop.end - loop.begin));
  if (!turn) return tl::unexpected(turn.error());
  loop.turn = std::move(*turn);
  return loop;
}

sass::RegisterUse liveBefore(std::span<const Op> kernel, std::size_t at) {
  return livenessOf(kernel)[std::min(at, kernel.size())];
}

LiveAround liveAround(const LoopCode& loop) {
  const std::vector<sass::RegisterUse> live = livenessOf(loop.kernel);
  return {live[loop.begin], live[loop.end]};
}

}  // namespace tileloom::rewrite
