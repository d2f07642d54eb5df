// SPDX-License-Identifier: GPL-3.0-or-later
// The ladders of README.md are what `tileloom ladder --markdown` prints.
#include <QTest>

#include "kernels/tile/stage.h"
#include "tests/app/program.h"
#include "tests/docs/documents.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

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

  // The cells are those of the ladder that the command prints for people.
  void cellsAreTheRecordedRatios() {
    const QString text = QString::fromUtf8(test::runTileloom({"ladder", "--markdown"}).out);
    const QString ladder =
        QString::fromUtf8(test::runTileloom({"ladder", "--recorded", "--size", "4096"}).out);
    QVERIFY(
        text.contains(QStringLiteral("| 8 | `warptiled` | each warp computes a tile of its "
                                     "own, in subtiles | 74.5 | 83.9 |")));
    QVERIFY(ladder.contains(QStringLiteral("74.5")));
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
