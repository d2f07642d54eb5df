// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch could reach under a device's ceilings (S. Williams, A. Waterman, D. Patterson,
// "Roofline", CACM 52(4), 2009), with a roof for each level of the memory.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "kernels/model/ceilings.h"
#include "kernels/model/traffic.h"

namespace tileloom::model {

enum class Roof { Dram, L2, Shared, Fma };
inline constexpr std::array kRoofs = {Roof::Dram, Roof::L2, Roof::Shared, Roof::Fma};
inline constexpr std::array kMemoryRoofs = {Roof::Dram, Roof::L2, Roof::Shared};
std::string_view name(Roof roof);  // "DRAM", "L2", "L1 and shared memory", "FMA pipes"

// The level whose bandwidth the roof is. std::nullopt: the roof is that of the FMA pipes.
std::optional<MemoryLevel> levelOf(Roof roof);

// GB/s, or GFLOP/s for the FMA pipes. std::nullopt: unknown.
std::optional<double> ceilingOf(const Ceilings& ceilings, Roof roof);

// GFLOP/s under this roof alone: bandwidth times intensity, or the peak of the FMA pipes.
// std::nullopt: the ceiling is unknown, or the launch moves no bytes at that level.
std::optional<double> attainable(const Ceilings& ceilings, const Traffic& traffic, Roof roof);

// The lowest of the roofs, which limits the launch.
struct Binding {
  Roof roof = Roof::Fma;
  double gflops = 0;
};
std::optional<Binding> bindingOf(const Ceilings& ceilings, const Traffic& traffic);

// Times in seconds that no launch can beat, whatever its tile: the useful FLOPs over the peak of
// the FMA pipes, and the least bytes over the bandwidth of DRAM.
struct LowerBounds {
  std::optional<double> fmaSeconds;
  std::optional<double> dramSeconds;
};
LowerBounds lowerBounds(const Ceilings& ceilings, const Traffic& traffic);

}  // namespace tileloom::model
