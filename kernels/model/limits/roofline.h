// SPDX-License-Identifier: GPL-3.0-or-later
// What a launch could reach under a device's ceilings (S. Williams, A. Waterman, D. Patterson,
// "Roofline", CACM 52(4), 2009), with a roof for each level of the memory.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

#include "kernels/model/limits/ceilings.h"
#include "kernels/model/limits/traffic.h"

namespace tileloom::model {

enum class Roof { Dram, L2, Shared, Fma, MmaSync, Tensor };
inline constexpr std::array kMemoryRoofs = {Roof::Dram, Roof::L2, Roof::Shared};
std::string_view name(Roof roof);  // "DRAM", "L2", "L1 and shared memory", "FMA pipes", …

// The roofs that apply to rungs of this ladder: those of the memories and of the pipes that
// multiply, the highest of them last. On the tensor ladder these are the rate of mma.sync, if
// measured, which limits the rungs that use it, and that of the tensor cores, which wgmma reaches.
std::span<const Roof> roofsOf(Ladder ladder);
// The last of them.
Roof peakOf(Ladder ladder);

// The memory level of a bandwidth roof. std::nullopt: the roof is that of pipes that multiply.
std::optional<MemoryLevel> levelOf(Roof roof);

// GB/s, or GFLOP/s for pipes that multiply. std::nullopt: unknown. That of the tensor cores is
// computed: two operations for each multiply-add per cycle (kernels/tile/architecture.h), at the
// clock of the ceilings.
std::optional<double> ceilingOf(const Ceilings& ceilings, Roof roof);
// Multiply-adds per cycle and SM of the tensor cores of that device. 0: unknown.
double tensorPerCycle(const Ceilings& ceilings);
// The SM clock for the computed peak of the tensor cores: that of the measurement of mma.sync, else
// of the FMA pipes. 0: unknown.
int tensorClockMHz(const Ceilings& ceilings);

// GFLOP/s under this roof alone: bandwidth times intensity, or the peak of the pipes.
// std::nullopt: the ceiling is unknown, or the launch moves no bytes at that level.
std::optional<double> attainable(const Ceilings& ceilings, const Traffic& traffic, Roof roof);

// The lowest of the roofs of the launch's ladder, which limits it.
struct Binding {
  Roof roof = Roof::Fma;
  double gflops = 0;
};
std::optional<Binding> bindingOf(const Ceilings& ceilings, const Traffic& traffic);

// Lower bounds in seconds for any tile: the useful FLOPs over the peak of the pipes that multiply,
// and the least bytes over the bandwidth of DRAM. The latter assumes a cold L2, and that C is
// written back.
struct LowerBounds {
  Roof pipes = Roof::Fma;
  std::optional<double> pipeSeconds;
  std::optional<double> dramSeconds;
  bool coldL2 = false;  // L2 is large enough for that to matter: see mayStandInL2()
};
LowerBounds lowerBounds(const Ceilings& ceilings, const Traffic& traffic);

}  // namespace tileloom::model
