// SPDX-License-Identifier: GPL-3.0-or-later
// Which registers the new loop uses: sums stay where they are, and the fragments of even and odd
// dot indices get a set of registers each.
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
  // Of even and odd dot indices. Set 0 is where the turn before has left the first fragments.
  std::array<FragmentSet, 2> sets;
  // New numbers of registers that other instructions of the loop use for a while, and that hold a
  // sum or a fragment of set 0 all the time now.
  std::map<int, int> moved;
  int perThread = 0;  // registers that the kernel needs with them
};

// `limit` is the largest number of registers per thread that is allowed, at most 255. The error is
// one sentence without a full stop.
tl::expected<RegisterPlan, std::string> planRegisters(const LoopCode& loop,
                                                      const ProductLoop& products,
                                                      const LiveAround& live, int registersBefore,
                                                      int limit);

}  // namespace tileloom::rewrite
