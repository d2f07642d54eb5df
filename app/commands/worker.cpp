// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/worker.h"

#include <unistd.h>

#include "kernels/worker/server.h"

namespace tileloom::app {

void addWorkerCommand(CLI::App& root, Outcome& outcome) {
  CLI::App* command = root.add_subcommand(
      "worker", "Compile and measure for a window: JSON-RPC on standard input and output");
  command->callback([&outcome] {
    outcome.status = worker::runWorker(STDIN_FILENO, STDOUT_FILENO, TILELOOM_VERSION);
  });
}

}  // namespace tileloom::app
