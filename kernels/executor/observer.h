// SPDX-License-Identifier: GPL-3.0-or-later
// What an executor of machine code reports while it runs: each access to memory, as the hardware
// issues it. Nothing is merged or divided: a warp instruction is one access, and lanes that
// diverged make one each.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/executor/launch.h"
#include "kernels/executor/registers.h"

namespace tileloom::executor {

enum class Memory : std::uint8_t { Global, Shared, Local };
// A copy writes shared memory with what it reads from global memory (LDGSTS). A matrix access is
// LDSM or STSM: each lane names a row of 16 bytes. A reduction returns nothing, an atomic the value
// before it.
enum class Use : std::uint8_t {
  Load,
  Store,
  Copy,
  MatrixLoad,
  MatrixStore,
  Reduction,
  Atomic,
};

struct Access {
  std::uint32_t warp = 0;    // of the block
  std::uint32_t number = 0;  // of the instruction in the kernel, from 0
  Memory memory = Memory::Global;
  Use use = Use::Load;
  std::uint32_t lanes = 0;  // that access, a bit each
  std::uint32_t bytes = 4;  // of each lane
  // Of lanes that access; other lanes have no value here.
  std::array<std::uint64_t, kLanes> at;    // the first byte, in its memory
  std::array<std::uint64_t, kLanes> from;  // of a copy: where it reads global memory
  std::uint32_t reads = 0;                 // lanes of a copy that do: others write zeros
};

class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // An access that has been executed. The value is valid during the call.
  virtual void see(const Access& access) = 0;
};

// How often an instruction of a kernel was issued, in all warps.
struct InstructionCount {
  std::uint64_t issued = 0;
  std::uint64_t off = 0;      // of these: all lanes predicated off
  std::uint64_t threads = 0;  // lanes that executed it
  bool operator==(const InstructionCount&) const = default;
};

}  // namespace tileloom::executor
