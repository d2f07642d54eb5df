// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_class.h"

#include <QtTest>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace tileloom::test {
namespace {

std::vector<TestClass>& all() {
  static std::vector<TestClass> classes;
  return classes;
}

// "…/tests/app/window/window_test.cpp" is app_window_test: the first folder and the file.
std::string nameOf(std::string_view file) {
  constexpr std::string_view kRoot = "tests/";
  file.remove_prefix(file.rfind(kRoot) + kRoot.size());
  const std::string folder(file.substr(0, file.find('/')));
  file.remove_prefix(file.rfind('/') + 1);
  return folder + "_" + std::string(file.substr(0, file.rfind('.')));
}

}  // namespace

bool addTestClass(std::string_view file, Surface surface, std::unique_ptr<QObject> (*make)(),
                  bool leaveAtOnce) {
  all().push_back({nameOf(file), surface, make, leaveAtOnce});
  return true;
}

std::span<const TestClass> testClasses() {
  return all();
}

int runTestClass(int argc, char** argv, WithSurface withSurface) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  const auto found = std::ranges::find(all(), wanted, &TestClass::name);
  if (found == all().end()) {
    std::fprintf(stderr, "name one of these test classes as the first argument:\n");
    for (const TestClass& each : all()) std::fprintf(stderr, "  %s\n", each.name.c_str());
    return 2;
  }
  // QtTest sees the arguments after the name.
  std::vector<char*> arguments(argv, argv + argc);
  arguments.erase(arguments.begin() + 1);
  struct Run {
    const TestClass& test;
    std::vector<char*>& arguments;
  } context{*found, arguments};
  const auto run = [](void* given) {
    const Run& r = *static_cast<Run*>(given);
    const std::unique_ptr<QObject> test = r.test.make();
    const int status =
        QTest::qExec(test.get(), static_cast<int>(r.arguments.size()), r.arguments.data());
    if (r.test.leaveAtOnce) std::_Exit(status);
    return status;
  };
  if (found->surface == Surface::Nothing) return run(&context);
  if (found->surface == Surface::EventLoop) {
    int count = 1;
    const QCoreApplication application(count, argv);
    return run(&context);
  }
  return withSurface(found->surface, run, &context);
}

}  // namespace tileloom::test
