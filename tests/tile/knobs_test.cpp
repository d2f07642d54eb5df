// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/knobs.h"

#include <QtTest>

#include "kernels/tile/stage.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class KnobsTest : public QObject {
  Q_OBJECT

 private slots:
  void everyKnobIsFoundByItsName() {
    for (const Knob knob : kAllKnobs) {
      QVERIFY(knobNamed(name(knob)) == knob);
      QVERIFY(knobNamed(q(name(knob)).toLower().toStdString()) == knob);
    }
  }

  void namesAreTheCudaSourcesConstants() {
    QCOMPARE(q(name(Knob::BLOCKSIZE)), QString("BLOCKSIZE"));
    QCOMPARE(q(name(Knob::WNITER)), QString("WNITER"));
    QCOMPARE(q(name(Knob::TN)), QString("TN"));
  }

  void theSquareEdgeHasAliases() {
    for (const char* alias : {"EDGE", "edge", "Block", "blocksize"}) {
      QVERIFY2(knobNamed(alias) == Knob::BLOCKSIZE, alias);
    }
  }

  void unknownNamesAreNoKnob() {
    for (const char* text : {"", "B", "BMM", "B M", "wmiter", "128"}) {
      QVERIFY2(!knobNamed(text), text);
    }
  }

  void lateKnobsLeaveTheTilesOfTheThreadsAlone() {
    for (const Knob knob : {Knob::PAD, Knob::STAGES, Knob::GROUP}) QVERIFY(isLate(knob));
    for (const Knob knob : {Knob::BLOCKSIZE, Knob::BM, Knob::BK, Knob::WN, Knob::WNITER, Knob::TM})
      QVERIFY2(!isLate(knob), name(knob).data());
  }

  void noNameIsLongerThanTheLongest() {
    QCOMPARE(q(kLongestKnobName), QString("BLOCKSIZE"));
    for (const Knob knob : kAllKnobs) QVERIFY(name(knob).size() <= kLongestKnobName.size());
  }

  // A row that no rung uses describes a knob that nobody can turn.
  void everyRowIsUsed() {
    for (const KnobRow& row : kKnobs) {
      bool used = false, within = false;
      for (const Stage* stage : everyStage()) {
        const KnobSpec* spec = stage->spec(row.knob);
        used = used || spec != nullptr;
        within = within || (spec != nullptr && spec->min == row.min && spec->max == row.max);
      }
      QVERIFY2(used, qPrintable(q(row.name) + " is a knob of no rung"));
      QVERIFY2(within, qPrintable(q(row.name) + " has the table's range in no rung"));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::KnobsTest, Nothing)
#include "knobs_test.moc"
