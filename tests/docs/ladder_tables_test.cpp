// SPDX-License-Identifier: GPL-3.0-or-later
// The ladders of README.md are what `tileloom ladder --markdown` prints.
#include <QTest>

#include "kernels/tile/format.h"
#include "kernels/tile/stage.h"
#include "tests/app/program.h"
#include "tests/docs/documents.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/support/unrecorded.h"

namespace tileloom {

class LadderTablesTest : public QObject {
  Q_OBJECT

 private slots:
  void theReadmeHasTheTables() {
    const QString readme = test::textOf(QStringLiteral("README.md"));
    const QString begin = QStringLiteral("<!-- tileloom ladder --markdown -->\n");
    const QString end = QStringLiteral("<!-- end of tileloom ladder --markdown -->\n");
    QVERIFY(readme.count(begin) == 1 && readme.count(end) == 1);
    const QString shown = readme.section(begin, 1).section(end, 0, 0);
    const auto said = test::runTileloom({"ladder", "--markdown"});
    QCOMPARE(said.status, 0);
    QVERIFY2(shown == QString::fromUtf8(said.out),
             "README.md differs from tileloom ladder --markdown: run scripts/documents.sh");
  }

  void everyRungHasARow() {
    const QString text = QString::fromUtf8(test::runTileloom({"ladder", "--markdown"}).out);
    for (const Stage* stage : everyStage()) {
      const QString row =
          QStringLiteral("| %1 | `%2` | %3 |")
              .arg(test::q(rungLabel(*stage)), test::q(stage->id), test::q(stage->idea));
      QCOMPARE(text.count(row), 1);
    }
  }

  // The cells are those of the ladder that the command prints as text.
  void cellsAreTheRecordedRatios_data() {
    QTest::addColumn<QString>("size");
    QTest::addColumn<QString>("format");
    for (const char* size : {"4096", "8192"})
      for (const char* format : {"fp32", "bf16"})
        QTest::addRow("%s %s", size, format) << size << format;
  }

  void cellsAreTheRecordedRatios() {
    QFETCH(QString, size);
    QFETCH(QString, format);
    const QString text = QString::fromUtf8(test::runTileloom({"ladder", "--markdown"}).out);
    const QString ladder = QString::fromUtf8(
        test::runTileloom({"ladder", "--recorded", "--size", size, "--arithmetic", format}).out);
    const auto named = formatNamed(format.toStdString());
    QVERIFY(named);
    for (const Stage& stage : ladderOf(*named)) {
      if (!runs::hasRecordedRuns(stage) && !test::mustBeRecorded(stage)) continue;
      // "| 8 | `warptiled` | … | 74.5 | 83.9 |"
      const QString row =
          text.section(QStringLiteral("`%1` | ").arg(test::q(stage.id)), 1).section('\n', 0, 0);
      const QString cell =
          row.section('|', size == QStringLiteral("4096") ? 1 : 2).section('|', 0, 0);
      const QString ratio = cell.trimmed().section(' ', 0, 0);
      const QString line =
          ladder.section(QStringLiteral(" %1 ").arg(test::q(stage.id)), 1).section('\n', 0, 0);
      QVERIFY2(!ratio.isEmpty() && line.contains(QStringLiteral(" %1 ").arg(ratio)),
               qPrintable(row + line));
    }
    if (*named == Format::Fp32) TILELOOM_SAY_WHICH_LACK_RUNS();
  }

  void otherDevicesLackRungs() {
    const auto said = test::runTileloom({"ladder", "--markdown", "--on", "H200"});
    QCOMPARE(said.status, 0);
    QVERIFY(said.out.contains("NVIDIA H200") && said.out.contains("| – |"));
    const auto none = test::runTileloom({"ladder", "--markdown", "--on", "abacus"});
    QCOMPARE(none.status, 3);
    QVERIFY(test::isOneSentence(none.err));
  }

  void itIsOneFormatAtATime() {
    const auto said = test::runTileloom({"ladder", "--markdown", "--json"});
    QCOMPARE(said.status, 2);
    QVERIFY2(test::isOneSentence(said.err), said.err.constData());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LadderTablesTest, Nothing)
#include "ladder_tables_test.moc"
