// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/environment.h"

#include <QtTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/support/test_class.h"

namespace tileloom {
namespace fs = std::filesystem;

class EnvironmentTest : public QObject {
  Q_OBJECT

 private slots:
  void everyVariableIsOneLineOfHelp() {
    const std::string text = variablesText();
    QCOMPARE(std::size_t(std::ranges::count(text, '\n')), variables().size());
    for (const Variable& each : variables()) {
      QVERIFY(text.find(each.name) != text.npos && text.find(each.what) != text.npos);
      QVERIFY2(each.name.size() + each.what.size() < 100, each.name.data());
    }
  }

  // No source reads a variable of ours that the table does not have, and every variable of the
  // table is read.
  void noOtherIsRead() {
    // CMake's definitions for the sources have such names, too.
    const std::set<std::string> others = {"TILELOOM_VERSION"};
    std::set<std::string> named, known;
    const std::regex quoted("\"(TILELOOM_[A-Z]+)\"");
    for (const char* room : {"kernels", "viz", "app"}) {
      for (const auto& entry :
           fs::recursive_directory_iterator(fs::path(TILELOOM_SOURCE_DIR) / room)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".cpp" && file.extension() != ".h") continue;
        std::ifstream stream(file);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        for (std::sregex_iterator at(text.begin(), text.end(), quoted), end; at != end; ++at)
          named.insert((*at)[1]);
      }
    }
    for (const Variable& each : variables()) known.emplace(each.name);
    for (const std::string& other : others) named.erase(other);
    QCOMPARE(known.size(), variables().size());
    for (const std::string& name : named) QVERIFY2(known.contains(name), name.c_str());
    for (const std::string& name : known) QVERIFY2(named.contains(name), name.c_str());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::EnvironmentTest, Nothing)
#include "environment_test.moc"
