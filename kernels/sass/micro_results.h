// SPDX-License-Identifier: GPL-3.0-or-later
// The measured times of micro-cases on a device, and the recorded ones that ship inside the
// executable (resources/microcases/, schema "tileloom.microcases/1"): a line about the measurement,
// then a line per case.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/embedded_file.h"

namespace tileloom::sass {

inline constexpr std::string_view kMicroSchema = "tileloom.microcases/1";

// Every case is measured with these numbers of warps per scheduler.
inline constexpr std::array kMicroWarps = {1, 2, 4};

struct MicroResult {
  std::string name;  // of the case
  // Cycles per slot, which is one of the instructions that the case is about: of the whole loop,
  // divided by all slots that a scheduler has to issue in it. One figure for each of kMicroWarps.
  std::array<double, kMicroWarps.size()> cycles{};
  bool operator==(const MicroResult&) const = default;
};

struct MicroResults {
  std::string when;    // ISO date
  std::string device;  // "NVIDIA H100 80GB HBM3"
  std::string arch;    // "sm_90"
  std::string driver;  // empty: unknown
  std::string cuda;    // version of NVRTC
  int turns = 0;       // of the loop, in each launch
  std::vector<MicroResult> results;

  const MicroResult* of(std::string_view name) const;  // nullptr: it was not measured
};

std::string toText(const MicroResults& results);
// The error is one sentence without a full stop, with the number of the line.
tl::expected<MicroResults, std::string> microResultsFrom(std::string_view text);

// The files of resources/microcases/: one per device ("h100.jsonl").
std::span<const EmbeddedFile> microResultFiles();
// Those of the H100.
const MicroResults& recordedMicroResults();

}  // namespace tileloom::sass
