// SPDX-License-Identifier: GPL-3.0-or-later
// A rung as a kernel of the user: one CUDA source that needs no other file, and its launch file. It
// is where a kernel of one's own may begin.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "kernels/own/launch_file.h"
#include "kernels/tile/subject.h"

namespace tileloom::own {

struct RungCopy {
  std::string source;  // with its tile parameters as #define
  LaunchFile launch;
};

// The error is one sentence without a full stop: what the launch of this rung needs that a launch
// file cannot say.
tl::expected<RungCopy, std::string> copyOfRung(const Subject& subject);

}  // namespace tileloom::own
