// SPDX-License-Identifier: GPL-3.0-or-later
// The asynchronous agents of a block: TMA, mbarriers that count bytes, and tensor cores that read
// shared memory by themselves (wgmma).
//
// An agent does its work as soon as it is requested, so that a recording does not depend on timing.
// Whether the kernel waits for it as it must is for the judges (judges/judges.h), to which all of
// this is reported: a missing wait for a box is found although its bytes are there.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/emulator/block_state.h"
#include "kernels/emulator/events.h"
#include "kernels/emulator/judges/judges.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

struct BoxRequest {
  std::uint32_t array = 0;  // shared, the destination of the box
  std::int64_t index = 0;   // its first element
  std::uint32_t matrix = 0;
  std::int32_t x = 0, y = 0;  // column and row of its first element in the matrix
  std::uint32_t barrier = 0;
  std::uint32_t walk = 0;   // which of the traced block tiles it is for
  std::uint32_t ranks = 0;  // of the receiving blocks of the cluster, a bit each; 0: the own one
};

struct ProductRequest {
  RegisterSlot* sums = nullptr;  // columns / 2 of them
  std::uint32_t number = 0;      // of the first one, within the thread
  std::uint32_t columns = 0;
  std::uint64_t a = 0, b = 0;  // packed Operands
  bool keep = true;            // false: the sums start at 0
};

class Agents {
 public:
  explicit Agents(BlockState& block);

  // ---- for the host side of hopper.cuh; each acts for the running thread ----
  // The number of the first barrier of array `ordinal`, which the first call creates.
  std::uint32_t barriers(std::uint32_t ordinal, const char* name, std::uint32_t count);
  void start(std::uint32_t barrier, std::uint32_t count, int line);
  void publishBarriers(int line);
  void expect(std::uint32_t barrier, std::uint32_t bytes, int line);
  void wait(std::uint32_t barrier, std::uint32_t parity, int line);
  void loadBox(const BoxRequest& request, int line);
  void storeBox(const BoxRequest& request, int line);
  void commitBoxes(int line);
  void waitForBoxes(std::uint32_t newest, int line);
  // For sums that one block leaves for another one to add: those of the running thread.
  void leaveSums(int line);
  void tell(std::int64_t flag, int line);
  void await(std::int64_t flag, int line);
  void checkAwaited(int line);
  std::uint64_t operand(std::uint32_t array, std::int64_t index, std::uint32_t lead,
                        std::uint32_t stride, std::uint32_t swizzle) const;
  void fenceProducts(int line);
  void fenceAsync(int line);
  void multiply(const ProductRequest& request, int line);
  void commitProducts(int line);
  void waitForProducts(std::uint32_t newest, int line);
  void arriveAt(std::uint32_t barrier, int line);
  // At the barrier with this number in another block of the cluster, or in the own block.
  void arriveAt(std::uint32_t barrier, std::uint32_t rank, int line);
  void meetCluster(int line);
  // The role of the running thread's warp. The first name stays.
  void role(const char* name);
  // Until `threads` threads have come to the block's named barrier `number`, 1 to 15.
  void meet(std::uint32_t number, std::uint32_t threads, int line);
  // Until all lanes of the running thread's warp have arrived.
  void meetWarp(int line);
  // setmaxnreg: registers per thread of the running thread's warp.
  void keepRegisters(std::uint32_t perThread, int line);
  void takeRegisters(std::uint32_t perThread, int line);
  // A fault if a wgmma in flight updates this sum, accumulator `number` of the thread.
  void useSum(const RegisterSlot& sum, std::uint32_t number, int line);
  // Where a trace ends early: everything in flight counts as waited for.
  void settle();

  // ---- for Block ----
  void sleepAtBlockBarrier(int line);  // the running thread
  // The running thread continues; `warp` is its warp.
  void wake(std::uint32_t thread, std::uint32_t warp);
  bool canGoOn(std::uint32_t thread) const;
  bool atBlockBarrier(std::uint32_t thread) const;
  bool atClusterBarrier(std::uint32_t thread) const;
  // The agents of its cluster's blocks, by rank, including itself; before the first thread runs.
  void join(std::span<Agents* const> cluster, std::uint32_t rank);
  void beginRound(std::uint32_t round) { round_ = round; }
  // All threads of all these blocks that are alive have arrived.
  static void passClusterBarrier(std::span<Agents* const> cluster);
  void passBlockBarrier();  // all threads that are alive have arrived
  // No thread can continue; those in `alive` wait.
  void reportDeadlock(const std::vector<std::uint32_t>& alive);
  // All have ended; reports what they left in flight.
  void reportLeftovers();
  std::uint32_t barrierBytes() const;

