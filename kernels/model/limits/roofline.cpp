// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/roofline.h"

#include "kernels/tile/architecture.h"

namespace tileloom::model {

std::string_view name(Roof roof) {
  switch (roof) {
    case Roof::Dram:
      return "DRAM";
    case Roof::L2:
      return "L2";
    case Roof::Shared:
      return "L1 and shared memory";
    case Roof::Fma:
      return "FMA pipes";
    case Roof::MmaSync:
      return "mma.sync";
    case Roof::Tensor:
      return "tensor cores";
  }
  return "";
}

std::span<const Roof> roofsOf(Ladder ladder) {
  static constexpr std::array kFp32 = {Roof::Dram, Roof::L2, Roof::Shared, Roof::Fma};
  static constexpr std::array kTensor = {Roof::Dram, Roof::L2, Roof::Shared, Roof::MmaSync,
                                         Roof::Tensor};
  return ladder == Ladder::Tensor ? std::span<const Roof>(kTensor) : kFp32;
}

Roof peakOf(Ladder ladder) {
  return roofsOf(ladder).back();
}

std::optional<MemoryLevel> levelOf(Roof roof) {
  switch (roof) {
    case Roof::Dram:
      return MemoryLevel::Dram;
    case Roof::L2:
      return MemoryLevel::L2;
    case Roof::Shared:
      return MemoryLevel::Shared;
    default:
      return std::nullopt;
  }
}

int tensorClockMHz(const Ceilings& ceilings) {
  return ceilings.mmaClockMHz > 0 ? ceilings.mmaClockMHz : ceilings.smClockMHz;
}

double tensorPerCycle(const Ceilings& ceilings) {
  const auto arch = architectureNamed(ceilings.arch);
  return arch ? arch->tensorPerCycle : 0;
}

std::optional<double> ceilingOf(const Ceilings& ceilings, Roof roof) {
  const runs::Interval* interval = nullptr;
  switch (roof) {
    case Roof::Dram:
      interval = &ceilings.dramGBs;
      break;
    case Roof::L2:
      interval = &ceilings.l2GBs;
      break;
    case Roof::Shared:
      interval = &ceilings.sharedGBs;
      break;
    case Roof::Fma:
      interval = &ceilings.fmaGflops;
      break;
    case Roof::MmaSync:
      interval = &ceilings.mmaGflops;
      break;
    case Roof::Tensor: {
      const double peak =
          2 * tensorPerCycle(ceilings) * ceilings.sms * tensorClockMHz(ceilings) * 1e-3;
      return peak > 0 ? std::optional(peak) : std::nullopt;
    }
  }
  if (interval == nullptr || !interval->known()) return std::nullopt;
  return interval->median;
}

std::optional<double> attainable(const Ceilings& ceilings, const Traffic& traffic, Roof roof) {
  const auto ceiling = ceilingOf(ceilings, roof);
  const auto level = levelOf(roof);
  if (!ceiling || !level) return ceiling;
  const auto intensity = traffic.intensity(*level);
  if (!intensity) return std::nullopt;
  return *ceiling * *intensity;
}

std::optional<Binding> bindingOf(const Ceilings& ceilings, const Traffic& traffic) {
  std::optional<Binding> lowest;
  for (const Roof roof : roofsOf(traffic.ladder)) {
    // The roof of L2 was measured with loads that no two SMs share. Neighbours that share theirs
    // get twice as much (l2_port.h), but those of the FP32 ladder do not come near it.
    if (roof == Roof::L2 && traffic.ladder == Ladder::Tensor) continue;
    if (roof == Roof::MmaSync && traffic.warpgroups) continue;
    const auto gflops = attainable(ceilings, traffic, roof);
    if (gflops && (!lowest || *gflops < lowest->gflops)) lowest = Binding{roof, *gflops};
  }
  return lowest;
}

LowerBounds lowerBounds(const Ceilings& ceilings, const Traffic& traffic) {
  LowerBounds bounds;
  bounds.pipes = peakOf(traffic.ladder);
  if (const auto peak = ceilingOf(ceilings, bounds.pipes))
    bounds.pipeSeconds = traffic.flops / (*peak * 1e9);
  if (const auto dram = ceilingOf(ceilings, Roof::Dram))
    bounds.dramSeconds = traffic.leastBytes / (*dram * 1e9);
  bounds.coldL2 = traffic.mayStandInL2;
  return bounds;
}

}  // namespace tileloom::model
