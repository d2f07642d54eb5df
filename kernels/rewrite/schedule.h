// SPDX-License-Identifier: GPL-3.0-or-later
// Orders the instructions of an iteration: the multiply-adds of one k after the other, and
// everything else between them.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/loop_code.h"
#include "kernels/rewrite/outer_products.h"
#include "kernels/rewrite/register_plan.h"
#include "kernels/rewrite/spacing.h"

namespace tileloom::rewrite {

// The changes of the new loop, so that the effect of each can be measured. Without a change, loads
// and the barrier stay where the assembler has set them, if the new loop allows, and multiply-adds
// are in the assembler's order or line by line, whichever loses less.
struct Changes {
  bool order = true;  // multiply-adds in blocks of two by two
  bool loads = true;  // loads of fragments spread over the k before their use
  // the barrier before the last k, addresses advanced after it, and what follows it spread
  bool barrier = true;
  bool all() const { return order && loads && barrier; }
  bool operator==(const Changes&) const = default;
};

// The new iteration without the branch that closes it: registers are those of `plan`, `.reuse` is
// set where it pays, shared loads of fragments increment the first of `scoreboards` (or all of them
// in turn if the loads stay where the assembler has set them, close to their use), and nothing
// waits yet. `at` of each instruction is its index in the untouched kernel. The error is one
// sentence without a full stop.
tl::expected<std::vector<Op>, std::string> scheduleTurn(
    const LoopCode& loop, const ProductLoop& products, const RegisterPlan& plan,
    const Spacing& spacing, std::span<const int> scoreboards, const Changes& changes = {});

}  // namespace tileloom::rewrite
