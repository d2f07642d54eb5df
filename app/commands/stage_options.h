// SPDX-License-Identifier: GPL-3.0-or-later
// The stage and its tile, as every command that looks at one takes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/commands/command.h"
#include "kernels/tile/stage.h"

namespace tileloom::app {

struct StageOptions {
  std::string stage;
  std::optional<std::string> tile;
};

// Adds the stage, as a positional (or as an option if `stageOption` is "--stage"), and --tile.
void addStageOptions(Command command, StageOptions& options,
                     const std::string& stageOption = "STAGE");

struct StageChoice {
  const Stage* stage = nullptr;
  TileShape tile;  // each knob in its range, but perhaps illegal
};

// The stage, with its default tile where none was given; `command` is named in the error.
tl::expected<StageChoice, std::string> chosenStage(const StageOptions& options,
                                                   std::string_view command);

}  // namespace tileloom::app
