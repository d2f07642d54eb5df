// SPDX-License-Identifier: GPL-3.0-or-later
// What the hardware's counters would show for a launch whose machine code was executed: nothing is
// inferred from the source, so an access that the compiler repeats, merges or predicates off counts
// as it is issued.
//
//   MachineTotals totals;
//   const auto executed = executor::execute(launch, buffers, {}, &totals);
//   totals.finish(*launch.kernel, launch.module->capability, executed->counts);
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kernels/analysis/counts/totals.h"
#include "kernels/executor/observer.h"

namespace tileloom::analysis {

// What the accesses of one instruction cost, in all warps.
struct MachineCost {
  std::uint64_t wavefronts = 0, conflicts = 0;  // of shared memory
  std::uint64_t sectors = 0, idealSectors = 0;  // of global memory
};

class MachineTotals : public executor::Observer {
 public:
  void see(const executor::Access& access) override;
  void seeBox(const executor::BoxCopy& copy) override;
  void seeProduct(const executor::GroupProduct& product) override;
  // Adds what follows from how often each instruction was issued.
  void finish(const sass::KernelImage& kernel, int capability,
              std::span<const executor::InstructionCount> counts);

  const Totals& totals() const { return totals_; }
  // By the number of the instruction; shorter than the kernel where later ones access nothing.
  const std::vector<MachineCost>& costs() const { return costs_; }
  std::uint64_t localInstructions() const { return local_; }     // spills and arrays
  std::uint64_t atomicInstructions() const { return atomics_; }  // reductions, too

 private:
  Totals totals_;
  std::vector<MachineCost> costs_;
  std::uint64_t local_ = 0, atomics_ = 0;
};

}  // namespace tileloom::analysis
