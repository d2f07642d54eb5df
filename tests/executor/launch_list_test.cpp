// SPDX-License-Identifier: GPL-3.0-or-later
// A list of launches: what it has, and one sentence for each thing that is wrong with it.
#include "kernels/executor/launch_list.h"

#include <QtTest>

#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::executor {

using test::q;

class LaunchListTest : public QObject {
  Q_OBJECT

 private slots:
  void everyKey() {
    const auto list = launchesFrom(R"([
      {"name": "tiled", "cubin": "a/gemm.cubin", "kernel": "gemm", "grid": [3, 2, 4],
       "threads": [16, 8], "shared": 1024, "params": ["128", "A:f32:8x8"], "instances": 3},
      {"cubin": "b.cubin"},
      {"cubin": "b.cubin", "kernel": "sum"}])");
    QVERIFY2(list.has_value(), list ? "" : list.error().c_str());
    QCOMPARE(list->size(), std::size_t{3});
    const ListedLaunch& first = list->front();
    QCOMPARE(q(first.name), QString("tiled"));
    QCOMPARE(q(first.cubin), QString("a/gemm.cubin"));
    QCOMPARE(q(first.kernel), QString("gemm"));
    QCOMPARE(first.grid, (Extent3{3, 2, 4}));
    QCOMPARE(first.block, (Extent3{16, 8, 1}));
    QCOMPARE(first.dynamicShared, 1024u);
    QCOMPARE(first.arguments, (std::vector<std::string>{"128", "A:f32:8x8"}));
    QCOMPARE(first.instances, 3);
    QCOMPARE((*list)[1].grid, (Extent3{1, 1, 1}));
    QCOMPARE((*list)[1].instances, 1);
    QCOMPARE(q((*list)[1].name), QString("b.cubin"));
    QCOMPARE(q((*list)[2].name), QString("sum"));
  }

  void whatIsWrong_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("says");
    const auto row = [](const char* name, const char* text, const char* says) {
      QTest::newRow(name) << QString(text) << QString(says);
    };
    row("an object", R"({"cubin": "a"})", "it is not a list of launches: write [");
    row("empty", "[]", "it has no launch: write [");
    row("a number", "[1]", "launch 1: it is not an object: write {");
    row("no cubin", R"([{"cubin": "a"}, {"grid": [1]}])", "launch 2: \"cubin\" is missing");
    row("an empty cubin", R"([{"cubin": ""}])", "launch 1: \"cubin\" is empty: name a file");
    row("another key", R"([{"cubin": "a", "gird": [1]}])",
        "the key \"gird\" is not known: choose from name, cubin");
    row("no block", R"([{"cubin": "a", "grid": [0]}])",
        "launch 1: \"grid\" is not a list of one to three whole numbers from 1: write [X, Y, Z]");
    row("four sizes", R"([{"cubin": "a", "threads": [1, 1, 1, 1]}])", "\"threads\" is not a list");
    row("a text", R"([{"cubin": "a", "grid": "1"}])", "\"grid\" is not a list");
    row("a negative size", R"([{"cubin": "a", "grid": [-1]}])", "\"grid\" is not a list");
    row("half a byte", R"([{"cubin": "a", "shared": 0.5}])", "\"shared\" is not a whole number");
    row("a number", R"([{"cubin": "a", "params": [128]}])",
        "\"params\" has an element that is not a text: write each one in quotes");
    row("no instance", R"([{"cubin": "a", "instances": 0}])",
        "\"instances\" is not a whole number from 1 to 100");
    row("no JSON", "[{", "");
  }
  void whatIsWrong() {
    QFETCH(QString, text);
    QFETCH(QString, says);
    const auto list = launchesFrom(text.toStdString());
    QVERIFY(!list.has_value());
    QVERIFY2(q(list.error()).contains(says), list.error().c_str());
    QVERIFY2(!list.error().ends_with('.'), list.error().c_str());
  }
};

}  // namespace tileloom::executor

TILELOOM_TEST(tileloom::executor::LaunchListTest, Nothing)
#include "launch_list_test.moc"
