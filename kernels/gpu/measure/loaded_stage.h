// SPDX-License-Identifier: GPL-3.0-or-later
// A compiled stage on a device, ready to be launched on a problem.
#pragma once

#include <span>
#include <string>

#include "kernels/base/error.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/driver/driver.h"
#include "kernels/gpu/measure/kernel_arguments.h"
#include "kernels/tile/stage.h"

namespace tileloom::gpu {

struct LoadedStage {
  Kernel kernel;
  Launch shape;
  Problem padded;
  KernelArguments arguments;  // of the operands that it is launched on, once these are filled
  bool rewritten = false;     // see runs::RunRecord
  std::string whyNotRewritten;
};

// Loads `cubin`, which is machine code of the build's stage and tile. Trouble::Unsupported: a block
// does not fit into an SM.
Result<LoadedStage> loadStage(const Context& context, const Build& build,
                              std::span<const char> cubin, const Problem& problem);

// Queues a launch with these arguments.
Result<void> launchStage(const Context& context, const LoadedStage& loaded,
                         KernelArguments arguments);

}  // namespace tileloom::gpu
