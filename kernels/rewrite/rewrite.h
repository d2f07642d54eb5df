// SPDX-License-Identifier: GPL-3.0-or-later
// Rewrites the main loop of a compiled kernel. The assembler decides when each instruction of a
// loop is issued, and leaves issue slots unused: it loads fragments shortly before their use, and
// orders multiply-adds by other rules than those of the register file. The rewriter changes the
// order of one iteration of the loop, the registers of fragments, waits and stall cycles; prologue,
// epilogue, the accumulators' registers and every other instruction stay. It refuses whatever it
// does not know for certain, and proves each result (equality.h, control.h) before it returns it.
#pragma once

#include <span>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/rewrite/schedule.h"

namespace tileloom::rewrite {

inline constexpr int kCapability = 90;  // the only one whose timing is known

struct Request {
  int registerLimit =
      255;  // per thread: the maximum that still lets the same number of blocks fit on an SM
  Spacing spacing;
  Changes changes;
};

struct Rewritten {
  std::vector<char> cubin;
  int registers = 0;  // per thread
  // For each instruction of the new kernel, its index in the untouched one, or -1 for a filler that
  // does nothing.
  std::vector<int> origins;
  // Instructions of one iteration, each of which takes an issue slot, before and after, and the
  // multiply-adds among them.
  int instructionsBefore = 0;
  int instructions = 0;
  int multiplyAdds = 0;
  // Cycles that multiply-adds lose to the register file in an iteration, by the model.
  int lostBefore = 0;
  int lost = 0;
};

// The error is one sentence without a full stop that says why the untouched kernel has to be used.
tl::expected<Rewritten, std::string> rewriteMainLoop(std::span<const char> cubin,
                                                     const Request& request = {});

}  // namespace tileloom::rewrite
