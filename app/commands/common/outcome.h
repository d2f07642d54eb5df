// SPDX-License-Identifier: GPL-3.0-or-later
// What a command returns, and how it is added to the command line. Every command fills in an
// Outcome instead of printing, so that an error never leaves half an answer on standard output.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/common/command.h"

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
  std::string log;    // with an error: what a compiler has said, many lines
  int status = 0;
  bool leaveAtOnce =
      false;  // end the process without cleaning up: something hangs that cannot be stopped

  void fail(std::string sentence) {
    error = std::move(sentence);
    status = kUserError;
  }
};

// Adds one subcommand to the root command (or to a group: `root.command("bench")`), with a
// callback that fills in `outcome`. Both outlive the parsing; option values must be owned by the
// callback (a shared_ptr that it captures).
using CommandAdder = void (*)(Command root, Outcome& outcome);

}  // namespace tileloom::app
