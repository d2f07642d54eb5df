// SPDX-License-Identifier: GPL-3.0-or-later
// What limits a launch whose block is recorded.
#pragma once

#include <optional>
#include <string>

#include "kernels/analysis/recording.h"
#include "kernels/model/why/limit.h"
#include "viz/base/text/kernel_facts.h"

namespace tileloom {

// Constants of predictions for an architecture, read once; nullptr: there are none. GUI thread.
const model::Rates* shippedRates(const std::string& arch);

// For the launch whose block is recorded. The FP32 ladder needs its kernel; the tensor ladder needs
// the ceilings of a device of this architecture.
std::optional<model::Limit> launchLimit(const analysis::Recording& recording,
                                        const KernelFacts* kernel, const Architecture& arch,
                                        const model::Ceilings* ceilings);
}  // namespace tileloom
