// SPDX-License-Identifier: GPL-3.0-or-later
// Writing to standard output that notices when it fails: a full disk, a closed pipe.
#pragma once

#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::app {

// All of `text`, flushed; the error is one sentence.
tl::expected<void, std::string> writeStandardOutput(std::string_view text);

}  // namespace tileloom::app
