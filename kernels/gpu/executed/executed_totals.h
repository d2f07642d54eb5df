// SPDX-License-Identifier: GPL-3.0-or-later
// The counts of a recorded launch from its machine code, executed on the host.
#pragma once

#include <memory>

#include "kernels/gpu/compile/build_cache.h"
#include "kernels/gpu/compile/nvrtc.h"
#include "kernels/runs/fidelity.h"

namespace tileloom::gpu {

// Compiles the rung of a record for its GPU, and executes all blocks with random matrices. `cache`
// may be nullptr; both must outlive the function.
runs::TotalsOf executedTotals(std::shared_ptr<const Nvrtc> nvrtc, const BuildCache* cache);

}  // namespace tileloom::gpu
