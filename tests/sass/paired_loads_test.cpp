// SPDX-License-Identifier: GPL-3.0-or-later
// Which instructions of a listing are paired loads, by the lines of the source.
#include "kernels/sass/paired_loads.h"

#include <QtTest>

#include "tests/sass/fixtures.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace sass;

class PairedLoadsTest : public QObject {
  Q_OBJECT

  static QList<int> of(const PairedLoads& loads, std::string_view code) {
    QList<int> all;
    for (const sass::Instruction& each : listingOf(code).instructions) all += int(loads.of(each));
    return all;
  }

 private slots:
  void wideLoadsOfKnownLines() {
    PairedLoads loads;
    loads.note(7, true);
    loads.note(7, true);
    loads.note(8, false);
    QCOMPARE(of(loads, "@7 LDS.128 R4, [R8]\n@7 LDS.64 R4, [R8]\n@8 LDS.128 R4, [R8]\n"),
             (QList<int>{int(Pairing::Paired), int(Pairing::Paired), int(Pairing::None)}));
  }
  void whatIsNoWideLoadIsNotPaired() {
    PairedLoads loads;
    loads.note(7, true);
    QCOMPARE(of(loads,
                "@7 LDS R4, [R8]\n@7 FFMA R4, R5, R6, R7\n@7 STS.128 [R8], R4\n"
                "@7 @!PT LDS.128 RZ, [RZ]\n"),
             (QList<int>(4, int(Pairing::None))));
  }
  void otherLinesAreUnknown() {
    PairedLoads loads;
    loads.note(7, true);
    QCOMPARE(of(loads, "@9 LDS.128 R4, [R8]\nLDS.128 R4, [R8]\n"),
             (QList<int>(2, int(Pairing::Unknown))));
  }
  void whetherAnyLineIsPaired() {
    PairedLoads loads;
    QVERIFY(!loads.anyPaired());
    loads.note(7, false);
    QVERIFY(!loads.anyPaired());
    loads.note(8, true);
    QVERIFY(loads.anyPaired());
    // A line with both kinds is not a line of pairs.
    loads.note(8, false);
    QVERIFY(!loads.anyPaired());
    loads.note(9, true);
    QVERIFY(loads.anyPaired());
  }
  void aLineWithBothKindsIsUnknown() {
    PairedLoads loads;
    loads.note(7, true);
    loads.note(7, false);
    loads.note(7, true);
    QCOMPARE(of(loads, "@7 LDS.128 R4, [R8]\n"), (QList<int>{int(Pairing::Unknown)}));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::PairedLoadsTest, Nothing)
#include "paired_loads_test.moc"
