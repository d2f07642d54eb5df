// SPDX-License-Identifier: GPL-3.0-or-later
// An error that the emulator found in a kernel. It is recorded as a value, and tracing continues.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/emulator/origin.h"
#include "kernels/tile/stage.h"

namespace tileloom::emulator {

// Each has its key and its words in a row of fault.cpp.
enum class FaultKind {
  OutOfBounds,
  Misaligned,
  Unwritten,
  NotArrived,
  Race,
  Disagreement,   // lanes of a warp execute different instructions where all must execute one
  WrongFragment,  // a tensor core gets factors that do not belong together
  UnderWay,       // an accumulator is used while a wgmma in flight updates it
  NoFence,        // an agent needs a fence of registers, barriers or memory that is missing
  EarlyArrival,   // at a barrier whose last phase the thread has not waited for
  LeftUnderWay,   // the block ends without a wait for a request to an agent
  Registers,      // setmaxnreg with a number of registers that is not allowed
  Deadlock,       // all threads wait, and none is left to wake them
  OutOfMemory,    // on this machine: the trace ends here
  Stopped         // the execution of machine code, at what it cannot do: the trace ends here
};

struct Fault {
  FaultKind kind = FaultKind::OutOfBounds;
  std::string stage;
  Extent block{0, 0};    // blockIdx
  int thread = 0;        // linear index in the block
  int otherThread = -1;  // the other thread of a race; -1: unknown
  std::string file;
  int line = 0;  // 0: unknown
  // Of the machine instruction, in bytes from the beginning of the kernel; Site::kNoAddress:
  // unknown.
  std::uint32_t address = Site::kNoAddress;
  std::string array;
  std::int64_t index = 0;  // element of the array
  std::int64_t size = 0;   // number of elements of the array
  bool store = false;
  std::string detail;  // if not empty: what is wrong, as the end of a sentence
};

std::string_view name(FaultKind kind);
std::string_view key(FaultKind kind);  // in JSON: "out_of_bounds"

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
