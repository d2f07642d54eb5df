// SPDX-License-Identifier: GPL-3.0-or-later
// A unit that serves one after the other, in the order in which they reach it: the path from L2, a
// tensor core, the path of C.
#pragma once

#include <algorithm>

#include "kernels/machine/time.h"

namespace tileloom::machine {

// From when and until when something is served.
struct Passage {
  Ticks begin = 0, end = 0;
};

class Pipe {
 public:
  // For something that reaches it at `at` and takes `length`.
  Passage pass(Ticks at, Ticks length) {
    const Ticks begin = std::max(at, free_);
    free_ = begin + length;
    return {begin, free_};
  }
  Ticks free() const { return free_; }  // from when it serves the next one

 private:
  Ticks free_ = 0;
};

}  // namespace tileloom::machine
