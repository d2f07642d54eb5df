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

// Distances are in multiply-adds.
struct Spacing {
  ProductOrder order{true, 4};
  int firstLoad = 4;     // from the beginning of a dot index to the first load for the next one
  int load = 19;         // from load to load, at most; fewer where they would not fit
  int beforeUse = 24;    // from the last load to the first multiply-add that needs it, at least
  int other = 12;        // between two other instructions, at most
  int fetch = 6;         // from the beginning of a turn to the first other instruction
  int barrier = 0;       // from the beginning of the last dot index to the barrier
  int afterBarrier = 6;  // between the instructions behind the barrier
};

// The new turn without the jump that closes it: registers are those of `plan`, `.reuse` is set
// where it pays, shared loads of fragments count `scoreboard` up, and nothing waits yet. The error
// is one sentence without a full stop.
tl::expected<std::vector<Op>, std::string> scheduleTurn(const LoopCode& loop,
                                                        const ProductLoop& products,
                                                        const RegisterPlan& plan,
                                                        const Spacing& spacing, int scoreboard);

}  // namespace tileloom::rewrite
