// SPDX-License-Identifier: GPL-3.0-or-later
// nvcc and ptxas of the CUDA Toolkit, which run as child processes, and the toolkit's headers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "kernels/base/error.h"

namespace tileloom::gpu {

// $TILELOOM_NVCC, or nvcc of the PATH or of the usual folders. The error says what to install.
Result<std::filesystem::path> findNvcc();
// The one beside nvcc, or as above.
Result<std::filesystem::path> findPtxas();
// Folders with cuda_fp16.h and with cuda/barrier, near nvcc, NVRTC or in the usual places.
std::vector<std::filesystem::path> toolkitHeaders();

struct ToolOutput {
  std::vector<char> made;  // the file that it has written; empty: it failed
  std::string log;
};

// Runs a tool that reads a text and writes a file, in a new folder that is removed afterwards.
// `words`: the path of the tool and its options; the names of both files are added. The text is in
// a file with the ending of `name`, such as ".cu", and the log calls it `name`. The tool is ended
// after two minutes.
Result<ToolOutput> runTool(std::vector<std::string> words, const std::filesystem::path& name,
                           const std::string& text);

}  // namespace tileloom::gpu
