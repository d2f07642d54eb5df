// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/open_window.h"

#include <fmt/format.h>

#include <QProcess>
#include <QScreen>
#include <QSocketNotifier>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "app/export/interruptions.h"
#include "app/lecture/lecture_files.h"
#include "app/session/own_file.h"
#include "app/window/application.h"
#include "app/window/common/settings.h"
#include "app/window/files/last_session.h"
#include "app/window/files/open_file.h"
#include "app/window/files/session_files.h"
#include "app/window/first_sight.h"
#include "app/window/frame/platform.h"
#include "app/window/frame/sight.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/main_window.h"
#include "kernels/base/plain_text.h"
#include "kernels/runs/run_store.h"
#include "viz/base/widgets/file_given.h"

namespace tileloom::app {
namespace {

constexpr const char* kWithoutWindow = "or use a command: see tileloom --help";

// Where Qt would look for a display.
std::string displayText() {
  std::string text;
  for (const char* variable : {"QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY"}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    text += fmt::format("{}{} is \"{}\"", text.empty() ? "" : ", ", variable, quotable(value));
  }
  return text;
}

std::string noWindowText() {
  return fmt::format("no window can be opened here ({}): correct these variables, {}",
                     displayText(), kWithoutWindow);
}

// Qt aborts where it finds no display.
void whileStarting(QtMsgType type, const QMessageLogContext& context, const QString& text) {
  if (type == QtFatalMsg) {
    complain(noWindowText());
    std::fflush(nullptr);
    std::_Exit(kUserError);
  }
  // Qt's messages about a session without a desktop do not help the user.
  const bool ofTheDesktop = std::string_view(context.category).starts_with("qt.qpa.") ||
                            text.startsWith(QLatin1String("QStandardPaths:"));
  if (!ofTheDesktop) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
}

// If the screen has no room for the default size with the desktop's frame, the window is maximised.
void showFitting(MainWindow& window) {
  constexpr QSize kFrame(16, 48);  // pixels, of the usual desktops at most
  const QSize needed = MainWindow::kUsualSize + kFrame, room = window.screen()->availableSize();
  const bool fits = needed.width() <= room.width() && needed.height() <= room.height();
  if (fits) return window.show();
  window.showMaximized();
}

// Lectures and the first start change the window: that state is not kept.
int untilClosed(MainWindow& window) {
  const int status = QApplication::exec();
  Settings kept;
  if (!window.lecture().active() && !inFirstSight(window)) keepSession(window.session(), kept);
  return status;
}

}  // namespace

int openWindow(const WindowOptions& asked) {
  WindowOptions options = asked;
  if (!displayAvailable()) {
    complain(
        fmt::format("there is no display to open a window on: set DISPLAY, {}", kWithoutWindow));
    return kUserError;
  }
  for (const std::string* given : {&options.worker, &options.session, &options.lecture}) {
    if (const auto named = fileGiven(*given); !named) {
      complain(named.error());
      return kUserError;
    }
  }
  if (const QString file = QString::fromStdString(options.session); isLectureFile(file)) {
    options.lecture = SessionFiles::fileOf(file)->toStdString();
    options.session.clear();
    // Before a window opens: errors go to the terminal.
    if (const auto read = lecture::lectureNamed(options.lecture); !read) {
      complain(read.error());
      return kUserError;
    }
  }
  if (!platformWorks()) {
    complain(noWindowText());
    return kUserError;
  }
  qInstallMessageHandler(whileStarting);
  Application application({});
  qInstallMessageHandler(nullptr);
  // Removes unfinished files also when a signal ends the program.
  const Interruptions interruptions;
  const QSocketNotifier ended(interruptions.file(), QSocketNotifier::Read);
  QObject::connect(&ended, &QSocketNotifier::activated, &application.qt(),
                   [] { QApplication::exit(kInterrupted); });
  MainWindow window({QProcess::splitCommand(QString::fromStdString(options.worker)),
                     runs::defaultRunFile(), true});
  window.loadKeys();
  window.sight().load();
  const bool isKernel = namesKernelFile(options.session);
  if (isKernel) {
    window.services().own.open(QString::fromStdString(options.session));
  } else if (!options.session.empty()) {
    const QString problem = window.sessions().open(QString::fromStdString(options.session));
    if (!problem.isEmpty()) {
      complain(problem.toStdString());
      return kUserError;
    }
  }
  if (!options.lecture.empty()) {
    const auto manner =
        options.presents ? LectureMode::Manner::Presenting : LectureMode::Manner::Learning;
    showFitting(window);
    const QString problem = window.lecture().openNamed(QString::fromStdString(options.lecture),
                                                       manner, LectureMode::beginningOf(manner));
    if (!problem.isEmpty()) {
      complain(problem.toStdString());
      return kUserError;
    }
    return untilClosed(window);
  }
  if (options.session.empty() && isFirstSight(Settings())) {
    beginFirstSight(window);
  } else if (const auto last = keptSession(Settings()); options.session.empty() && last) {
    window.restore(*last);
  }
  showFitting(window);
  return untilClosed(window);
}

}  // namespace tileloom::app
