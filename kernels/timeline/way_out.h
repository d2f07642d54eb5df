// SPDX-License-Identifier: GPL-3.0-or-later
// C on its way from an SM to L2: stores of warps, and boxes that the copy engine reads from shared
// memory. It is a way of its own beside the one on which A and B come, and takes one after the
// other. How fast it is nobody has measured: docs/design/05-timeline.md says what is assumed.
#pragma once

#include <vector>

#include "kernels/timeline/operation.h"
#include "kernels/timeline/ticks.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

class WayOut {
 public:
  // From when on, and until when, `bytes` that are ready at `at` take the way.
  struct Passage {
    Ticks begin = 0, end = 0;
  };
  Passage send(Ticks at, double bytes, double bytesPerCycle);

  // Keeps it for the lane. What follows at once, of the same block tile and line, is one span,
  // unless it is a box.
  void record(const Passage& passage, const Operation& op);
  std::vector<Span> take() { return std::move(spans_); }

 private:
  Ticks free_ = 0;
  std::vector<Span> spans_;
};

// The boxes that one warp has asked to be stored, in groups: when shared memory has been read.
class StoredBoxes {
 public:
  void ask(Ticks read) { open_ = read > open_ ? read : open_; }
  void commit();
  // When all but the `newest` latest groups have been read; 0: there are no others.
  Ticks readBut(std::uint32_t newest) const;

 private:
  Ticks open_ = 0;
  std::vector<Ticks> groups_;  // when all groups up to this one have been
};

}  // namespace tileloom::timeline
