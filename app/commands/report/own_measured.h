// SPDX-License-Identifier: GPL-3.0-or-later
// The time of a kernel of one's own on a GPU, beside cuBLAS where that multiplies the same
// matrices.
#pragma once

#include <chrono>
#include <span>
#include <string>

#include "app/commands/common/json.h"
#include "kernels/gpu/executed/timed_launch.h"
#include "kernels/own/executable_launch.h"

namespace tileloom::app {

struct OwnMeasured {
  const own::ExecutableLaunch& launch;
  std::span<const char> cubin;
  std::chrono::milliseconds limit;
};

struct MeasuredReport {
  std::string device;
  Problem problem;
  gpu::TimedLaunch timed;
};

// The kernel runs natively, in this process.
Result<MeasuredReport> measuredReport(const gpu::Context& context, const OwnMeasured& asked);
std::string measuredText(const MeasuredReport& report);
Json measuredJson(const MeasuredReport& report);

}  // namespace tileloom::app
