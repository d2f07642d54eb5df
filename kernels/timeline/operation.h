// SPDX-License-Identifier: GPL-3.0-or-later
// What a warp does, as the virtual clock sees it: a list of operations in the order in which the
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
  Copy,       // from global to shared memory, past the registers: cp.async
  Fill,       // a store to shared memory
  Fragments,  // a load from shared memory
  Multiply,   // multiply-adds of lanes, `issues` of them at one dot index
  Mma,        // one mma of a warp, on the tensor core of its scheduler
  Product,    // one m64nNk16 of a warpgroup; `amount` is N
  Store,      // to global memory, of the C of block tile `object`, from 0
  Barrier,    // __syncthreads()
  CommitCopies,
  WaitCopies,    // until all but the `amount` newest groups of this warp have arrived
  StartBarrier,  // barrier `object` counts `amount` arrivals in each phase
  Expect,        // an arrival that has `announced` so many bytes
  Arrive,        // `amount` times at barrier `object`
  Box,  // the copy engine fetches `bytes`, and brings those `announced` to barrier `object`,
        // `amount` times over where blocks of a cluster fetch parts of one K tile for each other
  WaitBarrier,  // until phase `amount` of barrier `object` has ended; phases count from 0
  CommitProducts,
  WaitProducts,  // until all but the `amount` newest groups of products have been computed
  Fence,
  Meet,      // a barrier of some warps: number `object`, `amount` of them
  BoxStore,  // the copy engine is asked to store `bytes` of the C of block tile `object`
  CommitBoxes,
  WaitBoxes,  // until all but the `amount` newest groups of this warp have been read
  Convert,    // sums of C to 16 bits, `issues` pairs of them; no recording has it (program.cpp)
  // Not operations but what lanes show beside them:
  Wait,     // a warp sleeps
  Flight,   // data is on its way
  Between,  // a measured warp is between two stamps, which tell no more
};
inline constexpr std::size_t kWorks = 27;

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;

struct Operation {
  Work work = Work::Fence;
  analysis::Matrix matrix = analysis::Matrix::A;  // of a load, copy, fill, fragment load or box
  std::uint16_t line = 0;
  std::uint16_t dot = emulator::kNoDot;
  std::uint32_t kTile = emulator::kNoTile;   // in whose turn of the loop over K it stands
  std::uint32_t brings = emulator::kNoTile;  // the K tile whose elements it moves
  std::uint32_t first = kNone;               // among the warp's instructions of the trace
  std::uint32_t count = 1;                   // of them, one after the other
  std::uint32_t issues = 1;                  // machine instructions
  std::uint32_t wavefronts = 0;  // of the data pipe of L1 and shared memory; of a product those of
                                 // the operands that are read for this warp
  std::uint32_t sectors = 0;     // of global memory that pass that pipe, too
  std::uint32_t bytes = 0;       // through L2
  std::uint32_t announced = 0;   // bytes at a barrier: a box has zeros that no memory holds, too
  std::uint32_t object = 0;
  std::uint32_t amount = 0;
  // Earlier operations of the warp whose results it uses, by their index in the program.
  std::array<std::uint32_t, 3> needs{kNone, kNone, kNone};
};

struct Program {
  std::vector<Operation> operations;
  // The index of the operation that holds this instruction of the trace, or of the one that was
  // issued before it: merged loads are one operation. kNone: the program is empty.
  std::uint32_t operationOf(std::uint32_t instruction) const;
  // By instruction of the trace; empty in a program that was written by hand.
  std::vector<std::uint32_t> byInstruction;
};

// Of one block.
struct BlockProgram {
  std::vector<Program> warps;
  std::uint32_t kTiles = 0;        // that were traced, of all block tiles together
  std::uint32_t walks = 1;         // block tiles, one after the other, of as many K tiles each
  std::uint32_t buffers = 1;       // K tiles that shared memory holds
  std::vector<std::string> roles;  // by warp, as the kernel calls them; empty where it names none
};

}  // namespace tileloom::timeline
