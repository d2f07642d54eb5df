// SPDX-License-Identifier: GPL-3.0-or-later
// The data pipe of L1 and shared memory: one wavefront per cycle (docs/hardware.md, rule 14), in
// the order in which accesses reach it. Data from global memory passes through it on arrival.
#pragma once

#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "kernels/machine/pipe.h"

namespace tileloom::machine {

class DataPipe {
 public:
  // An access that reaches the pipe at `at`. What has arrived by then must have been taken.
  Passage pass(Ticks at, Ticks length) { return pipe_.pass(at, length); }

  // Data from memory that will pass through the pipe at `arrival`.
  void expect(Ticks arrival, Ticks length) { arrivals_.emplace(arrival, length); }
  // What has arrived by `until` passes; `seen` is called with each Passage.
  template <class Seen>
  void take(Ticks until, Seen&& seen) {
    while (!arrivals_.empty() && arrivals_.top().first <= until) {
      const auto [arrival, length] = arrivals_.top();
      arrivals_.pop();
      seen(pipe_.pass(arrival, length));
    }
  }

 private:
  Pipe pipe_;
  using Arrival = std::pair<Ticks, Ticks>;  // time, and how long it takes
  std::priority_queue<Arrival, std::vector<Arrival>, std::greater<>> arrivals_;
};

}  // namespace tileloom::machine
