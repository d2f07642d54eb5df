// SPDX-License-Identifier: GPL-3.0-or-later
// The transfer of C from an SM to L2: stores of warps, and boxes that TMA reads from shared memory.
// It is separate from the path of A and B, and serves one transfer after another. Its speed has not
// been measured: docs/design/05-timeline.md says what is assumed.
#pragma once

#include <vector>

#include "kernels/timeline/operation.h"
#include "kernels/timeline/ticks.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

class WayOut {
 public:
  // From when, and until when, `bytes` that are ready at `at` are transferred.
  struct Passage {
    Ticks begin = 0, end = 0;
  };
  Passage send(Ticks at, double bytes, double bytesPerCycle);

  // Records it for the lane. What follows at once, of the same block tile and line, is one span,
  // unless it is a box.
  void record(const Passage& passage, const Operation& op);
  std::vector<Span> take() { return std::move(spans_); }

 private:
  Ticks free_ = 0;
  std::vector<Span> spans_;
};

// The TMA stores that one warp has issued, in groups: when shared memory has been read.
class StoredBoxes {
 public:
  void ask(Ticks read) { open_ = read > open_ ? read : open_; }
  void commit();
  // When all but the `newest` latest groups have been read; 0: there are no others.
  Ticks readBut(std::uint32_t newest) const;

 private:
  Ticks open_ = 0;
  std::vector<Ticks> groups_;  // when all groups up to this one have been read
};

}  // namespace tileloom::timeline
