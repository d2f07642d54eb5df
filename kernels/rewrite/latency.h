// SPDX-License-Identifier: GPL-3.0-or-later
// After how many cycles the result of an instruction may be used, if no scoreboard tells. NVIDIA
// does not document it. The figures are those that its assembler leaves at least: the smallest
// distances between an instruction and the first user of its result, over all kernels of this
// program for compute capability 9.0 (docs/hardware.md, rule 73), and the largest of these over
// the users. So they are never too short, and may be some cycles too long.
#pragma once

#include "kernels/rewrite/op.h"

namespace tileloom::rewrite {

inline constexpr int kLongestLatency = 15;  // of instructions that are not in the table, too

struct Latencies {
  int registers = kLongestLatency;
  int uniform = kLongestLatency;
  int predicates = kLongestLatency;  // of both kinds
};
Latencies latenciesOf(const Op& op);

// A uniform register is there so many cycles later for an access to memory: the assembler leaves 11
// and more before copies of boxes, and never fewer than 22 before shared loads.
inline constexpr int kUniformToMemory = 5;

}  // namespace tileloom::rewrite
