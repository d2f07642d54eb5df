// SPDX-License-Identifier: GPL-3.0-or-later
// Options of commands that take a kernel of one's own in any file
// (kernels/gpu/compile/own_source.h).
#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "app/commands/common/outcome.h"
#include "kernels/gpu/compile/own_source.h"

namespace tileloom::app {

struct OwnSourceOptions {
  std::vector<std::string> includes, defines, instances;
  std::string arch;  // as typed; empty: not given
  bool noCache = false;

  // The first one that is given, of those for a compiler: "--define"; empty: none.
  std::string given() const;
};

// --include, --define and --instance. Architecture and cache have options of each command.
void addOwnSourceOptions(Command command, OwnSourceOptions& options);

// The kernel's machine code. `kernel`: what a user has called it; empty: nothing. Says in a remark
// how it was compiled, or which cubin of several it is. If it does not compile, the outcome has the
// compiler's log. The error is one sentence without a full stop.
tl::expected<gpu::CompiledSource, std::string> ownSource(const std::string& file,
                                                         const OwnSourceOptions& options,
                                                         const std::string& kernel,
                                                         Outcome& outcome);
// All cubins of a file or folder.
tl::expected<std::vector<gpu::FoundCubin>, std::string> ownCubins(const std::string& file,
                                                                  const OwnSourceOptions& options,
                                                                  Outcome& outcome);

}  // namespace tileloom::app
