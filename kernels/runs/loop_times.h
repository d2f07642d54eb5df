// SPDX-License-Identifier: GPL-3.0-or-later
// How long an iteration of a main loop took on a device, for the unchanged loop and for versions of
// the rewritten one (loop_study.h), and the recorded times that ship inside the executable
// (resources/loops/, schema "tileloom.loop/1"): a line per kernel and device. Versions whose lanes
// share loads in pairs have a list of their own, "paired_versions", so that a program that does not
// know the list does not confuse them with the others. If it is missing, they were not measured.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/base/embedded_file.h"
#include "kernels/rewrite/schedule.h"
#include "kernels/runs/run_record.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::runs {

inline constexpr std::string_view kLoopSchema = "tileloom.loop/1";

struct LoopTime {
  std::optional<rewrite::Changes> changes;  // std::nullopt: the unchanged loop
  Interval cycles;                          // SM cycles per iteration
  // Of the source whose lanes share shared loads in pairs, as those of rung 14 do
  // (rewrite::Version); otherwise of the kernel's own.
  bool pairedLoads = false;
  bool operator==(const LoopTime&) const = default;
};

struct LoopTimes : Subject {
  std::string when;    // ISO 8601, UTC
  std::string device;  // "NVIDIA H100 80GB HBM3"
  std::string arch;    // "sm_90"
  std::string driver;  // empty: unknown
  std::string cuda;    // version of NVRTC
  std::string fingerprint;
  int smClockMHz = 0;  // while measuring; converts times to cycles
  std::vector<LoopTime> times;
  bool recorded = false;

  const Interval* of(const std::optional<rewrite::Changes>& changes,
                     bool pairedLoads = false) const;  // nullptr: not measured
};

nlohmann::ordered_json toJson(const LoopTimes& times);
std::string toLine(const LoopTimes& times);
// The error is one sentence without a full stop.
tl::expected<LoopTimes, std::string> loopTimesFrom(const nlohmann::json& json);
tl::expected<LoopTimes, std::string> loopTimesFromLine(std::string_view line);

// The files of resources/loops/: one per device ("h100.jsonl").
std::span<const EmbeddedFile> loopTimeFiles();
// Of this kernel and its present source, on the first device that has it. std::nullopt: none.
std::optional<LoopTimes> recordedLoopTimes(const Subject& subject);

}  // namespace tileloom::runs
