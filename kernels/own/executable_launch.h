// SPDX-License-Identifier: GPL-3.0-or-later
// A launch file with a kernel of a module, ready to be executed: arguments, buffers, and which of
// them are the matrices of a product.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "kernels/executor/arguments.h"
#include "kernels/executor/launch.h"
#include "kernels/executor/recorded/roles.h"
#include "kernels/own/resolved_launch.h"

namespace tileloom::own {

struct ExecutableLaunch {
  ResolvedLaunch resolved;
  executor::Arguments arguments;
  executor::recorded::Roles roles;  // none of matrices by columns or with gaps between rows
  executor::Launch launch;          // of the module and kernel that it was made with
};

// `changed`: other numbers for sizes and values. Module and kernel must outlive the result. The
// error is one sentence without a full stop: which member of the launch file, what is wrong, what
// to write.
tl::expected<ExecutableLaunch, std::string> executableLaunch(const LaunchFile& file,
                                                             const Names& changed,
                                                             const sass::Module& module,
                                                             const sass::KernelImage& kernel);

}  // namespace tileloom::own
