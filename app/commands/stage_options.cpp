// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/stage_options.h"

namespace tileloom::app {

void addStageOptions(Command command, StageOptions& options) {
  command.addOption("STAGE", options.stage, kStageHelp).typeName("");
  command.addOption("--tile", options.tile, kTileHelp).typeName("KNOB=N,...");
}

}  // namespace tileloom::app
