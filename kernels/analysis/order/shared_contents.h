// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of shared memory at a moment of a recording: the one replay of its stores and
// copies.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// The contents of each word of a shared array (index in Trace::arrays) when all warps have executed
// the same number of instructions of the barrier interval as `warp` at its instruction `index`.
// Real warps drift apart between barriers; shown together, they are assumed to run in step. A word
// holds nothing (Provenance 0) until it has been stored, or until the asynchronous copy that brings
// it has been waited for.
std::vector<emulator::Provenance> sharedContents(const emulator::Trace& trace, std::uint32_t array,
                                                 std::uint32_t warp, std::uint32_t index);

}  // namespace tileloom::analysis
