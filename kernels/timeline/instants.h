// SPDX-License-Identifier: GPL-3.0-or-later
// When each instruction of a warp is issued on the virtual clock.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/timeline/operation.h"
#include "kernels/timeline/timeline.h"

namespace tileloom::timeline {

// SM cycles by index of the instruction in the trace that `program` was made from; the instructions
// of one span share its time evenly. Empty: the timeline has no lane of this warp, or the program
// was written by hand. The cycles can decrease in places: the machine code issues some loads
// earlier.
std::vector<double> instants(const Timeline& timeline, const Program& program, std::uint32_t warp);

}  // namespace tileloom::timeline
