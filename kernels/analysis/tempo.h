// SPDX-License-Identifier: GPL-3.0-or-later
// When each instruction of a warp is shown while a recording plays. The hardware's own pace would
// show nothing but multiply-adds: each section, which is a K tile, or what stands before or after
// the loop over K, is given the same time on every rung, and shared out among what it does.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// Times are counted in K tiles: the first K tile begins where the prologue ends, and lasts 1.
class Tempo {
 public:
  Tempo() = default;
  // Of `warp`, which must have instructions.
  Tempo(const emulator::Trace& trace, std::uint32_t warp);

  // Where K tiles are passed over that were not recorded: between the last K tile and the epilogue.
  // 0 to 0: there are none.
  double passFrom() const { return passFrom_; }
  double passTo() const { return passTo_; }
  double end() const { return ends_.empty() ? 0 : ends_.back(); }

  // The instruction that is shown at `time`; while K tiles are passed over, the last one before.
  std::uint32_t indexAt(double time) const;
  // When the instruction begins to be shown.
  double startOf(std::uint32_t index) const;
  // Of the K tiles that are passed over, the share that has gone by; 0 to 1.
  double passed(double time) const;

 private:
  std::vector<double> ends_;  // of each instruction
  double passFrom_ = 0, passTo_ = 0;
  std::uint32_t passAt_ = 0;  // the instruction after them
};

}  // namespace tileloom::analysis
