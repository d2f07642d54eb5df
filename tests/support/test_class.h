// SPDX-License-Identifier: GPL-3.0-or-later
// Test classes of several files share one program, which is linked once. Each class registers
// itself with TILELOOM_TEST at the end of its file; ctest has one entry per class and runs it in a
// separate process: `PROGRAM tile_derived_test [options of QtTest]`.
#pragma once

#include <QObject>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "tests/support/patience.h"

namespace tileloom::test {

// The application object that the class needs.
enum class Surface {
  Nothing,    // no application object
  EventLoop,  // QCoreApplication
  Widgets,    // QApplication
  Window,     // the program's own Application: offscreen, dark theme, its style and fonts
};

struct TestClass {
  std::string name;  // from the path of its file: tests/tile/derived_test.cpp is tile_derived_test
  Surface surface = Surface::Nothing;
  std::unique_ptr<QObject> (*make)() = nullptr;
  bool leaveAtOnce = false;  // end the process without running exit handlers
};

// Adds a class to testClasses(); `file` is its __FILE__, in a folder "tests".
bool addTestClass(std::string_view file, Surface surface, std::unique_ptr<QObject> (*make)(),
                  bool leaveAtOnce = false);
std::span<const TestClass> testClasses();

// Makes the application object that the surface needs, calls run(context) and returns its result.
// Programs whose library has no widgets pass a function that makes none.
using WithSurface = int (*)(Surface surface, int (*run)(void*), void* context);

// Runs the class named by the first argument with the remaining arguments, and returns the exit
// status; for an unknown name, prints the classes and returns 2.
int runTestClass(int argc, char** argv, WithSurface withSurface);

}  // namespace tileloom::test

// Several sources may be compiled as one, so each class needs a unique name here.
#define TILELOOM_TEST_NAME(number) tileloomTestAdded##number
#define TILELOOM_TEST_AS(Class, surface, number, ...)                               \
  static const bool TILELOOM_TEST_NAME(number) =                                    \
      tileloom::test::addTestClass(__FILE__, tileloom::test::Surface::surface, [] { \
        return std::unique_ptr<QObject>(std::make_unique<Class>());                 \
      } __VA_OPT__(, ) __VA_ARGS__);

#define TILELOOM_TEST(Class, surface) TILELOOM_TEST_AS(Class, surface, __COUNTER__)
#define TILELOOM_TEST_THAT_LEAVES_AT_ONCE(Class, surface) \
  TILELOOM_TEST_AS(Class, surface, __COUNTER__, true)
