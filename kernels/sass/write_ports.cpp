// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/write_ports.h"

#include <algorithm>

namespace tileloom::sass {
namespace {

constexpr int kTwoRegisters = 8;  // bytes per lane
// All fitted to micro-cases; cycles of issue, so that the time between the issue of a multiply-add
// and the write of its result does not matter.
constexpr int kLatency = 17;  // from a load's issue until its first two registers may be written
constexpr int kNextTwo = 4;   // until the next two of the same load
// Between two loads: each of the four schedulers of an SM has such a load, which takes two cycles
// of the data pipe.
constexpr int kNextLoad = 8;
constexpr int kPatience = 18;  // maximum wait of two registers
constexpr int kHold = 3;       // for which issue is then held back
constexpr int kBetweenWrites = 2;

}  // namespace

void WritePorts::load(int bytes, int cycle) {
  served_ = std::max(cycle + kLatency, served_ + kNextLoad);
  for (int i = 0; i < bytes / kTwoRegisters; ++i) waiting_.push_back(served_ + i * kNextTwo);
}

void WritePorts::idle(int cycle) {
  if (waiting_.empty() || cycle < waiting_.front() || cycle < written_ + kBetweenWrites) return;
  waiting_.pop_front();
  written_ = cycle;
}

int WritePorts::hold(int cycle) {
  if (waiting_.empty() || cycle < waiting_.front() + kPatience) return 0;
  for (int i = 0; i < kHold; ++i) idle(cycle + i);
  return kHold;
}

}  // namespace tileloom::sass
