// SPDX-License-Identifier: GPL-3.0-or-later
// What the view of a rewritten main loop shows, as plain values without worker or files.
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
  std::optional<runs::LoopTimes> times;             // std::nullopt: nobody has measured it
  std::shared_ptr<const StallFacts>
      stalls;                // of the loop as it runs; nullptr: nobody has sampled it
  rewrite::Version version;  // that stands beside the untouched loop; one of the study's
  QString origin;            // of the machine code: "recorded 2026-11-26 · sm_90 · NVRTC 13.0"
  QString note;              // a sentence
  bool waiting = false;      // another one is being made

  bool ready() const { return study != nullptr; }
  const rewrite::VersionFacts& shown() const { return study->of(version); }
  // Whether the machine code of the version is there; otherwise shown().whyNot says why not.
  bool possible() const { return ready() && shown().whyNot.empty(); }
};

}  // namespace tileloom
