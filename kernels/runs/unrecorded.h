// SPDX-License-Identifier: GPL-3.0-or-later
// A new rung has no recorded runs, counters, listings or samples until they are recorded on a
// machine with an H100. Until then the program says so, and tests that need them are
// skipped with the same sentence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/tile/stage.h"

namespace tileloom::runs {

// What ships for the default tile of each rung.
enum class Evidence : std::uint8_t {
  Runs,      // resources/recordings/: speeds, registers and blocks per SM
  Counters,  // tests/fixtures/fidelity/: the hardware's counters
  Listings,  // resources/listings/: machine code
  Samples    // resources/samples/: where warps wait
};

// The command that records it for every rung of the ladder, to be run in the folder of the sources.
std::string_view recordingCommand(Evidence evidence, Ladder ladder = Ladder::Fp32);

// "the runs of rung 15 (swizzled) are not recorded yet: on a machine with an H100, `tileloom …`
// records them"
std::string notRecordedYet(const Stage& stage, Evidence evidence);

// Whether runs of the rung's default tile ship, measured on the reference device.
bool hasRecordedRuns(const Stage& stage);

}  // namespace tileloom::runs
