// SPDX-License-Identifier: GPL-3.0-or-later
// The study of a main loop as text and as JSON.
#pragma once

#include <string>

#include "app/commands/common/json.h"
#include "kernels/rewrite/loop_study.h"
#include "kernels/runs/loop_times.h"
#include "kernels/runs/stall_samples.h"

namespace tileloom::app {

struct LoopReport {
  const rewrite::LoopStudy& study;
  const runs::LoopTimes* times = nullptr;       // nullptr: this kernel is not measured
  const runs::StallSamples* samples = nullptr;  // of the kernel as it runs; nullptr: there are none
};
std::string loopText(const LoopReport& report);
Json loopJson(const LoopReport& report);

}  // namespace tileloom::app
