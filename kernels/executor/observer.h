// SPDX-License-Identifier: GPL-3.0-or-later
// What an executor of machine code reports while it runs: each access to memory, as the hardware
// issues it. Nothing is merged or divided: a warp instruction is one access, and lanes that
// diverged make one each.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/executor/async_events.h"
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
  std::uint32_t block = 0;  // its number in the grid, x first
  // Of lanes that access; other lanes have no value here. Shared memory of another block of the
  // cluster has its generic address.
  std::array<std::uint64_t, kLanes> at;    // the first byte, in its memory
  std::array<std::uint64_t, kLanes> from;  // of a copy: where it reads global memory
  std::uint32_t reads = 0;                 // lanes of a copy that do: others write zeros
};

// A block that begins.
struct BlockStart {
  std::uint32_t block = 0;  // its number in the grid, x first
  Extent3 position{};
  std::uint32_t rank = 0;  // in its cluster
  std::uint32_t warps = 0;
  std::uint32_t sharedBytes = 0;
};

// A warp arrives at a barrier of its block (BAR), and perhaps waits there.
struct BarrierArrival {
  Issue issue;
  std::uint32_t barrier = 0;  // 0 to 15
  std::uint32_t threads = 0;  // that it needs; 0: all of the block
  bool waits = true;
};

// Copies of the threads of a warp become a group (LDGDEPBAR), or are waited for (DEPBAR).
struct CopyStep {
  Issue issue;
  std::uint32_t lanes = 0;
  bool waits = false;
  std::uint32_t newest = 0;  // groups that may still be in flight
};

class Warp;
struct Operation;

// Blocks of a cluster execute at the same time: the events of several blocks alternate.
class Observer {
 public:
  Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  virtual ~Observer() = default;

  // An access that has been executed. The value is valid during the call.
  virtual void see(const Access& access) = 0;

  virtual void begin(const BlockStart&) {}
  virtual void end(std::uint32_t /*block*/) {}  // all of its threads have ended
  virtual void see(const BarrierArrival&) {}
  // The threads at a barrier of a block go on.
  virtual void passed(std::uint32_t /*block*/, std::uint32_t /*barrier*/) {}
  virtual void see(const CopyStep&) {}

  // Whether it wants before(): for each instruction that lanes of a warp are to execute.
  virtual bool follows() const { return false; }
  virtual void before(const Warp&, const Operation&) {}

  // What follows is of Hopper.
  virtual void seeBox(const BoxCopy&) {}
  virtual void seeBulk(const BulkCopy&) {}
  virtual void seeBarrier(const BarrierUse&) {}
  virtual void seeProduct(const GroupProduct&) {}
  virtual void seeMeeting(const ClusterMeeting&) {}
};

// How often an instruction of a kernel was issued, in all warps.
struct InstructionCount {
  std::uint64_t issued = 0;
  std::uint64_t off = 0;      // of these: all lanes predicated off
  std::uint64_t threads = 0;  // lanes that executed it
  bool operator==(const InstructionCount&) const = default;
};

}  // namespace tileloom::executor
