// SPDX-License-Identifier: GPL-3.0-or-later
// Options that several commands share: size, architecture, device, and where the answer goes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/commands/common/outcome.h"
#include "kernels/tile/architecture.h"

namespace tileloom::app {

// --size; `size` has the default already.
Argument addSizeOption(Command command, std::string& size);
// The same for an optional size: `otherwise` says what holds without it.
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
// The error is one sentence: an unknown architecture or device, or a device of another
// architecture.
tl::expected<Target, std::string> chosenTarget(const TargetOptions& options);

// The device that is named, else one of the architecture whose ceilings are known, the reference
// device before others.
tl::expected<std::string, std::string> deviceOf(const Target& target);

// Whether constants or ceilings of the device `known` apply to the target; the error says that the
// architecture has no others. `what`: "predictions".
tl::expected<void, std::string> sameDevice(const Target& target, std::string_view known,
                                           std::string_view what);

// --json, a flag, and --out FILE, for a command that prints JSON. The old form `--json FILE` is
// read as well (see Outcome::oldJson).
void addJsonOptions(Command command, bool& json, Outcome& outcome);
// Each alone, where the command has a meaning of its own for the other one.
void addJsonFlag(Command command, bool& json, Outcome& outcome);
void addOutOption(Command command, Outcome& outcome);

}  // namespace tileloom::app
