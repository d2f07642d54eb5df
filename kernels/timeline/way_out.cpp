// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/way_out.h"

#include <algorithm>

namespace tileloom::timeline {

WayOut::Passage WayOut::send(Ticks at, double bytes, double bytesPerCycle) {
  const Ticks begin = std::max(at, free_);
  free_ = begin + (bytesPerCycle > 0 ? ticks(bytes / bytesPerCycle) : 0);
  return {begin, free_};
}

void WayOut::record(const Passage& passage, const Operation& op) {
  if (passage.end <= passage.begin) return;
  const double begin = cyclesOf(passage.begin), end = cyclesOf(passage.end);
  if (op.work == Work::Store && !spans_.empty()) {
    Span& last = spans_.back();
    if (last.end >= begin && last.line == op.line && last.kTile == op.object) {
      last.end = end;
      return;
    }
  }
  Span span;
  span.begin = begin;
  span.end = end;
  span.work = Work::Flight;
  span.matrix = analysis::Matrix::C;
  span.kTile = op.object;
  span.line = op.line;
  spans_.push_back(span);
}

void StoredBoxes::commit() {
  groups_.push_back(std::max(open_, groups_.empty() ? 0 : groups_.back()));
  open_ = 0;
}

Ticks StoredBoxes::readBut(std::uint32_t newest) const {
  return groups_.size() > newest ? groups_[groups_.size() - 1 - newest] : 0;
}

}  // namespace tileloom::timeline
