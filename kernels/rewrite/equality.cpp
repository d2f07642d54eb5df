// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/equality.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/rewrite/expressions.h"

namespace tileloom::rewrite {

std::string whyNotEqual(std::span<const Op> before, std::span<const Op> after,
                        const LiveAround& live) {
  if (before.empty() || after.empty()) return "one of the two iterations has no instruction";
  Expressions expressions;
  Execution first(expressions), second(expressions);
  for (const Op& op : before.first(before.size() - 1)) first.run(op);
  for (const Op& op : after.first(after.size() - 1)) second.run(op);

  // A register that only the new iteration reads may have any value when it begins.
  for (const Place& place : placesOf(without(second.readFirst(), live.turn))) {
    return fmt::format("the new iteration reads {}, which has no value when an iteration begins",
                       nameOf(place));
  }
  for (const Place& place : placesOf(united(live.turn, live.exit))) {
    if (first.valueOf(place) != second.valueOf(place))
      return fmt::format("{} differs when the iteration ends", nameOf(place));
  }
  if (first.effects() != second.effects()) {
    const auto [one, other] = std::ranges::mismatch(first.effects(), second.effects());
    return fmt::format("access {} to memory or other threads differs, of {} and {}",
                       one - first.effects().begin() + 1, first.effects().size(),
                       second.effects().size());
  }
  auto loadsBefore = first.sharedLoads(), loadsAfter = second.sharedLoads();
  std::ranges::sort(loadsBefore);
  std::ranges::sort(loadsAfter);
  if (loadsBefore != loadsAfter)
    return "the two iterations do not load the same from shared memory";

  const Op& backBefore = before.back();
  const Op& backAfter = after.back();
  if (backAfter.code.target() != after.front().code.address)
    return "the branch that closes the new iteration does not go to its first instruction";
  const bool same = backBefore.code.form == backAfter.code.form &&
                    first.conditionOf(backBefore.code) == second.conditionOf(backAfter.code);
  return same ? "" : "the two iterations do not end on the same condition";
}

}  // namespace tileloom::rewrite
