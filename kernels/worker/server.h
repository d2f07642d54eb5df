// SPDX-License-Identifier: GPL-3.0-or-later
// The worker: the only process that calls CUDA, so that an error there cannot take the window down.
#pragma once

#include <string_view>

namespace tileloom::worker {

// Answers requests from `input` on `output` until the input ends; returns the exit status. One lane
// compiles and one measures; a reader in front of both lets `cancel` take effect at once. Child
// processes compile what will probably be requested. After an error that makes CUDA unusable in
// this process (gpu::isFatal) the request is answered and the process ends at once with status 3;
// the window then starts another. What libraries print to standard output goes to standard error.
// `program` is the path of the executable, which the worker starts again to sample a kernel.
int runWorker(int input, int output, std::string_view version, std::string_view program);

}  // namespace tileloom::worker
