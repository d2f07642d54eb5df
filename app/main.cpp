// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "app/bench/bench_ui.h"
#include "app/command_line.h"
#include "app/render/lecture_command.h"
#include "app/render/render_command.h"
#include "app/window/files/open_window.h"

int main(int argc, char** argv) {
  const std::array<tileloom::app::CommandAdder, 3> extra = {tileloom::app::addRenderCommand,
                                                            tileloom::app::addLectureCommand,
                                                            tileloom::app::addBenchUiCommand};
  return tileloom::app::runCommandLine(argc, argv, extra, tileloom::app::openWindow);
}
