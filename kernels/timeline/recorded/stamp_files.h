// SPDX-License-Identifier: GPL-3.0-or-later
// Files of timestamps, as `tileloom timeline STAGE --measure FILE` writes them.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "kernels/timeline/recorded/measured.h"

namespace tileloom::timeline {

// The error is one sentence without a full stop that names the file.
tl::expected<Measured, std::string> readStamps(const std::string& file);

}  // namespace tileloom::timeline
