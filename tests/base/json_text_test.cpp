// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/base/json_text.h"

#include <QtTest>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/test_class.h"

namespace tileloom {
namespace fs = std::filesystem;

class JsonTextTest : public QObject {
  Q_OBJECT

 private slots:
  void whatIsNoUtf8IsReplaced() {
    for (const char* bytes : {"\xff", "a\xc0\x80z", "\xed\xa0\x80", "cut \xe2\x82"}) {
      const nlohmann::json json = {{"name", bytes}};
      for (const int indent : {-1, 2}) {
        const auto again = nlohmann::json::parse(dumped(json, indent), nullptr, false);
        QVERIFY(again.is_object());
        QVERIFY(again["name"].get<std::string>().find("\xef\xbf\xbd") != std::string::npos);
      }
    }
    QCOMPARE(dumped(nlohmann::ordered_json{{"b", "\xc3\xa4"}, {"a", 1}}),
             std::string("{\"b\":\"\xc3\xa4\",\"a\":1}"));
  }

  // dump() throws at the first such byte: no other source may call it.
  void thereIsNoOtherWriter() {
    int sources = 0;
    for (const char* room : {"kernels", "viz", "app"}) {
      for (const auto& entry :
           fs::recursive_directory_iterator(fs::path(TILELOOM_SOURCE_DIR) / room)) {
        const fs::path& file = entry.path();
        if (file.extension() != ".cpp" && file.extension() != ".h") continue;
        ++sources;
        std::ifstream stream(file);
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (text.find(".dump(") != text.npos && file.filename() != "json_text.h")
          QFAIL(file.c_str());
      }
    }
    QVERIFY(sources > 500);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::JsonTextTest, Nothing)
#include "json_text_test.moc"
