// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/gpu/measure/loaded_stage.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"

namespace tileloom::gpu {

Result<LoadedStage> loadStage(const Context& context, const Build& build,
                              std::span<const char> cubin, const Problem& problem) {
  LoadedStage loaded;
  const Derived d = derive(*build.rung(), build.tile);
  auto kernel = context.load(cubin, std::string(build.rung()->id), d.threads, build.dynamicShared);
  if (!kernel) return tl::unexpected(kernel.error());
  if (kernel->blocksPerSm == 0) {
    return fail(Trouble::Unsupported,
                fmt::format("a block of {} threads with {} registers each and {} bytes of shared "
                            "memory does not fit "
                            "into an SM of {}: choose a smaller tile",
                            d.threads, kernel->registers, d.sharedBytes, context.device().name));
  }
  loaded.kernel = std::move(*kernel);
  loaded.padded = paddedProblem(*build.rung(), build.tile, problem);
  loaded.shape = residentLaunch(*build.rung(), build.tile, loaded.padded, context.device().sms);
  return loaded;
}

Result<void> launchStage(const Context& context, const LoadedStage& loaded,
                         KernelArguments arguments) {
  std::vector<void*> pointers = arguments.pointers();
  const auto u = [](int v) { return static_cast<unsigned>(v); };
  return context.launch(loaded.kernel,
                        {u(loaded.shape.grid.x), u(loaded.shape.grid.y), u(loaded.shape.block.x),
                         u(loaded.shape.block.y)},
                        pointers);
}

}  // namespace tileloom::gpu
