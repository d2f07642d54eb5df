// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the view of a rewritten main loop, as plain values without workers or files.
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "kernels/rewrite/loop_study.h"
#include "kernels/runs/loop_times.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

struct LoopData {
  std::shared_ptr<const rewrite::LoopStudy> study;  // nullptr: `note` says why
  std::optional<runs::LoopTimes> times;             // std::nullopt: not measured
  std::shared_ptr<const StallFacts> stalls;         // of the loop as it runs; nullptr: not sampled
  rewrite::Version version;  // shown beside the untouched loop; one of the study's
  QString origin;            // of the SASS: "recorded 2026-11-26 · sm_90 · NVRTC 13.0"
  QString note;              // a sentence
  bool waiting = false;      // another study is being computed

  bool ready() const { return study != nullptr; }
  const rewrite::VersionFacts& shown() const { return study->of(version); }
  // Whether the version exists; otherwise shown().whyNot says why not.
  bool possible() const { return ready() && shown().whyNot.empty(); }
};

}  // namespace tileloom
