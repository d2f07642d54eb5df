// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common/table.h"

#include <QtTest>

#include "tests/support/test_class.h"

#include "app/commands/common/stage_text.h"

namespace tileloom::app {

class TableTest : public QObject {
  Q_OBJECT

 private slots:
  void columnsAlign() {
    Table table({{"name", Align::Left}, {"count"}});
    table.add({"a", "1"});
    table.add({"longer", "1,024"});
    QCOMPARE(QString::fromStdString(table.text()),
             "  name    count\n"
             "  a           1\n"
             "  longer  1,024\n");
  }

  void charactersCountNotBytes() {
    Table table({{"", Align::Left}, {""}});
    table.add({"BM·BK", "1"});
    table.add({"BM", "22"});
    QCOMPARE(QString::fromStdString(table.text()), QString("  BM·BK   1\n  BM     22\n"));
  }

  void linesHaveNoSpacesAtTheirEnd() {
    Table table({{"a", Align::Left}, {"b", Align::Left}});
    table.add({"1"});
    table.add({"1", ""});
    QCOMPARE(QString::fromStdString(table.text()), "  a  b\n  1\n  1\n");
  }

  void sourceLinesAreTheStagesOwn() {
    const Stage& stage = **stageNamed("warptiled");
    QVERIFY(sourceLine(stage, 1).starts_with("// SPDX"));
    QVERIFY(sourceLine(stage, 2).starts_with("// Rung 8"));
    QVERIFY(sourceLine(stage, 0).empty());
    QVERIFY(sourceLine(stage, 100000).empty());
    for (int line = 1; line < 120; ++line) QVERIFY(shortSourceLine(stage, line).size() <= 52);
  }
};

}  // namespace tileloom::app

TILELOOM_TEST(tileloom::app::TableTest, Nothing)
#include "table_test.moc"
