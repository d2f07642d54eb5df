// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/roofline.h"

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
  }
  return "";
}

std::optional<MemoryLevel> levelOf(Roof roof) {
  switch (roof) {
    case Roof::Dram:
      return MemoryLevel::Dram;
    case Roof::L2:
      return MemoryLevel::L2;
    case Roof::Shared:
      return MemoryLevel::Shared;
    case Roof::Fma:
      return std::nullopt;
  }
  return std::nullopt;
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
  for (const Roof roof : kRoofs) {
    const auto gflops = attainable(ceilings, traffic, roof);
    if (gflops && (!lowest || *gflops < lowest->gflops)) lowest = Binding{roof, *gflops};
  }
  return lowest;
}

LowerBounds lowerBounds(const Ceilings& ceilings, const Traffic& traffic) {
  LowerBounds bounds;
  if (const auto peak = ceilingOf(ceilings, Roof::Fma))
    bounds.fmaSeconds = traffic.flops / (*peak * 1e9);
  if (const auto dram = ceilingOf(ceilings, Roof::Dram))
    bounds.dramSeconds = traffic.leastBytes / (*dram * 1e9);
  return bounds;
}

}  // namespace tileloom::model
