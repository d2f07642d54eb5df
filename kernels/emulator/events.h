// SPDX-License-Identifier: GPL-3.0-or-later
// What an executor reports of a block: the instructions of its threads, and what becomes of them.
//
// Each event is a plain value. An observer has a function see() for each event that it uses: the
// recorder (recorder.h), and the judges (judges/judges.h). A judge may also have a function
// allows(), which an executor calls first: false means that the instruction cannot be executed, and
// that the judge has reported why.
//
// Shared memory is addressed by word. The arrays of a block (trace.h) give a word its name in a
// sentence; an executor that knows of no arrays gives one array, which has all of the memory.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "kernels/emulator/fragment_check.h"
#include "kernels/emulator/origin.h"
#include "kernels/emulator/register_slot.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator::event {

// ---- memory

// A thread is to access `count` elements. Bounds are checked before the access.
struct Attempt {
  Origin at;
  std::uint32_t array = 0;
  std::int64_t index = 0;   // of the first element
  std::uint32_t count = 1;  // elements
  std::uint32_t size = 0;   // elements that the array has
  std::uint32_t parts = 1;  // elements in each word
  bool store = false;
};
// A lane is to access the row that it names in an ldmatrix or stmatrix.
struct RowAttempt : Attempt {
  Kind kind = Kind::MatrixLoad;
  bool turned = false;
};

// An access to consecutive words.
struct Access {
  Origin at;
  std::uint32_t array = 0;
  std::int64_t index = 0;   // of the first element in the array
  std::uint32_t words = 1;  // of 32 bits
  std::uint32_t parts = 1;  // elements in each word
  std::uint32_t word = 0;   // in shared memory: the first word's number; unused for global memory

  constexpr std::uint32_t elements() const { return words * parts; }
};
// `values`: of its elements, in order.
struct GlobalLoad : Access {
  const RegisterSlot* values = nullptr;
};
struct GlobalStore : Access {
  const RegisterSlot* values = nullptr;
};
struct SharedLoad : Access {
  const RegisterSlot* values = nullptr;
};
struct SharedStore : Access {
  const RegisterSlot* values = nullptr;
};
// cp.async: the access is to shared memory.
struct AsyncCopy : Access {
  const RegisterSlot* values = nullptr;
};
struct CopyCommit {
  Origin at;
};
struct CopyWait {
  Origin at;
  std::uint32_t newest = 0;  // groups that may still be in flight
};
// ldmatrix and stmatrix access the rows that the lanes name, in the order of the lanes.
struct RowLoad : Access {};
struct RowStore : Access {};
// What one lane of them names, and the elements that it receives, or that are stored there.
struct MatrixRow {
  Origin at;
  Kind kind = Kind::MatrixLoad;
  bool turned = false;
  std::uint32_t array = 0;
  std::uint32_t index = 0;
  std::uint32_t parts = 2;                      // elements in each word
  Room<Provenance, kMostRowElements> elements;  // 4 words of them
};
// A register array that a thread indexes outside its bounds.
struct RegisterOutside {
  Origin at;
  const char* name = "";
  std::uint32_t index = 0, size = 0;
};

// ---- products

struct Fma {
  Origin at;
  Provenance a, b, sum;
};
// The lane's operands of an mma: laneA(), laneB() and laneC() slots of its row.
struct LaneMma {
  Origin at;
  const MmaRow* mma = nullptr;
  const RegisterSlot* a = nullptr;
  const RegisterSlot* b = nullptr;
  const RegisterSlot* sums = nullptr;
};
// The factors of an mma, and the site of each lane.
struct Mma {
  std::uint32_t warp = 0;
  const Factors* factors = nullptr;
  std::array<Site, kWarpSize> sites;
};
// The lanes of a warp are to execute one instruction as a whole.
struct Together {
  struct Request {
    Kind kind = Kind::Mma;
    bool turned = false;
    Site site;
  };
  std::uint32_t warp = 0;
  std::uint32_t lanes = 0;  // that have arrived, a bit each
  std::array<Request, kWarpSize> asked;
};

