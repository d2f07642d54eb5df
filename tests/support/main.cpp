// SPDX-License-Identifier: GPL-3.0-or-later
// main() of the test programs whose library has no widgets.
#include <cstdio>

#include "tests/support/test_class.h"

int main(int argc, char** argv) {
  return tileloom::test::runTestClass(
      argc, argv, [](tileloom::test::Surface, int (*)(void*), void*) {
        std::fprintf(stderr,
                     "this program has no widgets: put the class into tests/viz or tests/app\n");
        return 2;
      });
}
