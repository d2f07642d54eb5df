// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: finds the command, runs it, and is the only place that writes to the terminal
// and decides the exit status.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "app/commands/common/outcome.h"

namespace tileloom::app {

// Options of the window.
struct WindowOptions {
  std::string session;  // a file to open: a session or a lecture
  std::string worker;   // command of a worker elsewhere: "ssh HOST tileloom worker"; empty: our own
  std::string lecture;  // a lecture to open, by its name or file; empty: none
  bool presents = false;  // present the lecture in full screen
};

// Prints a sentence on standard error, on one line and without control characters.
void complain(std::string sentence);

// Runs the program's own commands and `extra` ones; without a subcommand, `openWindow` decides the
// exit status. 0: done, kFoundFaults, kUserError, kNoGpu. Never throws, and ignores SIGPIPE for the
// process.
int runCommandLine(int argc, const char* const* argv, std::span<const CommandAdder> extra = {},
                   const std::function<int(const WindowOptions&)>& openWindow = {});

}  // namespace tileloom::app
