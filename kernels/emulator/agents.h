// SPDX-License-Identifier: GPL-3.0-or-later
// The asynchronous agents of a block: TMA, mbarriers that count bytes, and tensor cores that read
// shared memory by themselves (wgmma).
//
// An agent does its work as soon as it is requested, so that a recording does not depend on timing.
// Whether the kernel waits for it as it must is judged by clocks alone (clock.h): a missing wait
// for a box is found although its bytes are there. Clocks belong to warps: what one lane has waited
// for counts as known to the other lanes of its warp.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/emulator/clock.h"
#include "kernels/emulator/fault.h"
#include "kernels/emulator/read_stamps.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

class Block;
struct RegisterSlot;

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
  explicit Agents(Block& block);

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
  // The blocks of its cluster, by rank, including itself; before the first thread runs.
  void join(std::span<Block* const> blocks, std::uint32_t rank);
  void beginRound(std::uint32_t round) { round_ = round; }
  // All threads of all these blocks that are alive have arrived.
  static void passClusterBarrier(std::span<Block* const> blocks);
  void passBlockBarrier();  // all threads that are alive have arrived
  // No thread can continue; those in `alive` wait.
  void reportDeadlock(const std::vector<std::uint32_t>& alive);
  // All have ended; reports what they left in flight.
  void reportLeftovers();

  std::uint32_t timeOf(std::uint32_t warp) const { return times_[warp]; }
  std::uint32_t barrierBytes() const;
  // Checks an access of the running thread to a word with this stamp, and reports a fault.
  void checkRead(std::uint32_t written, std::uint32_t array, std::int64_t index, int line,
                 const char* how = "reads");
  void checkOverwrite(std::uint32_t written, std::uint32_t read, std::uint32_t array,
                      std::int64_t index, int line) {
    checkOverwrite(*this, written, read, array, index, line, false);
  }
  // The same for a word in the shared memory of `in`.
  void checkOverwrite(const Agents& in, std::uint32_t written, std::uint32_t read,
                      std::uint32_t array, std::int64_t index, int line, bool byAgent);
  std::uint32_t withReader(std::uint32_t read);  // the word's `read`, by the running thread

  const std::vector<BarrierRecord>& barrierRecords() const { return records_; }
  const std::vector<std::string>& roles() const { return roles_; }
  const std::vector<RemoteArrival>& remoteArrivals() const { return remoteArrivals_; }
  const std::vector<BoxRecord>& boxes() const { return boxes_; }
  const std::vector<BoxStoreRecord>& boxStores() const { return boxStores_; }
  const std::vector<std::vector<ProductRecord>>& products() const { return products_; }

 private:
  struct Barrier {
    std::uint32_t expected = 0;  // arrivals in each phase; 0: not started
    std::uint32_t pending = 0;
    std::int64_t bytes = 0;      // expected, and not arrived yet
    std::int64_t announced = 0;  // in this phase
    std::uint32_t phase = 0;     // number of phases that have ended
    std::uint32_t started = 0;   // the stamp of that thread
    bool published = false;
    int starter = -1;  // thread
    int arrived = -1;  // the thread of the cluster that arrived last, and where
    int arrivedLine = 0;
    Clock arriving;  // of the threads that have arrived in this phase
    // Of the phases up to each of the last ones. A thread that waits for the end of one of them
    // does not hear of a later one.
    std::array<Clock, 4> ended;
  };
  enum class Cause : std::uint8_t { None, Barrier, Products, Block, Meeting, Registers, Cluster };
  struct Sleep {
    Cause cause = Cause::None;
    // The phase that has to end; of a meeting its number, and which one it is; of registers the
    // number.
    std::uint32_t barrier = 0, phase = 0;
    std::uint32_t newest = 0;
    int line = 0;
  };
  static constexpr std::uint32_t kNumberedMeetings = 16;
  // A named barrier, at which only some threads of the block meet, repeatedly.
  struct Meeting {
    std::uint32_t wanted = 0, come = 0;  // threads; 0: none has arrived yet
    std::uint32_t over = 0;              // meetings
    int line = 0;                        // of the first arrival
    Clock arriving, ended;               // of this meeting, and of the last one
  };
  // A device function that all lanes of a warp execute together: how often a lane has, and where
  // last.
  struct Executed {
    std::uint32_t times = 0;
    int line = 0;
  };
  enum Word : std::uint8_t { Fence, Commit, Wait, Keep, Take, MeetCluster, kWords };
  // The wgmma instructions that one thread has issued.
  struct Asked {
    std::uint32_t products = 0;        // so far
    std::uint32_t committed = 0;       // groups
    std::uint32_t committedBoxes = 0;  // groups of TMA stores
    bool fenced = false;
    std::array<Executed, kWords> executed;
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

  // An access of another block to this one, which has to be alive then.
  struct Visit {
    std::uint32_t stamp = 0;
    std::uint32_t rank = 0, thread = 0;
    int line = 0;
    const char* what = "";
  };

  std::uint32_t thread() const;
  std::uint32_t who() const;  // the running thread, among those of the cluster
  std::uint32_t warpComponent(std::uint32_t warp) const;
  std::uint32_t productsComponent(std::uint32_t warp) const;
  std::uint32_t barrierComponent(std::uint32_t barrier) const;
  std::uint32_t storesComponent(std::uint32_t warp) const;
  Agents* peer(std::uint32_t rank) const;  // nullptr: the cluster has no such block
  void visit(Agents& other, int line, const char* what);
  void reportVisits();
  Clock& clock();  // of the running thread's warp
  Fault faultOf(FaultKind kind, int line, std::string detail) const;
  void add(Fault fault);
  bool usable(std::uint32_t barrier, int line, const char* word) {
    return usable(*this, barrier, line, word);
  }
  bool usable(const Agents& of, std::uint32_t barrier, int line, const char* word);
  // The running thread arrives at a barrier of `at`, its own block or another one of the cluster.
  void arrive(Agents& at, std::uint32_t number, int line);
  void endPhase(Barrier& barrier, std::uint32_t number);
  void endStretch();  // of the running warp: what follows has a later stamp
  void pause();
  void count(Word word, int line);  // the running thread executes it
  bool reportLanes();               // whether it reported anything
  bool reportWarps();               // the same for warps of a warpgroup
  // agents_text.cpp: parts of sentences about faults.
  std::string barrierText(std::uint32_t number) const;  // "full[0]"
  // "thread 3", of this block or another one of its cluster; `who` as in a stamp.
  std::string threadText(std::uint32_t who) const;
  std::string owing(std::uint32_t barrier) const;
  std::string boxesText(std::uint32_t barrier, std::uint32_t phase) const;
  std::string boxText(std::uint32_t written, std::uint32_t array, std::int64_t index) const;
  std::string sleepText(const Sleep& sleep, std::uint32_t first, std::uint32_t count) const;
  std::string groupText(std::uint32_t warp, std::uint32_t group) const;

  // boxes.cpp
  Box boxOf(std::uint32_t matrix) const;
  BoxRecord recordOf(const BoxRequest& request, int line);
  void deliver(Agents& to, BoxRecord box, int line);
  void fill(Agents& to, BoxRecord& box, int line);

  // box_stores.cpp
  std::string storeText(std::uint32_t warp, std::uint32_t group) const;
  void reportStores();

  // roles.cpp
  void come(std::uint32_t meeting, std::uint32_t threads, int line);
  std::uint32_t launched() const;  // registers per thread with which the block starts
  bool settable(std::uint32_t perThread, int line, const char* word);

  // products.cpp
  void execute(std::uint32_t warp, const Open& open);
  Sums& sumsOf(std::uint32_t warp, const Open& open);
  void finish(std::uint32_t warp, std::uint32_t groups);
  // An agent with this stamp is to read a word for the running thread; `how`: the words for the
  // request.
  void readByAgent(std::size_t word, std::uint32_t array, std::int64_t index, std::uint32_t stamp,
                   int line, const char* how);
  // Reads two elements for a wgmma of the running warp.
  void readFactors(std::uint32_t byte, std::uint32_t stamp, int line, RegisterSlot* out);
  void checkFactors(const ProductRecord& product, int line);
  void checkTogether(std::uint32_t warp, std::uint32_t number);

  Block& block_;
  // False for virtual matrices: only provenances are recorded.
  bool values_ = true;
  std::vector<std::uint32_t> firstOfArray_;  // by ordinal
  std::vector<BarrierRecord> records_;
  std::vector<Barrier> barriers_;
  std::vector<Box> boxShapes_;
  std::vector<BoxRecord> boxes_;
  std::vector<BoxStoreRecord> boxStores_;
  std::vector<std::uint32_t> left_;  // by thread: the stamp of its last sums
  // By warpgroup: the stamps of its waits for others' sums, in order; by thread: how often it has
  // added such sums.
  std::vector<std::vector<std::uint32_t>> awaited_;
  std::vector<std::uint32_t> added_;
  std::vector<RemoteArrival> remoteArrivals_;
  std::vector<Visit> visits_;   // by other blocks
  std::vector<Block*> blocks_;  // of the cluster; empty without one
  std::uint32_t rank_ = 0, round_ = 0;
  std::vector<std::vector<ProductRecord>> products_;
  std::vector<Clock> clocks_;         // by warp
  std::vector<std::uint32_t> times_;  // by warp: the present stretch, from 1
  std::vector<Sleep> sleeps_;         // by thread
  std::vector<Asked> asked_;          // by thread
  std::vector<Warp> warps_;
  std::vector<std::string> roles_;  // by warp; empty before the first name
  // By number, and after these one for each warp.
  std::array<Meeting, kNumberedMeetings + kClockWarps> meetings_;
  std::vector<std::uint32_t> registers_;  // per thread, by warp
  std::int64_t pool_ = 0;                 // registers that no warp has
  ReadStamps readers_;
  // The stamps that were last found correct, so that neighbouring words need not be checked again.
  std::uint32_t wellWritten_ = 0, wellRead_ = 0;
  std::uint32_t reported_ = 0;  // the stamp of the last fault's word: one fault for all such words
};

}  // namespace tileloom::emulator
