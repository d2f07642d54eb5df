// SPDX-License-Identifier: GPL-3.0-or-later
// What works beside the threads of a block: the copy engine, barriers that count bytes, and tensor
// cores that read shared memory by themselves.
//
// An agent does its work as soon as it is asked, so that a recording does not depend on any timing.
// Whether the kernel has waited for it as it must is judged by clocks alone (clock.h): a box that
// nobody has waited for is found although its bytes are there. Clocks belong to warps: what one
// lane has waited for counts as known to the other lanes of its warp.
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
  std::uint32_t array = 0;  // shared, where the box is to lie
  std::int64_t index = 0;   // its first element
  std::uint32_t matrix = 0;
  std::int32_t x = 0, y = 0;  // column and row of its first element in the matrix
  std::uint32_t barrier = 0;
  std::uint32_t walk = 0;   // which of the block tiles it is for that are traced
  std::uint32_t ranks = 0;  // of the cluster's blocks that it is for, a bit each; 0: the own one
};

struct ProductRequest {
  RegisterSlot* sums = nullptr;  // columns / 2 of them
  std::uint32_t number = 0;      // of the first one, within the thread
  std::uint32_t columns = 0;
  std::uint64_t a = 0, b = 0;  // packed Operands
  bool keep = true;            // false: the sums begin anew
};

class Agents {
 public:
  explicit Agents(Block& block);

  // ---- for the host side of hopper.cuh; each acts for the running thread ----
  // The number of the first barrier of array `ordinal`, which the first thread that asks creates.
  std::uint32_t barriers(std::uint32_t ordinal, const char* name, std::uint32_t count);
  void start(std::uint32_t barrier, std::uint32_t count, int line);
  void publishBarriers(int line);
  void expect(std::uint32_t barrier, std::uint32_t bytes, int line);
  void wait(std::uint32_t barrier, std::uint32_t parity, int line);
  void loadBox(const BoxRequest& request, int line);
  void storeBox(const BoxRequest& request, int line);
  void commitBoxes(int line);
  void waitForBoxes(std::uint32_t newest, int line);
  // For sums that one block leaves and another one adds: the running thread's.
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
  // At the barrier of this number in another block of the cluster, or in the own one.
  void arriveAt(std::uint32_t barrier, std::uint32_t rank, int line);
  void meetCluster(int line);
  // Of the running thread's warp: what it does in the block. The first name stays.
  void role(const char* name);
  // Until so many threads have come to the block's barrier of this number, 1 to 15.
  void meet(std::uint32_t number, std::uint32_t threads, int line);
  // Until all lanes of the running thread's warp have come.
  void meetWarp(int line);
  // setmaxnreg: registers per thread of the running thread's warp.
  void keepRegisters(std::uint32_t perThread, int line);
  void takeRegisters(std::uint32_t perThread, int line);
  // A fault if the tensor core is at work on this sum, accumulator `number` of the thread.
  void useSum(const RegisterSlot& sum, std::uint32_t number, int line);
  // Where a trace ends early: what is under way counts as waited for.
  void settle();

  // ---- for Block ----
  void sleepAtBlockBarrier(int line);  // the running thread
  // The running thread goes on; `warp` is its.
  void wake(std::uint32_t thread, std::uint32_t warp);
  bool canGoOn(std::uint32_t thread) const;
  bool atBlockBarrier(std::uint32_t thread) const;
  bool atClusterBarrier(std::uint32_t thread) const;
  // The blocks of its cluster, by rank, of which it is one; before the first thread runs.
  void join(std::span<Block* const> blocks, std::uint32_t rank);
  void beginRound(std::uint32_t round) { round_ = round; }
  // All threads of all these blocks that are alive are there.
  static void passClusterBarrier(std::span<Block* const> blocks);
  void passBlockBarrier();  // all that are alive are there
  // Nobody can go on; `alive` of them sleep.
  void reportDeadlock(const std::vector<std::uint32_t>& alive);
  // All have ended; what they leave behind must be done.
  void reportLeftovers();

