// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded figures of micro-cases as text, written and read back.
#include "kernels/sass/micro_results.h"

#include <QtTest>

#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace sass;

class MicroResultsTest : public QObject {
  Q_OBJECT

  static MicroResults some() {
    return {"2026-11-26T12:00:00Z",
            "Invented",
            "sm_90",
            "1.2",
            "13.0",
            300,
            {{"banks/one", {1.05, 1.01, 1.0123}}, {"banks/two", {2, 2, 2}}}};
  }
  static QString complaint(std::string text) {
    const auto read = microResultsFrom(text);
    return read ? QString() : QString::fromStdString(read.error());
  }

 private slots:
  void thereAndBack() {
    const MicroResults before = some();
    const auto after = microResultsFrom(toText(before));
    QVERIFY2(after.has_value(), after ? "" : after.error().c_str());
    QCOMPARE(after->when, before.when);
    QCOMPARE(after->device, before.device);
    QCOMPARE(after->arch, before.arch);
    QCOMPARE(after->driver, before.driver);
    QCOMPARE(after->cuda, before.cuda);
    QCOMPARE(after->turns, before.turns);
    QVERIFY(after->results == before.results);
    QVERIFY(after->of("banks/two") == &after->results[1]);
    QVERIFY(after->of("banks/three") == nullptr);
  }

  void figuresHaveFourPlaces() {
    MicroResults all = some();
    all.results = {{"x", {1.23456789, 1, 1}}};
    QCOMPARE(microResultsFrom(toText(all))->results[0].cycles[0], 1.2346);
  }

  void whatIsWrongIsSaidWithItsLine() {
    const std::string good = toText(some());
    const std::string header = good.substr(0, good.find('\n') + 1);
    QVERIFY(complaint({}).contains("no line"));
    QVERIFY(complaint("{}\n").startsWith("line 1: "));
    QVERIFY(complaint("[]\n").startsWith("line 1: "));
    for (const char* line :
         {"no json", "{}", R"({"case":"a"})", R"({"case":"a","cycles":[1,2]})",
          R"({"case":"a","cycles":[1,2,0]})", R"({"case":"a","cycles":[1,2,"3"]})",
          R"({"case":"a","cycles":[1,2,3,4]})", R"({"cycles":[1,2,3]})"})
      QVERIFY2(complaint(header + line + "\n").startsWith("line 2: "), line);
    QVERIFY(complaint(header + R"({"case":"a","cycles":[1,2,3]})").isEmpty());
  }

  void theShippedFilesAreRead() {
    for (const EmbeddedFile& file : microResultFiles()) {
      const auto read = microResultsFrom(file.text);
      QVERIFY2(read.has_value(), read ? "" : read.error().c_str());
      QVERIFY(read->results.size() > 100);
    }
    QCOMPARE(recordedMicroResults().device, std::string("NVIDIA H100 80GB HBM3"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::MicroResultsTest, Nothing)
#include "micro_results_test.moc"
