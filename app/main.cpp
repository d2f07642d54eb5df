// SPDX-License-Identifier: GPL-3.0-or-later
#include <QProcess>
#include <array>
#include <cstdio>

#include "app/bench/bench_ui.h"
#include "app/command_line.h"
#include "app/render/render_command.h"
#include "app/window/application.h"
#include "app/window/main_window.h"
#include "app/window/session_files.h"
#include "app/window/sight.h"
#include "kernels/runs/run_store.h"

namespace {

int openWindow(const tileloom::app::WindowOptions& options) {
  if (!tileloom::displayAvailable()) {
    std::fputs(
        "tileloom: there is no display to open a window on; set DISPLAY, or use a command: see "
        "tileloom "
        "--help\n",
        stderr);
    return tileloom::app::kUserError;
  }
  tileloom::Application application({});
  tileloom::MainWindow window({QProcess::splitCommand(QString::fromStdString(options.worker)),
                               tileloom::runs::defaultRunFile(), true});
  window.loadKeys();
  window.sight().load();
  if (!options.session.empty()) {
    const QString problem = window.sessions().open(QString::fromStdString(options.session));
    if (!problem.isEmpty()) {
      std::fprintf(stderr, "tileloom: %s\n", qUtf8Printable(problem));
      return tileloom::app::kUserError;
    }
  }
  window.show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  const std::array<tileloom::app::CommandAdder, 2> extra = {tileloom::app::addRenderCommand,
                                                            tileloom::app::addBenchUiCommand};
  return tileloom::app::runCommandLine(argc, argv, extra, openWindow);
}
