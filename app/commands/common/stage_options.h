// SPDX-License-Identifier: GPL-3.0-or-later
// Options for the stage and its tile, shared by all commands on one kernel.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

#include "app/commands/common/command.h"
#include "app/commands/common/parse.h"
#include "kernels/tile/stage.h"
#include "kernels/tile/subject.h"

namespace tileloom::app {

struct StageOptions {
  std::string stage;
  std::optional<std::string> tile;
  std::optional<std::string> format;
};

inline constexpr const char* kStageHelp =
    "Stage: its name, its rung (8 or T3) or its literature number (k10)";
inline constexpr const char* kTileHelp =
    "Tile, such as BM=128,BN=64; defaults for other parameters";

// Adds the stage, as a positional, and --tile.
void addStageOptions(Command command, StageOptions& options);
// Adds --arithmetic, for commands that know both ladders.
void addFormatOption(Command command, StageOptions& options);

// The same for commands that take all rungs of a ladder: fp32 names the FP32 ladder, bf16 and fp16
// the tensor ladder.
void addLadderFormat(Command command, std::string& format);

// The stage, with its default tile where none was given: each tile parameter is in its range, but
// the tile may be illegal. `command` is named in the error.
tl::expected<Subject, std::string> chosenStage(const StageOptions& options,
                                               std::string_view command);

}  // namespace tileloom::app
