// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <QProcess>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/bench/bench_ui.h"
#include "app/command_line.h"
#include "app/lecture/lecture_command.h"
#include "app/render/render_command.h"
#include "app/window/application.h"
#include "app/window/first_sight.h"
#include "app/window/main_window.h"
#include "app/window/session_files.h"
#include "app/window/settings.h"
#include "app/window/sight.h"
#include "kernels/base/plain_text.h"
#include "kernels/runs/run_store.h"

namespace {

using tileloom::app::complain;
using tileloom::app::kUserError;

constexpr const char* kWithoutWindow = "or use a command: see tileloom --help";

// Where Qt would look for a display.
std::string displayText() {
  std::string text;
  for (const char* variable : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    text += fmt::format("{}{} is \"{}\"", text.empty() ? "" : ", ", variable,
                        tileloom::quotable(value));
  }
  return text;
}

// Qt aborts where it finds no display.
void whileStarting(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type == QtFatalMsg) {
    complain(fmt::format("no window can be opened here ({}): correct that, {}", displayText(),
                         kWithoutWindow));
    std::fflush(nullptr);
    std::_Exit(kUserError);
  }
  // What Qt has to say of a session without a desktop helps nobody.
  const bool ofTheDesktop = std::string_view(context.category).starts_with("qt.qpa.") ||
                            text.startsWith(QLatin1String("QStandardPaths:"));
  if (!ofTheDesktop) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
}

int openWindow(const tileloom::app::WindowOptions& options) {
  if (!tileloom::displayAvailable()) {
    complain(
        fmt::format("there is no display to open a window on: set DISPLAY, {}", kWithoutWindow));
    return kUserError;
  }
  qInstallMessageHandler(whileStarting);
  tileloom::Application application({});
  qInstallMessageHandler(nullptr);
  tileloom::MainWindow window({QProcess::splitCommand(QString::fromStdString(options.worker)),
                               tileloom::runs::defaultRunFile(), true});
  window.loadKeys();
  window.sight().load();
  if (!options.session.empty()) {
    const QString problem = window.sessions().open(QString::fromStdString(options.session));
    if (!problem.isEmpty()) {
      complain(problem.toStdString());
      return kUserError;
    }
  }
  if (options.session.empty() && tileloom::isFirstSight(tileloom::Settings()))
    tileloom::beginFirstSight(window);
  window.show();
  return QApplication::exec();
}

}  // namespace

int main(int argc, char** argv) {
  const std::array<tileloom::app::CommandAdder, 3> extra = {tileloom::app::addRenderCommand,
                                                            tileloom::app::addLectureCommand,
                                                            tileloom::app::addBenchUiCommand};
  return tileloom::app::runCommandLine(argc, argv, extra, openWindow);
}
