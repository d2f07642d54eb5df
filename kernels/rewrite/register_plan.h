// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the registers of the new loop: accumulators stay where they are, and the fragments of
// even and odd k get a separate set of registers each.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/loop_code.h"
#include "kernels/rewrite/outer_products.h"

namespace tileloom::rewrite {

// The registers of each piece.
struct FragmentSet {
  std::vector<LoadedWords> rows;
  std::vector<LoadedWords> columns;
};

struct RegisterPlan {
  // Of even and odd k. Set 0 is where the previous iteration has left the first fragments.
  std::array<FragmentSet, 2> sets;
  // New numbers of registers that other instructions of the loop use temporarily, and that now hold
  // an accumulator or a fragment of set 0 all the time.
  std::map<int, int> moved;
  int perThread = 0;  // registers that the kernel needs in total
};

// `limit` is the largest number of registers per thread that is allowed, at most 255. The error is
// one sentence without a full stop.
tl::expected<RegisterPlan, std::string> planRegisters(const LoopCode& loop,
                                                      const ProductLoop& products,
                                                      const LiveAround& live, int registersBefore,
                                                      int limit);

}  // namespace tileloom::rewrite
