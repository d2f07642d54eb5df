// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/platform.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QByteArray>
#include <QGuiApplication>
#include <QScreen>
#include <QWidget>
#include <QWindow>
#include <algorithm>
#include <array>
#include <cerrno>

#include "app/window/application.h"

namespace tileloom {
namespace {

// These report a missing display with a message and do not crash.
bool isUsual(const QByteArray& platform) {
  constexpr std::array kUsual = {"xcb", "wayland", "wayland-egl", "offscreen", "minimal"};
  return std::ranges::any_of(kUsual, [&](const char* each) { return platform == each; });
}

// In a separate process, which may crash.
[[noreturn]] void tryIt() {
  const rlimit noCore = {};
  ::setrlimit(RLIMIT_CORE, &noCore);
  const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::dup2(nothing, stream);
  ::alarm(20);  // a platform that waits for a screen has failed
  const Application application({});
  if (QGuiApplication::primaryScreen() == nullptr) ::_exit(1);
  // It shows only Vulkan surfaces. It also creates windows of widgets, but they are invisible.
  if (QGuiApplication::platformName().toLower() == QLatin1String("vkkhrdisplay")) ::_exit(1);
  QWidget window;
  window.show();
  QCoreApplication::processEvents();
  const QWindow* const made = window.windowHandle();
  ::_exit(made != nullptr && made->handle() != nullptr ? 0 : 1);
}

}  // namespace

bool platformWorks() {
  // "linuxfb:fb=/dev/fb1" has options, and of several the first is tried first.
  const QByteArray wanted = qgetenv("QT_QPA_PLATFORM");
  bool usual = true;
  for (const QByteArray& each : wanted.split(';'))
    usual = usual && (each.isEmpty() || isUsual(each.split(':').front().toLower()));
  if (usual) return true;
  const pid_t child = ::fork();
  if (child < 0) return true;  // then it is tried in this process
  if (child == 0) tryIt();
  int status = -1;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace tileloom
