// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of instructions of a recording. What a kind is and how it is called is its row in
// kinds.cpp: words change there without compiling what uses them again.
//
//   kind                payload of a lane
//   ------------------  --------------------------------------------------------------
//   Global/SharedLoad   element index in the array, then a provenance for each element: `width`
//                       times the elements of a word (Array::parts)
//   Global/SharedStore  the same; the provenances are those of the stored values
//   AsyncCopy           like SharedStore, with the index in shared memory; the first
//                       provenance is that of the matrix element where the copy begins
//   MatrixLoad          element index of the row of 16 bytes that the lane names, then provenances
//                       of the elements that it receives in 4 registers
//   MatrixStore         element index of the row of 16 bytes that the lane names, then provenances
//                       of the elements that are stored there, which other lanes hold
//   Fma                 provenance of both factors, then of the accumulator
//   Mma                 provenances of the lane's part of the operands: elements of A, of B, then
//                       of its accumulators. `array` is the instruction's row in the table of
//                       kernels/tile/mma_table.h, which has their numbers and their places in
//                       the operands
//   Barrier             empty
//   CopyCommit          empty
//   CopyWait            empty; `width` is the number of groups that may still be in flight
//   BoxLoad             element index of the box in shared memory, then its number in Trace::boxes
//   BoxStore            element index of the box in shared memory, then its number in
//                       Trace::boxStores
//   Product             its number in Trace::products of this warp; `width` is columns / 8, and
//                       `array` the instruction's row as of Mma
//   BarrierStart        number of the barrier, then how many arrivals end a phase
//   BarrierExpect       number of the barrier, then the expected bytes
//   BarrierWait         number of the barrier, then the phase that has to have ended, from 0
//   BarrierArrive       number of the barrier, then the cluster rank of the block that has it
//   Meet                number of the barrier, 0 for the warp's own, then how many threads meet
//   ClusterMeet         empty
//   KeepRegisters       registers per thread that the warp has from then on
//   TakeRegisters       the same
//   PublishBarriers     empty, as are FenceProducts, FenceAsync, CommitProducts and CommitBoxes
//   WaitProducts        empty; `width` is the number of groups that may still be in flight
//   WaitBoxes           the same for TMA stores
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tileloom::emulator {

enum class Kind : std::uint8_t {
  GlobalLoad,
  GlobalStore,
  SharedLoad,
  SharedStore,
  AsyncCopy,    // from global to shared memory: cp.async
  MatrixLoad,   // 8 x 8 matrices from shared memory, by the whole warp: ldmatrix
  MatrixStore,  // the same to shared memory: stmatrix
  Fma,
  Mma,  // one of the whole warp: mma.sync
  Barrier,
  CopyCommit,
  CopyWait,
  BoxLoad,  // issues a TMA load: cp.async.bulk.tensor
  Product,  // one of four warps with 16 rows each: wgmma
  BarrierStart,
  BarrierExpect,  // arrives at a barrier and expects bytes
  BarrierWait,
  PublishBarriers,
  FenceProducts,
  FenceAsync,
  CommitProducts,
  WaitProducts,
  BarrierArrive,  // arrives, and expects no bytes
  Meet,           // a barrier for some threads of the block: bar.sync with a number
  ClusterMeet,    // a barrier for all threads of the blocks of a cluster: barrier.cluster
  KeepRegisters,  // returns the rest to the block's pool: setmaxnreg
  TakeRegisters,  // takes registers from it
  BoxStore,       // issues a TMA store
  CommitBoxes,
  WaitBoxes,  // until TMA stores have read their boxes
  Position,   // internal to the recorder: never in a finished trace
};
inline constexpr std::size_t kKinds = static_cast<std::size_t>(Kind::Position) + 1;

enum class Space : std::uint8_t { Global, Shared };

// What the recording has of each active lane.
enum class Payload : std::uint8_t {
  Nothing = 0,
  OneWord = 1,
  TwoWords = 2,
  Elements,  // the index of the first element, then a provenance for each
  Operands,  // a provenance for each factor and sum; nothing if operands are not recorded
};

struct KindRow {
  Kind kind;
  // Where threads access memory with it. An asynchronous copy counts as an access to shared memory,
  // which it writes; the global memory that it reads follows from its provenance (see
  // analysis/memory/access_cost.h).
  std::optional<Space> space = {};
  bool store = false;
  bool sized = false;  // the width of an access is part of its name: "128-bit shared load"
  bool multiplies = false;
  Payload payload = Payload::Nothing;
  // ---- names
  const char* key;  // in JSON
  // The function of the device headers, if the warp waits in it or executes it as a whole:
  // sentences and timestamps name it.
  const char* function = "";
  // In the table of a report; empty: a report has no line for it. The others: one and several of
  // them, where all are accesses to shared memory.
  const char* report = "";
  const char* ofShared = "";
  const char* severalOfShared = "";
  // For the window, which translates them: "shared load of %1" with the name of an array, and a
  // sentence about one instruction. Empty: its sentence has figures (viz/base/text/describe.cpp).
  const char* words;
  const char* sentence = "";
};

// By kind.
extern const std::array<KindRow, kKinds> kKindTable;

inline const KindRow& kindRow(Kind kind) {
  return kKindTable[static_cast<std::size_t>(kind)];
}
inline bool isMemory(Kind kind) {
  return kindRow(kind).space.has_value();
}
inline bool isShared(Kind kind) {
  return kindRow(kind).space == Space::Shared;
}
inline bool isGlobal(Kind kind) {
  return kindRow(kind).space == Space::Global;
}
inline bool isStore(Kind kind) {
  return kindRow(kind).store;
}
inline bool isMultiplyAdd(Kind kind) {
  return kindRow(kind).multiplies;
}

}  // namespace tileloom::emulator
