// SPDX-License-Identifier: GPL-3.0-or-later
// How shared loads that are served in pairs of lanes (paired_loads.h) reach the registers of a
// warp. The data pipe gives such a load two registers at a time, an even and an odd one, which are
// written together. Multiply-adds write a register in every cycle and are not interrupted: two
// registers wait for a cycle in which no instruction was issued that writes one, for example
// another load, a store or a branch. If they have waited too long, issue is held back for three
// cycles. docs/hardware.md (rule 79) has the micro-kernels that this agrees with, and those that it
// does not.
#pragma once

#include <deque>

namespace tileloom::sass {

class WritePorts {
 public:
  // A paired load of 8 or 16 bytes per lane is issued in this cycle. Cycles are passed in order, to
  // all functions.
  void load(int bytes, int cycle);
  // Nothing that writes a register is issued in this cycle.
  void idle(int cycle);
  // How many cycles an instruction that writes a register is held back if issued in this cycle.
  // They count as idle() cycles and need not be passed.
  int hold(int cycle);

 private:
  std::deque<int> waiting_;  // for each two registers: the cycle from which they may be written
  int served_ = -1000;       // when the first two registers of the latest load came
  int written_ = -1000;      // when two registers were written last
};

}  // namespace tileloom::sass
