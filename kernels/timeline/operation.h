// SPDX-License-Identifier: GPL-3.0-or-later
// The work of a warp as the virtual clock sees it: a list of operations in the order in which the
// warp issues them. program.h makes them from a trace; tests write them by hand.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/analysis/element.h"
#include "kernels/emulator/trace.h"

namespace tileloom::timeline {

enum class Work : std::uint8_t {
  Load,       // from global memory to registers
  Copy,       // from global to shared memory, bypassing the registers: cp.async
  Fill,       // a store to shared memory
  Fragments,  // a load from shared memory
  Multiply,   // multiply-adds of lanes, `issues` of them at one k
  Mma,        // one mma of a warp, on the tensor core of its scheduler
  Product,    // one wgmma of m64nNk16; `amount` is N
  Store,      // to global memory, of the C of block tile `object`, from 0
  Barrier,    // __syncthreads()
  CommitCopies,
  WaitCopies,    // until all but the `amount` newest groups of this warp have arrived
  StartBarrier,  // barrier `object` counts `amount` arrivals in each phase
  Expect,        // an arrival that has `announced` this many bytes
  Arrive,        // `amount` times at barrier `object`
  // TMA fetches `bytes`, and brings those `announced` to barrier `object`, `amount` times over if
  // blocks of a cluster fetch parts of one K tile for each other.
  Box,
  WaitBarrier,  // until phase `amount` of barrier `object` has ended; phases count from 0
  CommitProducts,
  WaitProducts,  // until all but the `amount` newest wgmma groups are complete
  Fence,
  Meet,      // a barrier of some warps: number `object`, `amount` of them
  BoxStore,  // a TMA store of `bytes` of the C of block tile `object`
  CommitBoxes,
  WaitBoxes,  // until all but the `amount` newest groups of this warp have been read
  Convert,  // accumulators of C to 16 bits, `issues` pairs of them; not in recordings (program.cpp)
  // Not operations but what lanes also show:
  Wait,     // a warp waits
  Flight,   // data is in flight
  Between,  // a measured warp is between two timestamps
};
inline constexpr std::size_t kWorks = 27;

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct Operation {
  Work work = Work::Fence;
  analysis::Matrix matrix =
      analysis::Matrix::A;  // of a load, copy, fill, fragment load or TMA load
  std::uint16_t line = 0;
  std::uint16_t dot = emulator::kNoDot;
  std::uint32_t kTile = emulator::kNoTile;   // its iteration of the loop over K
  std::uint32_t brings = emulator::kNoTile;  // the K tile whose elements it moves
  std::uint32_t first = kNone;               // among the warp's instructions of the trace
  std::uint32_t count = 1;                   // of them, one after the other
  std::uint32_t issues = 1;                  // machine instructions
  std::uint32_t wavefronts = 0;  // of the data pipe of L1 and shared memory; for wgmma those of
                                 // the operands that are read for this warp
  std::uint32_t sectors = 0;     // of global memory that also pass through that pipe
  std::uint32_t bytes = 0;       // through L2
  std::uint32_t announced =
      0;  // bytes at a barrier: a TMA load also has zeros that no memory holds
  std::uint32_t object = 0;
  std::uint32_t amount = 0;
  // Earlier operations of the warp whose results it uses, by their index in the program.
  std::array<std::uint32_t, 3> needs{kNone, kNone, kNone};
};

struct Program {
  std::vector<Operation> operations;
  // The index of the operation that holds this instruction of the trace, or of the one issued
  // before it: merged loads are one operation. kNone: the program is empty.
  std::uint32_t operationOf(std::uint32_t instruction) const;
  // By instruction of the trace; empty in a program that was written by hand.
  std::vector<std::uint32_t> byInstruction;
};

// Of one block.
struct BlockProgram {
  std::vector<Program> warps;
  std::uint32_t kTiles = 0;        // that were traced, in all block tiles
  std::uint32_t walks = 1;         // block tiles, one after the other, of as many K tiles each
  std::uint32_t buffers = 1;       // K tiles that shared memory holds
  std::vector<std::string> roles;  // by warp, with the kernel's names; empty if it has none
};

}  // namespace tileloom::timeline
