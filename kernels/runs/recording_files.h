// SPDX-License-Identifier: GPL-3.0-or-later
// The files of resources/recordings/ as they were built into this executable.
#pragma once

#include <span>
#include <string_view>

namespace tileloom::runs {

struct RecordingFile {
  std::string_view name;  // "h100.jsonl"
  std::string_view text;
};
std::span<const RecordingFile> recordingFiles();

}  // namespace tileloom::runs
