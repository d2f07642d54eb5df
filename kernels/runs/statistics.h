// SPDX-License-Identifier: GPL-3.0-or-later
// Medians with bootstrap intervals.
#pragma once

#include <span>

#include "kernels/runs/run_record.h"

namespace tileloom::runs {

// The median; the mean of the middle two for an even count. 0 for no samples.
double median(std::span<const double> samples);

// The median with the 2.5 and 97.5 percentiles of the medians of 1,000 resamples with replacement
// (Efron's percentile bootstrap). The resamples are the same in every call, so that a figure can be
// repeated from its samples. With fewer than 3 samples the interval is their whole range.
Interval medianInterval(std::span<const double> samples);

}  // namespace tileloom::runs