 private:
  struct Sleep {
    event::Cause cause = event::Cause::None;
    // The phase that has to end; of a meeting its number, and which one it is; of registers the
    // number.
    std::uint32_t barrier = 0, phase = 0;
    std::uint32_t newest = 0;
    int line = 0;
  };
  // A named barrier, at which only some threads of the block meet, repeatedly.
  struct Meeting {
    std::uint32_t wanted = 0, come = 0;  // threads; 0: none has arrived yet
    std::uint32_t over = 0;              // meetings
    int line = 0;                        // of the first arrival
  };
  // What one thread has issued so far.
  struct Asked {
    std::uint32_t products = 0;        // wgmma instructions
    std::uint32_t committed = 0;       // groups of them
    std::uint32_t committedBoxes = 0;  // groups of TMA stores
  };
  // A wgmma that some lanes of a warp have issued, and others not yet.
  struct Open {
    ProductRequest request;
    int line = 0;
    std::uint32_t group = 0;
    std::uint32_t lanes = 0;
  };
  // Accumulators of a warp that its wgmma instructions update.
  struct Sums {
    std::uint32_t number = 0, columns = 0;
    std::uint32_t group = 0;  // of the newest product
    bool underWay = false;
    std::array<RegisterSlot*, kWarpSize> held{};
    std::vector<float> values;  // 16 x columns
  };
  struct Warp {
    std::vector<Open> open;   // by number of the product, less `first`
    std::uint32_t first = 0;  // earlier products are complete
    std::vector<Sums> sums;
  };

  std::uint32_t thread() const { return block_.thread; }  // the running thread
  Origin here(int line) const { return block_.here(line); }
  judges::Judges& judges() const { return block_.judges; }
  // As the block does.
  template <class Event>
  void report(const Event& e) const {
    block_.report(e);
  }
  Agents* peer(std::uint32_t rank) const;  // nullptr: the cluster has no such block
  // Whether the running thread can use a barrier of `of`, its own block or another one of the
  // cluster, in the function `word`.
  bool usable(const Agents& of, std::uint32_t barrier, int line, const char* word) const;
  // It arrives at a barrier of `at`.
  void arrive(Agents& at, std::uint32_t number, int line);
  void endPhase(std::uint32_t number);  // if nothing is missing
  void pause();
  std::vector<event::Waiting> waitingOf(const std::vector<std::uint32_t>& threads) const;

  // boxes.cpp
  Box boxOf(std::uint32_t matrix) const;
  BoxRecord recordOf(const BoxRequest& request, int line) const;
  void deliver(Agents& to, BoxRecord box, int line);
  void fill(Agents& to, BoxRecord& box) const;

  // roles.cpp
  void come(std::uint32_t meeting, std::uint32_t threads, int line);
  std::uint32_t launched() const;  // registers per thread with which the block starts

  // products.cpp
  void execute(std::uint32_t warp, const Open& open);
  Sums& sumsOf(std::uint32_t warp, const Open& open);
  void finish(std::uint32_t warp, std::uint32_t groups);
  // Reads two elements for a wgmma of the running warp.
  void readFactors(std::uint32_t byte, std::uint32_t group, int line, RegisterSlot* out) const;

  BlockState& block_;
  // False for virtual matrices: only provenances are recorded.
  bool values_ = true;
  std::vector<std::uint32_t> firstOfArray_;  // by ordinal
  std::vector<event::BarrierState> barriers_;
  std::vector<Box> boxShapes_;
  std::vector<Agents*> cluster_;  // by rank; empty without one
  std::uint32_t rank_ = 0, round_ = 0;
  std::vector<Sleep> sleeps_;  // by thread
  std::vector<Asked> asked_;   // by thread
  std::vector<Warp> warps_;
  // By number, and after these one for each warp.
  std::vector<Meeting> meetings_;
  std::vector<std::uint32_t> registers_;  // per thread, by warp
  std::int64_t pool_ = 0;                 // registers that no warp has
};

}  // namespace tileloom::emulator
