// SPDX-License-Identifier: GPL-3.0-or-later
// Where the warps of a launch stalled, sampled by the hardware: at fixed intervals each SM notes
// the next instruction of one of its warps and its stall reason. One JSON object per line, schema
// "tileloom.samples/1".
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/runs/counter_values.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::runs {

inline constexpr std::string_view kSamplesSchema = "tileloom.samples/1";

// The reasons are those of the counters StalledBarrier to StalledSelected, in that order, and one
// for all others.
inline constexpr std::size_t kStallReasons = 12;
inline constexpr std::size_t kOtherReason = kStallReasons - 1;
// std::nullopt: kOtherReason, which has no counter.
std::optional<Counter> counterOfReason(std::size_t reason);
// The place of a reason by CUPTI's name, such as "smsp__pcsamp_warps_issue_stalled_barrier".
// std::nullopt: the name is not a reason of its own; those that end in "_not_issued" are samples of
// the reason without that ending, counted a second time.
std::optional<std::size_t> reasonNamed(std::string_view cupti);

struct SampledInstruction {
  std::uint32_t address = 0;  // bytes from the kernel's first instruction
  std::array<std::uint32_t, kStallReasons> by{};
  std::uint64_t total() const;
  bool operator==(const SampledInstruction&) const = default;
};

struct StallSamples : Launched {
  std::string when;           // ISO 8601, UTC
  std::string device;         // "NVIDIA H200"
  std::string arch;           // "sm_90"
  std::string cuda;           // the NVRTC that compiled the kernel: "13.0"
  std::string fingerprint;    // of the code that ran: see fingerprintFrom
  int log2Period = 0;         // a sample every 2^this cycles of an SM
  std::uint64_t dropped = 0;  // samples for which the hardware had no room
  bool recorded = false;
  std::vector<SampledInstruction> at;  // by address; those that no sample fell on are left out

  std::uint64_t total() const;
  const SampledInstruction* find(std::uint32_t address) const;  // nullptr: no sample
  bool operator==(const StallSamples&) const = default;
};

nlohmann::ordered_json toJson(const StallSamples& samples);
// The error is one sentence without a full stop.
tl::expected<StallSamples, std::string> stallSamplesFrom(const nlohmann::json& json);

// Of this exact subject, source and architecture, from the files that ship in the executable; of
// several sizes the one whose number of multiply-adds is nearest in ratio, of several GPUs the
// first file's. nullptr: there are none.
const StallSamples* recordedSamples(const Subject& subject, const Problem& problem,
                                    std::string_view arch);
// Whether there are any of the stage's default tile in its usual format.
bool hasRecordedSamples(const Stage& stage);
std::span<const StallSamples> allRecordedSamples();

}  // namespace tileloom::runs
