// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/stage_options.h"

namespace tileloom::app {

void addStageOptions(Command command, StageOptions& options) {
  command.addOption("STAGE", options.stage, kStageHelp).typeName("");
  command.addOption("--tile", options.tile, kTileHelp).typeName("PARAMETER=N,...");
}

void addFormatOption(Command command, StageOptions& options) {
  command
      .addOption("--arithmetic", options.format,
                 "Format of the elements: bf16 (default) or fp16 on the tensor ladder")
      .typeName("NAME");
}

void addLadderFormat(Command command, std::string& format) {
  command.addOption("--arithmetic", format, "fp32 (default), or bf16 or fp16: the tensor ladder")
      .typeName("NAME");
}

}  // namespace tileloom::app
