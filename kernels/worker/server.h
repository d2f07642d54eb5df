// SPDX-License-Identifier: GPL-3.0-or-later
// The process that touches CUDA, so that nobody else has to.
#pragma once

#include <string_view>

namespace tileloom::worker {

// Answers requests from `input` on `output` until the input ends; returns the exit status. One lane
// compiles, one measures, and a reader in front of both keeps `cancel` quick; processes of its own
// compile what will probably be asked for. After an error that
// spoils the process (gpu::isFatal) the request is answered and the process ends at once with
// status 3: the window starts another. What libraries print to standard output goes to standard
// error instead.
int runWorker(int input, int output, std::string_view version);

}  // namespace tileloom::worker
