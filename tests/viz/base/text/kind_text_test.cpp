// SPDX-License-Identifier: GPL-3.0-or-later
// Each kind of instruction has words and a sentence in the window.
#include "viz/base/text/kind_text.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"

namespace tileloom {

using emulator::Kind;

class KindTextTest : public QObject {
  Q_OBJECT

 private slots:
  void eachKindIsDescribed() {
    for (const emulator::KindRow& row : emulator::kKindTable) {
      if (row.kind == Kind::Position) continue;  // in no recording
      analysis::Moment moment;
      moment.instruction.kind = row.kind;
      moment.array = "As";
      QVERIFY2(!kindWords(row.kind, moment.array).isEmpty(), row.key);
      const QString sentence = describeMoment(moment);
      QVERIFY2(!sentence.endsWith(QLatin1String(": ")), row.key);
      QVERIFY2(!sentence.contains(QLatin1Char('%')), row.key);
    }
  }

  void anArrayIsNamedWhereItHasOne() {
    QCOMPARE(kindWords(Kind::SharedLoad, "As"), QStringLiteral("shared load of As"));
    QCOMPARE(kindWords(Kind::BoxStore, "Cs"), QStringLiteral("TMA store from Cs"));
    QCOMPARE(kindWords(Kind::CopyWait, ""), QStringLiteral("wait for cp.async"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KindTextTest, Nothing)
#include "kind_text_test.moc"
