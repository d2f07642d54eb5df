// SPDX-License-Identifier: GPL-3.0-or-later
// An error that the emulator found in a kernel. It is recorded as a value, and tracing continues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/tile/stage.h"

namespace tileloom::emulator {

enum class FaultKind {
  OutOfBounds,
  Misaligned,
  Unwritten,
  NotArrived,
  Race,
  Disagreement,   // lanes of a warp at different places of what they must execute together
  WrongFragment,  // a tensor core is given factors that do not belong together
  UnderWay,       // a sum is used while the tensor core is at work on it
  NoFence,        // what orders registers, barriers or memory for an agent is missing
  EarlyArrival,   // at a barrier whose last phase the thread has not seen end
  LeftUnderWay,   // the block ends, and nobody has waited for what an agent was asked to do
  Registers,      // of the block's pool: as many are taken or given back as nobody may
  Deadlock,       // everybody sleeps, and nobody is left to wake them
  OutOfMemory     // of this machine: the trace ends here
};

struct Fault {
  FaultKind kind = FaultKind::OutOfBounds;
  std::string stage;
  Extent block{0, 0};    // blockIdx
  int thread = 0;        // linear index in the block
  int otherThread = -1;  // the other thread of a race; -1: unknown
  std::string file;
  int line = 0;
  std::string array;
  std::int64_t index = 0;  // element of the array
  std::int64_t size = 0;   // number of elements of the array
  bool store = false;
  std::string detail;  // where it is not empty: what is wrong, as the end of a sentence
};

std::string_view name(FaultKind kind);

// One sentence that says what happened, where, and to which element.
std::string describe(const Fault& fault);

// The faults of a run: the first kKept are kept, the others are only counted.
struct FaultLog {
  static constexpr std::size_t kKept = 32;
  std::vector<Fault> kept;
  std::uint64_t total = 0;

  bool empty() const { return total == 0; }
  void add(Fault fault) {
    if (total++ < kKept) kept.push_back(std::move(fault));
  }
};

}  // namespace tileloom::emulator
