// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/costs.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "kernels/emulator/fragment_layout.h"
#include "kernels/machine/l2_port.h"
#include "kernels/machine/latencies.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/mma.h"

namespace tileloom::timeline {
namespace {

constexpr std::string_view kMeasured =
    "measured on an H100 and an H200, 2026-11-25, with measurements/latencies.cu";

enum Which : std::size_t {
  Shared,
  L1,
  Memory,
  Fma,
  MmaSync,
  Barrier,
  BarrierWarp,
  Phase,
  Ask,
  BoxRate,
  Column,
  Return
};
constexpr std::array kConstants = {
    Constant{"latency of shared memory", machine::kSharedChainLatency, "cycles", kMeasured},
    Constant{"latency of L1", machine::kL1Latency, "cycles", kMeasured},
    Constant{"latency of global memory", machine::kMemoryLatency, "cycles",
             "the mean of L2 (283) and DRAM (693), both measured like the others: a K tile waits "
             "for its slowest line, which another block may have requested before"},
    Constant{"latency of a multiply-add", machine::kMultiplyAddLatency, "cycles", kMeasured},
    Constant{"latency of mma.sync", machine::kMmaLatency, "cycles", kMeasured},
    Constant{"latency of __syncthreads()", machine::kBarrierLatency, "cycles", kMeasured},
    Constant{"the same, per warp of the block", machine::kBarrierPerWarp, "cycles", kMeasured},
    Constant{"wait for the phase of an mbarrier, after its end", machine::kPhaseLatency, "cycles",
             kMeasured},
    Constant{"issue of a TMA copy", machine::kBoxIssue, "cycles of the issuing thread", kMeasured},
    Constant{"TMA loads from L2", machine::kL2BoxBytes, "bytes per cycle", kMeasured},
    Constant{"wgmma, per column", machine::kWgmmaPerColumn, "cycles", kMeasured},
    Constant{"from the end of a wgmma to the next one of a warpgroup that waits for it",
             machine::kWgmmaReturn, "cycles", kMeasured},
};

// If the rate of mma.sync has not been measured.
constexpr double kMmaAtPeak = 4.0;  // cycles of 2,048 products at 512 per cycle and scheduler

// The products of m16n8k16 that take as long as one mma.sync of this stage.
double productsOfMma(const Stage& stage) {
  if (!stage.features().warpMma) return rowOf(kUsualWarpMma).products();
  const Architecture& arch = defaultArchitecture();
  return stage.mma()->products() * arch.tensorPerCycle / tensorPerCycle(arch, *stage.mma());
}

}  // namespace

std::span<const Constant> constants() {
  return kConstants;
}

double slotsPerTile(const BlockProgram& program) {
  double sum = 0;
  const std::uint32_t from = std::min(program.buffers, program.kTiles - 1);
  const double tiles = program.kTiles - from;
  for (const Program& warp : program.warps) {
    for (const Operation& op : warp.operations) {
      if (op.kTile != emulator::kNoTile && op.kTile >= from) sum += op.issues;
    }
  }
  return sum / tiles / static_cast<double>(program.warps.size());
}

Costs costsOf(const Stage& stage, const model::Workload& work, const BlockProgram& program,
              const model::Rates& rates, const model::Ceilings* ceilings) {
  Costs costs;
  // Those of a full wave, as in the prediction: a small launch has fewer.
  const auto perSm = (work.blocks + rates.chip.machine.sms - 1) / rates.chip.machine.sms;
  costs.blocks =
      static_cast<int>(std::clamp<std::int64_t>(perSm, 1, std::max(1, work.blocksPerSm)));
  costs.l2Bytes = rates.l2Bytes;
  costs.sectorCycles = rates.sectorCycles;
  costs.sharedLatency = kConstants[Shared].value;
  costs.l1Latency = kConstants[L1].value;
  costs.memoryLatency = kConstants[Memory].value;
  costs.fmaLatency = kConstants[Fma].value;
  costs.mmaLatency = kConstants[MmaSync].value;
  costs.meetLatency = kConstants[Barrier].value;
  costs.meetPerWarp = kConstants[BarrierWarp].value;
  costs.barrierLatency =
      costs.meetLatency + costs.meetPerWarp * static_cast<double>(program.warps.size());
  costs.phaseLatency = kConstants[Phase].value;
  costs.boxAsk = kConstants[Ask].value;
  costs.boxL2Bytes = kConstants[BoxRate].value;
  costs.productCyclesPerColumn = kConstants[Column].value;
  costs.productReturn = kConstants[Return].value;
  const double products = productsOfMma(stage);
  costs.mmaCycles = kMmaAtPeak * products / rowOf(kUsualWarpMma).products();
  if (ceilings != nullptr && ceilings->mmaGflops.known() && ceilings->mmaClockMHz > 0) {
    const double perCycle = ceilings->mmaGflops.median * 1e3 / 2 / ceilings->mmaClockMHz /
                            ceilings->sms / Architecture::kPartitions;
    costs.mmaCycles = products / perCycle;
  }
  if (!stage.features().sharedTiles) {
    costs.fromL1 = true;
    double asked = 0;
    for (const Program& warp : program.warps) {
      for (const Operation& op : warp.operations) {
        if (op.work == Work::Load && op.kTile != emulator::kNoTile) asked += op.bytes;
      }
    }
    if (asked > 0) costs.throughL2 = std::min(1.0, work.l2Bytes * program.kTiles / asked);
  }
  const double traced = slotsPerTile(program);
  if (model::isPredicted(stage) && traced > 0) {
    // As in the prediction: machine instructions per K tile, register banks, code beyond the
    // instruction cache.
    const model::Terms terms = model::termsOf(work, rates, rates.chip, 1);
    const double issue = terms[model::Term::MultiplyAdds] + terms[model::Term::OtherInstructions] +
                         terms[model::Term::RegisterBanks];
    const double fetch =
        terms[model::Term::InstructionFetch] / std::ceil(work.warps / Architecture::kPartitions);
    costs.slot = (issue * Architecture::kPartitions / work.warps + fetch) / traced;
  }
  return costs;
}

}  // namespace tileloom::timeline
