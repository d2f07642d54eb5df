// SPDX-License-Identifier: GPL-3.0-or-later
// Writing to standard output that notices when it fails: a full disk, a closed pipe. Writing to
// standard error that ignores failures: they cannot be reported.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom::app {

// All of `text`, flushed; the error is one sentence.
tl::expected<void, std::string> writeStandardOutput(std::string_view text);

// Writes `text` and flushes; a failure is ignored.
void writeStandardError(std::string_view text);

// Why the file that a command is to write cannot be written; empty: it can. Called before any work
// is done. No file, and - for standard output, can always be written.
std::string whyNotAsked(const std::optional<std::string>& file);

}  // namespace tileloom::app
