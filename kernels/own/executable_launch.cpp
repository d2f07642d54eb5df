// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/executable_launch.h"

#include <algorithm>
#include <utility>

namespace tileloom::own {

tl::expected<ExecutableLaunch, std::string> executableLaunch(const LaunchFile& file,
                                                             const Names& changed,
                                                             const sass::Module& module,
                                                             const sass::KernelImage& kernel) {
  auto resolved = own::resolved(file, changed);
  if (!resolved) return tl::unexpected(resolved.error());
  auto arguments = executor::argumentsFrom(kernel.info, resolved->launch.arguments);
  if (!arguments) return tl::unexpected(arguments.error());
  ExecutableLaunch all;
  if (std::ranges::all_of(resolved->matrices, &MatrixPlace::isPlain))
    all.roles = executor::recorded::rolesOf(*arguments);
  else
    all.roles.whyNot =
        "the tiles of matrices by columns, or with gaps between rows, are not followed yet";
  all.launch = {&module,
                &kernel,
                resolved->launch.grid,
                resolved->launch.block,
                resolved->launch.dynamicShared,
                arguments->bytes,
                arguments->tensorMaps()};
  all.resolved = std::move(*resolved);
  all.arguments = std::move(*arguments);
  return all;
}

}  // namespace tileloom::own