// One lane issues a wgmma.
struct Product {
  Origin at;
  std::uint32_t which = 0;   // of the thread's wgmma instructions, from 0
  std::uint32_t group = 0;   // commits of the thread so far
  std::uint32_t number = 0;  // of its first sum, within the thread
  std::uint32_t columns = 0;
  std::uint64_t a = 0, b = 0;  // packed Operands
  bool keep = true;            // false: the sums start at 0
};
// A warp's part of it has been executed. Without factors its operands could not be read.
struct ProductExecuted {
  Origin at;
  ProductRecord product;
};
// A wgmma reads this byte of shared memory.
struct OperandRead {
  Origin at;
  std::uint32_t byte = 0;
};
struct FenceProducts {
  Origin at;
};
struct CommitProducts {
  Origin at;
};
struct WaitProducts {
  Origin at;
  std::uint32_t newest = 0;
};
// The warp of this thread has waited for its first `groups` groups.
struct ProductsEnded {
  std::uint32_t warp = 0;
  std::uint32_t groups = 0;
};
// A thread uses accumulator `number`, whose register holds this.
struct SumUse {
  Origin at;
  std::uint32_t number = 0;
  Provenance held;
};

// ---- the async proxy

// Tensor cores and TMA stores read shared memory by themselves, for the thread that requests it.
enum class Agent : std::uint8_t { Products, Stores };
// One word is read, some time between the request and the end of its group.
struct AgentLoad {
  Origin at;
  Agent agent = Agent::Products;
  std::uint32_t group = 0;  // of the warp
  std::uint32_t array = 0;
  std::int64_t index = 0;
  std::uint32_t word = 0;
};
struct FenceAsync {
  Origin at;
};
// TMA loads: a thread issues one; a box is to go to a place and to these blocks; the block with
// this rank is to receive it, in its barrier's present phase; and, reported to the judges of that
// block, its elements are there.
struct BoxLoad {
  Origin at;
  std::uint32_t array = 0, index = 0;
  std::uint32_t number = 0;  // in Trace::boxes
};
struct BoxPlace {
  Origin at;
  std::int64_t index = 0;  // as requested
  const BoxRecord* box = nullptr;
};
struct BoxTargets {
  Origin at;
  std::uint32_t ranks = 0;
};
struct BoxRequested {
  Origin at;
  const BoxRecord* box = nullptr;
  std::uint32_t rank = 0;
};
struct BoxArrived {
  Origin at;  // in the block with the rank of `box`
  const BoxRecord* box = nullptr;
};
struct BoxStore {
  Origin at;
  std::uint32_t array = 0, index = 0;
  std::uint32_t number = 0;  // in Trace::boxStores
};
// Its words have been read, as by AgentLoad.
struct BoxStored {
  Origin at;
  BoxStoreRecord store;
};
struct CommitBoxes {
  Origin at;
};
struct WaitBoxes {
  Origin at;
  std::uint32_t newest = 0;
};
// The first `groups` groups of TMA stores of this thread have read shared memory.
struct BoxesRead {
  Origin at;
  std::uint32_t groups = 0;
};

// ---- barriers

// The block has `count` more mbarriers under this name.
struct BarriersDeclared {
  const char* name = "";
  std::uint32_t count = 0;
};
struct BarrierStart {
  Origin at;
  std::uint32_t barrier = 0;
  std::uint32_t count = 0;  // arrivals that end a phase
};
struct PublishBarriers {
  Origin at;
};
struct BarrierExpect {
  Origin at;
  std::uint32_t barrier = 0, bytes = 0;
};
struct BarrierArrive {
  Origin at;
  std::uint32_t barrier = 0;
  std::uint32_t rank = 0;  // of the block that has it
};
struct BarrierWait {
  Origin at;
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;  // that has to have ended
};
// A thread is to use a barrier; `word` is the function.
struct BarrierUse {
  Origin at;
  std::uint32_t barrier = 0;
  std::uint32_t rank = 0;
  const char* word = "";
};
// An arrival counts.
struct Arrived {
  Origin at;
  std::uint32_t barrier = 0;
  std::uint32_t rank = 0;
};
// Of a barrier of the own block.
struct PhaseEnded {
  std::uint32_t barrier = 0;
};
struct WaitEnded {
  std::uint32_t thread = 0;
  std::uint32_t barrier = 0;
  std::uint32_t phase = 0;
};
// __syncthreads: a thread arrives; all have arrived.
struct BlockBarrier {
  Origin at;
};
struct BlockBarrierPassed {};
// barrier.cluster: the same. `warps`: of the block with the rank of the place, a bit each.
struct ClusterMeet {
  Origin at;
};
struct ClusterBarrierPassed {
  std::span<const std::uint32_t> warps;
};
// Named barriers of some threads: 1 to 15, and after these one for each warp.
inline constexpr std::uint32_t kNumberedMeetings = 16;
struct Meet {
  Origin at;
  std::uint32_t number = 0;  // 0: that of the warp
  std::uint32_t threads = 0;
  std::uint32_t come = 0;    // that have arrived before
  std::uint32_t wanted = 0;  // by these
  Site first = {};           // of the first one
};
// An arrival counts; the last one has come; a thread continues.
struct MeetingArrived {
  Origin at;
  std::uint32_t meeting = 0;
};
struct MeetingEnded {
  std::uint32_t meeting = 0;
};
struct MeetingLeft {
  std::uint32_t thread = 0;
  std::uint32_t meeting = 0;
};

