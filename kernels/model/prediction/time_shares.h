// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a launch, divided into groups that both the model and the hardware counters have, so
// that the two can be compared.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/model/prediction/terms.h"
#include "kernels/runs/counter_values.h"

namespace tileloom::model {

enum class TimeGroup : std::uint8_t {
  Issue,             // instructions are issued
  RegisterBanks,     // an issued slot takes longer than a cycle
  InstructionFetch,  // instructions have to be fetched first
  SharedMemory,      // its pipe is full, or its data is in flight
  GlobalMemory,      // data from L1, L2 or DRAM is in flight
  Barriers,
  Dependences,  // on results of earlier instructions
};
inline constexpr std::size_t kTimeGroups = 7;
std::string_view name(TimeGroup group);  // "shared memory"

// Shares of the time, each 0 to 1, that add up to 1.
struct TimeShares {
  std::array<double, kTimeGroups> values{};
  double& operator[](TimeGroup group) { return values[static_cast<std::size_t>(group)]; }
  double operator[](TimeGroup group) const { return values[static_cast<std::size_t>(group)]; }
};

// Of the cycles in which SMs have warps. A scheduler issues in some of them; the counters give
// these exactly. In the others all its warps wait, and those cycles are divided by the warps that
// wait for each reason. That is an estimate, because it is not counted which of them would have
// been ready first. std::nullopt: a counter is missing.
std::optional<TimeShares> countedShares(const runs::Counters& counters);

// The same from the model, for one K tile: the share of the cycles in which instructions are
// issued, and the others in proportion to the shares of their terms.
TimeShares predictedShares(const Terms& terms, const Rates& rates);

}  // namespace tileloom::model
