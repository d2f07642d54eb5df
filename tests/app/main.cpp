// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the tests of app/.
#include <QApplication>
#include <QTemporaryDir>
#include <QtGlobal>

#include "app/window/application.h"
#include "tests/support/test_class.h"

int main(int argc, char** argv) {
  return tileloom::test::runTestClass(
      argc, argv, [](tileloom::test::Surface surface, int (*run)(void*), void* context) {
        int count = 1;
        char name[] = "tileloom";
        char* arguments[] = {name, nullptr};
        if (surface == tileloom::test::Surface::Widgets) {
          const QApplication application(count, arguments);
          return run(context);
        }
        // Before Qt looks for settings: a test must not read or change the user's own.
        const QTemporaryDir settings;
        qputenv("XDG_CONFIG_HOME", settings.path().toUtf8());
        tileloom::Application application({tileloom::Platform::Offscreen, tileloom::Look::Dark});
        // The last window of one test closes all others when Qt comes round to quitting, which may
        // be in the middle of the next test.
        QApplication::setQuitOnLastWindowClosed(false);
        return run(context);
      });
}
