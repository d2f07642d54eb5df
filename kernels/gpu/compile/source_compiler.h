// SPDX-License-Identifier: GPL-3.0-or-later
// Compiles a user's CUDA C++ or PTX to a cubin with source lines. NVRTC compiles what has no code
// for the host, in this process; nvcc of the local toolkit, a child process with a time limit,
// compiles everything else. PTX needs the toolkit's ptxas.
#pragma once

#include <filesystem>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "kernels/gpu/compile/complaint.h"

namespace tileloom::gpu {

struct SourceJob {
  std::string text;
  std::filesystem::path file;  // for messages and source lines, and whose folder has headers
  std::string arch;            // "sm_90a"
  std::vector<std::string> includes, defines, instances;  // as of SourceChoices
};

struct SourceCode {
  std::vector<char> cubin;
  std::string log;
  std::string compiler;                // "NVRTC 13.0"
  std::vector<std::string> instances;  // mangled names, in the order of the job's; empty: not known
};

// The compilers that compileCuda() would use, with their versions and builds: equal texts compile
// to equal code. Empty: there is none.
std::string compilerIdentity();

tl::expected<SourceCode, Complaint> compileCuda(const SourceJob& job);
tl::expected<SourceCode, Complaint> assemblePtx(const SourceJob& job);

// "sm_90a" of "sm_90a", "90a" or "9.0"; the error is one sentence without a full stop.
tl::expected<std::string, std::string> compilerArch(const std::string& text);

}  // namespace tileloom::gpu
