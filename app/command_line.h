// SPDX-License-Identifier: GPL-3.0-or-later
// The command line: finds the command, runs it, and is the only place that writes to the terminal
// and decides the exit status. Every command fills in an Outcome instead of printing, so that an
// error never leaves half an answer on standard output.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/commands/command.h"

namespace tileloom::app {

// The command has answered: the kernel has faults, or the tile is not legal.
inline constexpr int kFoundFaults = 1;
inline constexpr int kUserError = 2;
inline constexpr int kNoGpu = 3;  // this machine lacks what the command needs, or could not do it

// The result of a command.
struct Outcome {
  std::string output;  // the answer, complete with newlines
  // --out: where the answer goes. Absent, or "-": to standard output.
  std::optional<std::string> file = {};
  // FILE of `--json FILE`, the old form of --json --out FILE: where the answer, which is JSON,
  // goes, as in `file`. The old form also prints `beside`.
  std::optional<std::string> oldJson = {};
  std::string beside = {};
  std::vector<std::string> remarks;  // then, a line each, for standard error
  std::string error;  // one sentence without a full stop; output and remarks are dropped
  int status = 0;
  bool leaveAtOnce =
      false;  // end the process without cleaning up: something hangs that cannot be stopped

  void fail(std::string sentence) {
    error = std::move(sentence);
    status = kUserError;
  }
};

// Options of the window.
struct WindowOptions {
  std::string session;  // a file to open: a session or a lecture
  std::string worker;   // command of a worker elsewhere: "ssh HOST tileloom worker"; empty: our own
  std::string lecture;  // a lecture to open, by its name or file; empty: none
  bool presents = false;  // present the lecture in full screen
};

// Adds one subcommand to the root command (or to a group: `root.command("bench")`), with a
// callback that fills in `outcome`. Both outlive the parsing; option values must be owned by the
// callback (a shared_ptr that it captures).
using CommandAdder = void (*)(Command root, Outcome& outcome);

// Prints a sentence on standard error, on one line and without control characters.
void complain(std::string sentence);

// Runs the program's own commands and `extra` ones; without a subcommand, `openWindow` decides the
// exit status. 0: done, kFoundFaults, kUserError, kNoGpu. Never throws, and ignores SIGPIPE for the
// process.
int runCommandLine(int argc, const char* const* argv, std::span<const CommandAdder> extra = {},
                   const std::function<int(const WindowOptions&)>& openWindow = {});

}  // namespace tileloom::app
