// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/worker.h"

#include <unistd.h>

#include <memory>

#include "app/commands/common/measuring.h"
#include "kernels/worker/once.h"
#include "kernels/worker/server.h"

namespace tileloom::app {

void addWorkerCommand(Command root, Outcome& outcome) {
  const Command command =
      root.addCommand(worker::kWorkerCommand,
                      "Compile and measure for a window: JSON-RPC on standard input and output");
  const auto once = std::make_shared<bool>(false);
  command.addFlag(worker::kOnceOption, *once,
                  "Answer one request to sample a kernel and end, for another worker");
  command.onRun([&outcome, once] {
    if (*once) worker::answerOnce(STDIN_FILENO, STDOUT_FILENO);
    outcome.status =
        worker::runWorker(STDIN_FILENO, STDOUT_FILENO, TILELOOM_VERSION, thisProgram());
  });
}

}  // namespace tileloom::app
