// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the timestamps that a command line names, for the tile that it names.
#pragma once

#include <string>
#include <tl/expected.hpp>

#include "app/commands/common/stage_options.h"
#include "kernels/tile/subject.h"
#include "kernels/timeline/recorded/measured.h"

namespace tileloom::app {

// The timestamps in the file, which must be of this subject. The error is one
// sentence without a full stop.
tl::expected<timeline::Measured, std::string> stampsOf(const std::string& file,
                                                       const Subject& choice);

}  // namespace tileloom::app
