// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a launch: one verdict, whose name and sentence are used by `predict`, `why`,
// `roofline`, `timeline` and the window.
//
// The time of the launch is divided by cause, and the largest part is the limit.
// * On the FP32 ladder it is the predicted time, divided by costs.h.
// * On the tensor ladder it is the larger lower bound: that of DRAM, which then is the limit, or
//   that of the busiest SM. The latter is divided into what the useful products and the stores of C
//   need of the fullest unit, padding, and SMs without work. If the last two together exceed the
//   first part, the larger of them is the limit: with half of the time lost to the division of C, a
//   faster unit would not help.
// SMs without work therefore count, also in launches of less than one wave.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/model/limits/floors.h"
#include "kernels/model/limits/launch_places.h"
#include "kernels/model/prediction/costs.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {

enum class LimitKind : std::uint8_t {
  Issue,
  DataPipe,
  L2,
  Dram,
  Latency,  // waiting that is not hidden
  TensorCores,
  MmaSync,
  TailWave,  // SMs without work
  Padding,
};
inline constexpr std::size_t kLimitKinds = 9;
std::string_view name(LimitKind kind);  // "instruction issue", "DRAM", "the tail wave", …
std::string_view key(LimitKind kind);   // "issue", "dram", "tail_wave", …

struct Limit {
  LimitKind kind{};
  double share = 0;        // of the time of the launch, 0 to 1
  double seconds = 0;      // that time
  bool predicted = false;  // it is the predicted time; else the lower bound
  LaunchPlaces places;
  double dramBytes = 0;       // moved by the launch, predicted
  double dramSeconds = 0;     // for these at the bandwidth of DRAM; 0: unknown
  bool coldL2 = false;        // L2 can hold much of these: kColdL2 applies
  double productSeconds = 0;  // for the useful multiply-adds on all SMs; 0: unknown
  // For these and the stores of C at the rate of the fullest unit of an SM, if all SMs share them;
  // 0: unknown.
  double usefulSeconds = 0;
  // The largest possible share of the time for which the tensor cores of all SMs are busy; 0:
  // unknown.
  double tensorShare = 0;
  bool operator==(const Limit&) const = default;
};

// A launch, and what is known about kernel and device.
struct LimitQuestion {
  const Subject& subject;  // with a legal tile
  const Problem& problem;
  const analysis::LoopTotals& loop;
  const Architecture& arch;
  // The FP32 ladder needs these two, with at least one block per SM,
  const KernelFacts* facts = nullptr;
  const Rates* rates = nullptr;
  // and the tensor ladder these.
  const Ceilings* ceilings = nullptr;
};

// std::nullopt: something of the above is unknown.
std::optional<Limit> limitOf(const LimitQuestion& question);
// From predicted costs, not counted ones.
Limit limitOf(const TileCosts& predicted, const Rates& rates);
// The group of costs that takes most of the time, predicted or counted.
LimitKind largestGroup(const TileCosts& costs);

// "The limit is the tail wave, 99.2 % of the predicted 228 µs: 1 of 132 SMs has work."
std::string sentence(const Limit& limit);
// "the tail wave, 99.2 % of the time"; of the lower bound if there is no prediction
std::string shortText(const Limit& limit);

// "12 µs", "533 ns"; "33.8 MB", "0.16 kB".
std::string timeText(double seconds);
std::string bytesText(double bytes);

// What `why` says about a rung without a prediction: the limit, and, if it is a unit of the SM, the
// share of the time for which the tensor cores can be busy.
std::string sentence(const Floors& floors, const std::optional<Limit>& limit);

}  // namespace tileloom::model
