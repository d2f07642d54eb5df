// SPDX-License-Identifier: GPL-3.0-or-later
// A worker that answers one request and ends: CUPTI samples one kernel per process (see
// gpu::PcSampler), so that a worker has each sampling done by such a process.
//
//   const auto samples = sampleInChild(program, request, cancelled);   // in the worker
//   answerOnce(STDIN_FILENO, STDOUT_FILENO);                           // in its child
#pragma once

#include <functional>
#include <string>

#include "kernels/base/error.h"
#include "kernels/runs/stall_samples.h"
#include "kernels/worker/protocol.h"

namespace tileloom::worker {

// The words after the program's path that start a worker, and such a worker.
inline constexpr const char* kWorkerCommand = "worker";
inline constexpr const char* kOnceOption = "--once";

// `program` is the path of this executable. Whatever prevents the child from sampling, a hanging
// kernel included, is Trouble::Unsupported: this process can go on.
Result<runs::StallSamples> sampleInChild(const std::string& program, const SampleRequest& request,
                                         const std::function<bool()>& cancelled);

// Reads one line, the request `sample`, prints one answer, and ends the process, in which CUDA may
// be unusable.
[[noreturn]] void answerOnce(int input, int output);

}  // namespace tileloom::worker
