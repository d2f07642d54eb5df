// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/worker.h"

#include <unistd.h>

#include "app/commands/measuring.h"
#include "kernels/worker/server.h"

namespace tileloom::app {

void addWorkerCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "worker", "Compile and measure for a window: JSON-RPC on standard input and output");
  command.onRun([&outcome] {
    outcome.status =
        worker::runWorker(STDIN_FILENO, STDOUT_FILENO, TILELOOM_VERSION, thisProgram());
  });
}

}  // namespace tileloom::app
