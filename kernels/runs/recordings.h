// SPDX-License-Identifier: GPL-3.0-or-later
// The runs that ship inside the executable, measured on named devices: what the charts show where
// there is no GPU.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "kernels/runs/run_record.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/subject.h"

namespace tileloom::runs {

// All recorded runs, parsed at the first call. Their origin is Recorded.
std::span<const RunRecord> recordings();

// The latest recorded run of exactly this subject and size, or nullptr. `device` matches a part of
// the name, case-insensitively; empty matches all, the reference device before others. Callers that
// show several rungs side by side, or a speed under a roof, must take all from one device.
const RunRecord* recordedRun(const Subject& subject, const Problem& problem,
                             std::string_view device = kReferenceDevice);

// A recorded run of the tile for what depends neither on the size nor on the device: registers,
// spills and the loop of the machine code for this architecture. `size` is looked at first; nullptr
// where no size has one.
const RunRecord* recordedCode(const Subject& subject, const Problem& size,
                              const Architecture& arch);

}  // namespace tileloom::runs