  std::uint32_t timeOf(std::uint32_t warp) const { return times_[warp]; }
  std::uint32_t barrierBytes() const;
  // Of an access of the running thread to a word that is stamped so: what is wrong with it.
  void checkRead(std::uint32_t written, std::uint32_t array, std::int64_t index, int line,
                 const char* how = "reads");
  void checkOverwrite(std::uint32_t written, std::uint32_t read, std::uint32_t array,
                      std::int64_t index, int line) {
    checkOverwrite(*this, written, read, array, index, line, false);
  }
  // The same of a word in the shared memory of `in`.
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
    std::uint32_t expected = 0;  // arrivals in each phase; 0: it has not been started
    std::uint32_t pending = 0;
    std::int64_t bytes = 0;      // announced, and not there yet
    std::int64_t announced = 0;  // in this phase
    std::uint32_t phase = 0;     // how many have ended
    std::uint32_t started = 0;   // the stamp of who did
    bool published = false;
    int starter = -1;  // thread
    int arrived = -1;  // the thread of the cluster that has arrived last, and where
    int arrivedLine = 0;
    Clock arriving;  // of those who have arrived in this phase
    // Of the phases up to each of the last ones. Who sleeps until one of them ends hears of no
    // later one.
    std::array<Clock, 4> ended;
  };
  enum class Cause : std::uint8_t { None, Barrier, Products, Block, Meeting, Registers, Cluster };
  struct Sleep {
    Cause cause = Cause::None;
    // That has to end; of a meeting its number, and which one it is; of registers how many.
    std::uint32_t barrier = 0, phase = 0;
    std::uint32_t newest = 0;
    int line = 0;
  };
  static constexpr std::uint32_t kNumberedMeetings = 16;
  // A barrier at which only some threads of the block meet, and meet again.
  struct Meeting {
    std::uint32_t wanted = 0, come = 0;  // threads; 0: nobody has come yet
    std::uint32_t over = 0;              // meetings
    int line = 0;                        // of who came first
    Clock arriving, ended;               // of this meeting, and of the last one
  };
  // A word that all lanes of a warp execute together: how often one of them has, and where last.
  struct Executed {
    std::uint32_t times = 0;
    int line = 0;
  };
  enum Word : std::uint8_t { Fence, Commit, Wait, Keep, Take, MeetCluster, kWords };
  // Products that one thread has asked for.
  struct Asked {
    std::uint32_t products = 0;        // so far
    std::uint32_t committed = 0;       // groups
    std::uint32_t committedBoxes = 0;  // groups of boxes to be stored
    bool fenced = false;
    std::array<Executed, kWords> executed;
  };
  // A product that some lanes of a warp have asked for, and others not yet.
  struct Open {
    ProductRequest request;
    int line = 0;
    std::uint32_t group = 0;
    std::uint32_t lanes = 0;
  };
  // Sums of a warp on which its products work.
  struct Sums {
    std::uint32_t number = 0, columns = 0;
    std::uint32_t group = 0;  // of the newest product
    bool underWay = false;
    std::array<RegisterSlot*, kWarpSize> held{};
    std::vector<float> values;  // 16 x columns
  };
  struct Warp {
    std::vector<Open> open;   // by number of the product, less `first`
    std::uint32_t first = 0;  // products before are done
    std::vector<Sums> sums;
  };

  // What another block did to this one, which has to be alive then.
  struct Visit {
    std::uint32_t stamp = 0;
    std::uint32_t rank = 0, thread = 0;
    int line = 0;
    const char* what = "";
  };

  std::uint32_t thread() const;
  std::uint32_t who() const;  // the running thread among those of the cluster
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
  void endStretch();  // of the running warp: what follows happens later
  void pause();
  void count(Word word, int line);  // the running thread executes it
  bool reportLanes();               // whether there was anything to report
  bool reportWarps();               // the same of warps of a group
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
  // An agent that stamps so is to read a word, as the running thread asks; `how`: what it asks for.
  void readByAgent(std::size_t word, std::uint32_t array, std::int64_t index, std::uint32_t stamp,
                   int line, const char* how);
  // Reads two elements for a product of the running warp.
  void readFactors(std::uint32_t byte, std::uint32_t stamp, int line, RegisterSlot* out);
  void checkFactors(const ProductRecord& product, int line);
  void checkTogether(std::uint32_t warp, std::uint32_t number);

  Block& block_;
  // Of virtual matrices only provenances are recorded, and values go nowhere.
  bool values_ = true;
  std::vector<std::uint32_t> firstOfArray_;  // by ordinal
  std::vector<BarrierRecord> records_;
  std::vector<Barrier> barriers_;
  std::vector<Box> boxShapes_;
  std::vector<BoxRecord> boxes_;
  std::vector<BoxStoreRecord> boxStores_;
  std::vector<std::uint32_t> left_;  // by thread: the stamp of the sums that it left last
  // By warpgroup: the stamps of those who have awaited others' sums, one after the other; by
  // thread: how often it has added any.
  std::vector<std::vector<std::uint32_t>> awaited_;
  std::vector<std::uint32_t> added_;
  std::vector<RemoteArrival> remoteArrivals_;
  std::vector<Visit> visits_;   // by other blocks
  std::vector<Block*> blocks_;  // of the cluster; empty where there is none
  std::uint32_t rank_ = 0, round_ = 0;
  std::vector<std::vector<ProductRecord>> products_;
  std::vector<Clock> clocks_;         // by warp
  std::vector<std::uint32_t> times_;  // by warp: the present stretch, from 1
  std::vector<Sleep> sleeps_;         // by thread
  std::vector<Asked> asked_;          // by thread
  std::vector<Warp> warps_;
  std::vector<std::string> roles_;  // by warp; empty before the first name
  // By number, and behind these one for each warp.
  std::array<Meeting, kNumberedMeetings + kClockWarps> meetings_;
  std::vector<std::uint32_t> registers_;  // per thread, by warp
  std::int64_t pool_ = 0;                 // registers that belong to no warp
  ReadStamps readers_;
  // What has been found well, so that neighbouring words need not be looked at again.
  std::uint32_t wellWritten_ = 0, wellRead_ = 0;
  std::uint32_t reported_ = 0;  // the stamp of the last fault's word: one fault for its like
};

}  // namespace tileloom::emulator