// ---- clusters

// A thread is to access another block of its cluster; `what`: "requests a box for".
struct PeerUse {
  Origin at;
  std::uint32_t rank = 0;
  const char* what = "";
};
// It does so: that block has to be alive.
struct Visit {
  Origin at;
  std::uint32_t rank = 0;
  const char* what = "";
};
// Another block arrives at a barrier of this one.
struct RemoteArrived {
  RemoteArrival arrival;
};

// ---- registers and roles

struct RoleNamed {
  std::uint32_t warp = 0;
  const char* name = "";
};
// setmaxnreg; `has`: registers per thread that the warp has now.
struct KeepRegisters {
  Origin at;
  std::uint32_t perThread = 0, has = 0;
};
struct TakeRegisters {
  Origin at;
  std::uint32_t perThread = 0, has = 0;
};

// ---- sums that one block leaves in global memory for another one

struct SumsLeft {
  Origin at;
};
struct FlagSet {
  Origin at;
  std::int64_t flag = 0;
};
struct FlagAwait {
  Origin at;
  std::int64_t flag = 0;
};
struct FlagAwaited {
  Origin at;
};
struct SumsAdded {
  Origin at;
};
// One of `parts` parts of a tile has left its sums, after `before` others.
struct PartLeft {
  Origin at;
  std::int64_t flag = 0;
  std::uint32_t before = 0, parts = 0;
};

// ---- the block

// Shared memory has this many words from now on.
struct SharedMemory {
  std::uint32_t words = 0;
};
struct WarpResumed {
  std::uint32_t warp = 0;
};
struct ThreadEnded {
  std::uint32_t thread = 0;
};
// A trace ends early in this thread: everything that it has in flight counts as waited for.
struct Settled {
  std::uint32_t thread = 0;
};

// The state of an mbarrier.
struct BarrierState {
  std::uint32_t expected = 0;  // arrivals in each phase; 0: not started
  std::uint32_t pending = 0;
  std::int64_t bytes = 0;      // expected, and not arrived yet
  std::int64_t announced = 0;  // in this phase
  std::uint32_t phase = 0;     // number of phases that have ended
};
// What a thread waits for.
enum class Cause : std::uint8_t { None, Barrier, Products, Block, Meeting, Registers, Cluster };
struct Waiting {
  std::uint32_t thread = 0;
  Cause cause = Cause::None;
  // Of the barrier or the meeting; of registers how many per thread are wanted.
  std::uint32_t number = 0;
  std::uint32_t phase = 0;  // that has to end; of a meeting which one it is
  Site site;
  std::uint32_t come = 0, wanted = 0;  // threads of a meeting
  std::uint32_t has = 0;               // registers per thread of its warp
  std::int64_t pool = 0;               // registers that no warp has
};
// No thread can continue.
struct Deadlocked {
  std::span<const Waiting> waiting;
  std::span<const BarrierState> barriers;
};
// All threads have ended.
struct BlockEnded {
  std::span<const BarrierState> barriers;
};

}  // namespace tileloom::emulator::event
