// SPDX-License-Identifier: GPL-3.0-or-later
// After how many cycles the result of an instruction may be used if there is no scoreboard. NVIDIA
// does not document it. The values are the minima that its assembler leaves: the smallest distances
// between an instruction and the first user of its result, over all kernels of this program for
// compute capability 9.0 (docs/hardware.md, rule 73), and the largest of these over the users. So
// they are never too short, and may be some cycles too long.
#pragma once

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

inline constexpr int kLongestLatency = 15;  // also for instructions that are not in the table

struct Latencies {
  int registers = kLongestLatency;
  int uniform = kLongestLatency;
  int predicates = kLongestLatency;  // of both kinds
};
Latencies latenciesOf(const Op& op);

// A uniform register is ready this many cycles later for an access to memory: the assembler leaves
// 11 and more before TMA copies, and never fewer than 22 before shared loads.
inline constexpr int kUniformToMemory = 5;

}  // namespace tileloom::rewrite
