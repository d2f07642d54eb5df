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
// less. Global memory is not judged.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "kernels/emulator/fault.h"
#include "kernels/emulator/judges/shadow.h"
#include "kernels/emulator/trace.h"
#include "kernels/executor/launch.h"
#include "kernels/executor/observer.h"

namespace tileloom::executor::recorded {

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

 private:
  struct Block;
  // What an instruction reads and writes: numbers of general registers.
  struct Uses {
    std::vector<std::uint8_t> reads, writes;
  };
  emulator::Site siteOf(std::uint32_t number) const;
  Block* at(std::uint32_t block);
  void resume(Block& block, std::uint32_t warp);
  void collect(Block& block, std::uint32_t lane);
  void report(emulator::Fault fault);

  const Launch& launch_;
  std::string kernel_, file_, whyNot_;
  std::uint32_t unit_ = 4;                           // bytes
  std::vector<Uses> uses_;                           // by number of the instruction
  std::vector<std::pair<std::string, int>> places_;  // a file and a line, the same
  std::vector<emulator::Array> arrays_;
  std::map<std::uint32_t, std::unique_ptr<Block>> blocks_;  // that are alive, by number
  emulator::FaultLog faults_;
  std::set<std::pair<emulator::FaultKind, std::uint32_t>> reported_;  // by kind and address
};

}  // namespace tileloom::executor::recorded
