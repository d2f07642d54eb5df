// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a launch: one verdict, of which `predict`, `why`, `roofline`, `timeline` and the
// window take name and sentence.
//
// The time of the launch is dealt out to what it goes to, and the largest part is the limit.
// * On the FP32 ladder it is the predicted time, dealt out by costs.h.
// * On the tensor ladder it is the least time that DRAM and the busiest SM leave. What the useful
//   products and the stores of C need of the fullest unit, or the bytes need of DRAM if that is
//   more, comes first: no other division of the tiles takes it away. What the busiest SM needs
//   beyond that is dealt out to padding and to SMs without work: to each, what it adds.
//   Where these two together are more than what comes first, the larger of them is the limit: with
//   half of the time lost to the division of C, a faster unit or DRAM would not help.
// So SMs without work count, in launches below one wave, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/analysis/loop_totals.h"
#include "kernels/model/costs.h"
#include "kernels/model/floors.h"
#include "kernels/model/launch_places.h"

namespace tileloom::model {

enum class LimitKind : std::uint8_t {
  Issue,
  DataPipe,
  L2,
  Dram,
  Latency,  // waiting that nothing hides
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
  bool predicted = false;  // it is the predicted time; else the least
  LaunchPlaces places;
  double dramBytes = 0;       // that the launch moves, predicted
  double dramSeconds = 0;     // for these at the bandwidth of DRAM; 0: unknown
  bool coldL2 = false;        // L2 can hold much of these: kColdL2 holds
  double productSeconds = 0;  // for the useful multiply-adds on all SMs; 0: unknown
  // For these and the stores of C at the rate of the fullest unit of an SM, if all SMs share them;
  // 0: unknown.
  double usefulSeconds = 0;
  // Share of the time for which the tensor cores of all SMs are busy at the most; 0: unknown.
  double tensorShare = 0;
  bool operator==(const Limit&) const = default;
};

// A launch, and what is known of kernel and device.
struct LimitQuestion {
  const Stage& stage;
  const TileShape& tile;  // legal
  const Problem& problem;
  const analysis::LoopTotals& loop;
  const Architecture& arch;
  // The FP32 ladder needs these two, with at least one block per SM,
  const KernelFacts* facts = nullptr;
  const Rates* rates = nullptr;
  // and the tensor ladder these.
  const Ceilings* ceilings = nullptr;
};

// std::nullopt: something of the above is not known.
std::optional<Limit> limitOf(const LimitQuestion& question);
// Of costs that are predicted, not counted.
Limit limitOf(const TileCosts& predicted, const Rates& rates);
// The group of costs that takes most of the time, whether these are counted or predicted.
LimitKind largestGroup(const TileCosts& costs);

// "The limit is the tail wave, 99.2 % of the predicted 228 µs: 1 of 132 SMs has work."
std::string sentence(const Limit& limit);
// "the tail wave, 99.2 % of the time"; of the least time where there is no prediction
std::string shortText(const Limit& limit);

// "12 µs", "533 ns"; "33.8 MB", "0.16 kB".
std::string timeText(double seconds);
std::string bytesText(double bytes);

// What `why` says of a rung without a prediction: the limit, and for which share of the time the
// tensor cores can be busy, where it is a unit of the SM that limits.
std::string sentence(const Floors& floors, const std::optional<Limit>& limit);

}  // namespace tileloom::model
