// SPDX-License-Identifier: GPL-3.0-or-later
// Options that mean the same wherever a command has them: size, architecture, device, and what
// becomes of the answer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/command_line.h"
#include "kernels/tile/architecture.h"

namespace tileloom::app {

// --size; `size` has the default already.
Argument addSizeOption(Command command, std::string& size);
// The same where it matters whether one is given: `otherwise` says what holds without it.
Argument addSizeOption(Command command, std::optional<std::string>& size,
                       std::string_view otherwise);

// --arch; `arch` has the default already.
Argument addArchOption(Command command, std::string& arch);

// The GPU that an answer is about, which need not be in this machine: by its architecture, or by a
// part of its name.
struct TargetOptions {
  std::optional<std::string> arch;
  std::optional<std::string> device;
};
void addTargetOptions(Command command, TargetOptions& options);  // --arch, and --on or --device

struct Target {
  Architecture arch = defaultArchitecture();
  std::string device;  // its whole name; empty: none was named
};
// The error is one sentence: an unknown architecture or device, or two that do not belong together.
tl::expected<Target, std::string> chosenTarget(const TargetOptions& options);

// The device that is named, else one of the architecture whose ceilings are known, the reference
// device before others.
tl::expected<std::string, std::string> deviceOf(const Target& target);

// Whether `device` may be what constants or ceilings of `known` are for; the error says that
// nothing else is known for the architecture. `what`: "predictions".
tl::expected<void, std::string> sameDevice(const Target& target, std::string_view known,
                                           std::string_view what);

// --json, a flag, and --out FILE, for a command that prints JSON. The old form `--json FILE` is
// read as well (see Outcome::oldJson).
void addJsonOptions(Command command, bool& json, Outcome& outcome);
// Each alone, where the command has a meaning of its own for the other one.
void addJsonFlag(Command command, bool& json, Outcome& outcome);
void addOutOption(Command command, Outcome& outcome);

}  // namespace tileloom::app
