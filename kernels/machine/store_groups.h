// SPDX-License-Identifier: GPL-3.0-or-later
// The TMA stores that one warp has issued, in groups: when shared memory has been read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/machine/time.h"

namespace tileloom::machine {

class StoreGroups {
 public:
  // A box of the open group has been read at this time.
  void add(Ticks read) { open_ = std::max(open_, read); }
  void commit() {
    read_.push_back(std::max(open_, read_.empty() ? 0 : read_.back()));
    open_ = 0;
  }
  // When all but the `newest` latest groups have been read; 0: there are no others.
  Ticks readBut(std::uint32_t newest) const {
    return read_.size() > newest ? read_[read_.size() - 1 - newest] : 0;
  }

 private:
  Ticks open_ = 0;
  std::vector<Ticks> read_;  // when all groups up to this one have been read
};

}  // namespace tileloom::machine
