// SPDX-License-Identifier: GPL-3.0-or-later
// The times at which a playing recording shows each instruction of a warp. At the hardware's own
// pace almost only multiply-adds would be visible: each section, which is a K tile, or the part
// before or after the loop over K, gets the same time on every rung, divided among its kinds of
// work.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// Times are in K tiles: the first K tile begins where the prologue ends, and lasts 1.
class Tempo {
 public:
  Tempo() = default;
  // For `warp`, which must have instructions.
  Tempo(const emulator::Trace& trace, std::uint32_t warp);

  // Where K tiles that were not recorded are skipped: between the last K tile and the epilogue. 0
  // to 0: there are none.
  double passFrom() const { return passFrom_; }
  double passTo() const { return passTo_; }
  double end() const { return ends_.empty() ? 0 : ends_.back(); }

  // The instruction that is shown at `time`; while K tiles are skipped, the last one before.
  std::uint32_t indexAt(double time) const;
  // When the instruction begins to be shown.
  double startOf(std::uint32_t index) const;
  // The share of the skipped K tiles before `time`; 0 to 1.
  double passed(double time) const;

 private:
  std::vector<double> ends_;  // of each instruction
  double passFrom_ = 0, passTo_ = 0;
  std::uint32_t passAt_ = 0;  // the instruction after them
};

}  // namespace tileloom::analysis
