// SPDX-License-Identifier: GPL-3.0-or-later
// Where the instructions of a turn stand: the multiply-adds of one dot index after the other, and
// everything else between them.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/loop_code.h"
#include "kernels/rewrite/outer_products.h"
#include "kernels/rewrite/product_order.h"
#include "kernels/rewrite/register_plan.h"

namespace tileloom::rewrite {

// Distances are in multiply-adds. The defaults are the fastest of those measured on an H100
// (docs/log/performance.md): the figures differ by 3 % between the best and the worst of them.
struct Spacing {
  ProductOrder order{false, 4};
  int firstLoad = 5;      // from the beginning of a dot index to the first load for the next one
  int load = 20;          // from load to load, at most; fewer where they would not fit
  int beforeUse = 24;     // from the last load to the first multiply-add that needs it, at least
  int other = 14;         // between two other instructions, at most
  int fetch = 40;         // from the beginning of a turn to the first other instruction
  int barrier = -24;      // from the beginning of the last dot index to the barrier
  int afterBarrier = 10;  // between the instructions behind the barrier, at most
};

// What the new loop has of its own, so that one can see what each of them is worth. Without it
// loads and the barrier stand as the assembler has set them, as far as the new loop allows, and
// multiply-adds in the assembler's order or line by line, whichever loses less.
struct Changes {
  bool order = true;  // multiply-adds in blocks of two by two
  bool loads = true;  // loads of fragments spread over the dot index before their use
  // the barrier before the last dot index, addresses stepped behind it, and what follows it spread
  bool barrier = true;
  bool all() const { return order && loads && barrier; }
  bool operator==(const Changes&) const = default;
};

// The new turn without the jump that closes it: registers are those of `plan`, `.reuse` is set
// where it pays, shared loads of fragments count the first of `scoreboards` up (or all of them in
// turn where they stand as the assembler has set them, close to their use), and nothing waits yet.
// `at` of each instruction is where it stood in the untouched kernel. The error is one sentence
// without a full stop.
tl::expected<std::vector<Op>, std::string> scheduleTurn(
    const LoopCode& loop, const ProductLoop& products, const RegisterPlan& plan,
    const Spacing& spacing, std::span<const int> scoreboards, const Changes& changes = {});

}  // namespace tileloom::rewrite
