// SPDX-License-Identifier: GPL-3.0-or-later
// What warps waited for according to the hardware, beside the costs that the model predicts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/model/prediction/costs.h"
#include "kernels/runs/counter_values.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/sass/listing.h"

namespace tileloom::model {

struct Stall {
  runs::Counter counter{};
  std::string_view name;  // "at a barrier"
  double share = 0;       // of the time that all warps were in flight, 0 to 1
  Cost cost{};            // of the model, to which it belongs most
};

// Largest first, without reasons that never happened. Empty: the counters lack one of them. The
// shares add up to all of the warps' time. They are not shares of the launch's time: while a warp
// waits, others can issue, so much waiting may cost nothing.
std::vector<Stall> stallsOf(const runs::Counters& counters);

// The stall reasons that the hardware counts where this cost arises, in the words of Stall::name,
// the most significant first. Issued instructions are also counted as issued. Empty: it makes no
// warp wait (SMs without blocks have no warps, and padding is work like any other).
std::vector<std::string_view> countedAs(Cost cost);

// The words for one of the reasons of samples: "at a barrier".
std::string_view stallName(std::size_t reason);
// False while its instruction is issued, and while it could be issued but another warp is chosen.
bool isWait(std::size_t reason);
bool isWait(runs::Counter reason);

// Samples of one instruction or of one source line.
struct StallShare {
  double share = 0;                   // of all samples of the launch, 0 to 1
  double ready = 0;                   // of all samples: it was issued, or could have been
  std::optional<std::size_t> reason;  // most frequent wait; std::nullopt: it never waited
  double reasonShare = 0;             // of all samples
  std::array<double, runs::kStallReasons> by{};  // of all samples, each
};
StallShare stallShare(const std::array<std::uint64_t, runs::kStallReasons>& samples,
                      std::uint64_t all);
// Of the instruction at this address; all 0 if no sample fell on it.
StallShare stallShareAt(const runs::StallSamples& samples, std::uint32_t address);

struct LineStalls {
  int line = 0;          // of the source, from 1; 0: the compiler's own, or unknown
  int instructions = 0;  // that have samples
  StallShare stalls;
};
// The source line that samples of instruction `index` belong to, if the warp waited for this
// reason: the instruction's line, except for waits at barriers, whose samples the hardware takes
// after the barrier, or at a branch of the loop that waits for a phase.
int lineOfSample(const sass::Listing& listing, std::size_t index, std::size_t reason);
// The samples by the source line that they belong to, most first.
std::vector<LineStalls> stallsByLine(const runs::StallSamples& samples,
                                     const sass::Listing& listing);

// "18 % of the samples: 7 % at a barrier, 6 % for data from shared memory, …": all reasons.
std::string stallText(const StallShare& stalls);

}  // namespace tileloom::model
