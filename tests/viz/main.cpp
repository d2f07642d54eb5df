// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the tests of viz/.
#include <QApplication>
#include <cstdio>

#include "tests/support/test_class.h"

int main(int argc, char** argv) {
  return tileloom::test::runTestClass(
      argc, argv, [](tileloom::test::Surface surface, int (*run)(void*), void* context) {
        if (surface != tileloom::test::Surface::Widgets) {
          std::fprintf(stderr, "this program has no window: put the class into tests/app\n");
          return 2;
        }
        int count = 1;
        char name[] = "tileloom";
        char* arguments[] = {name, nullptr};
        const QApplication application(count, arguments);
        return run(context);
      });
}
