// SPDX-License-Identifier: GPL-3.0-or-later
// An observer: the judges of emulator/judges, for a block of machine code. They find races in
// shared memory, reads of shared memory that nothing has written or whose copy has not been waited
// for, and reads of registers that nothing has written.
//
//   MachineJudges judges(launch, "gemm", "gemm.cubin");
//   const auto executed = execute(launch, buffers, {}, &judges);
//   judges.faults();                        // also where the execution has failed
//
// The threads of one warp are ordered by its instructions. Warps are ordered by the barriers of the
// block, numbered ones included. Memory is judged in units: words, or less where a kernel accesses
// less. mbarriers, TMA, wgmma and barriers of a cluster order accesses, too; a thread and the async
// proxy need a fence. What another block of the cluster stores by itself (st.shared::cluster) is
// not judged, and neither is global memory.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/emulator/events.h"
#include "kernels/emulator/fault.h"
#include "kernels/emulator/judges/shadow.h"
#include "kernels/emulator/trace.h"
#include "kernels/executor/launch.h"
#include "kernels/executor/observer.h"
#include "kernels/executor/recorded/async_step.h"

namespace tileloom::executor::recorded {

struct JudgedBlock;

class MachineJudges : public Observer {
 public:
  // `kernel` and `file` are for sentences. The launch must outlive this.
  MachineJudges(const Launch& launch, std::string kernel, std::string file);
  ~MachineJudges() override;

  // Why shared memory is not judged, as one sentence; empty: it is.
  const std::string& whyNot() const { return whyNot_; }
  // Of all blocks so far.
  const emulator::FaultLog& faults();

  void begin(const BlockStart& start) override;
  void end(std::uint32_t block) override;
  bool follows() const override { return true; }
  void before(const Warp& warp, const Operation& o) override;
  void see(const Access& access) override;
  void see(const BarrierArrival& arrival) override;
  void passed(std::uint32_t block, std::uint32_t barrier) override;
  void see(const CopyStep& step) override;
  void seeBox(const BoxCopy& copy) override;
  void seeBulk(const BulkCopy& copy) override;
  void seeBarrier(const BarrierUse& use) override;
  void seeProduct(const GroupProduct& product) override;
  void seeMeeting(const ClusterMeeting& meeting) override;

 private:
  // What an instruction reads and writes: numbers of general registers.
  struct Uses {
    std::vector<std::uint8_t> reads, writes;
    AsyncStep step;
    bool product = false;  // a wgmma: later ones may add to its sums while it is in flight
    bool commits = false;  // it ends a group
  };
  emulator::Site siteOf(std::uint32_t number) const;
  JudgedBlock* at(std::uint32_t block);
  void resume(JudgedBlock& block, std::uint32_t warp);
  void collect(JudgedBlock& block, std::uint32_t lane);
  void report(emulator::Fault fault);
  void checkWritten(const JudgedBlock& block, std::uint32_t warp, std::uint32_t number,
                    std::uint32_t reg, std::uint32_t lanes);
  void reportRegister(const JudgedBlock& block, emulator::FaultKind kind, std::uint32_t thread,
                      std::uint32_t number, std::string detail);
  // The async proxy, mbarriers and clusters (machine_judges_async.cpp).
  void take(JudgedBlock& block, const Warp& warp, const AsyncStep& step);
  void checkInFlight(JudgedBlock& block, std::uint32_t warp, std::uint32_t number,
                     const Uses& uses);
  void exclude(JudgedBlock& from, std::uint32_t rank, std::uint32_t place, std::uint32_t bytes);
  void excludeRemote(JudgedBlock& block, const Access& access, std::uint32_t lane);
  std::optional<std::uint32_t> barrierAt(JudgedBlock& block, std::uint32_t place);
  void brought(JudgedBlock& issuer, const emulator::Origin& at, emulator::BoxRecord box,
               std::uint32_t place);
  void readByAgent(JudgedBlock& block, const emulator::Origin& at, emulator::event::Agent agent,
                   std::uint32_t group, std::uint32_t from, std::uint32_t bytes);

  const Launch& launch_;
  std::string kernel_, file_, whyNot_;
  std::uint32_t unit_ = 4;                           // bytes
  std::vector<Uses> uses_;                           // by number of the instruction
  std::vector<std::pair<std::string, int>> places_;  // a file and a line, the same
  std::vector<emulator::Array> arrays_;
  std::map<std::uint32_t, std::unique_ptr<JudgedBlock>> blocks_;  // that are alive, by number
  std::vector<JudgedBlock*> beginning_;                           // of the newest cluster, by rank
  emulator::FaultLog faults_;
  std::set<std::pair<emulator::FaultKind, std::uint32_t>> reported_;  // by kind and address
};

}  // namespace tileloom::executor::recorded
