// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/tile_shape.h"

#include <QtTest>

#include "kernels/tile/knobs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class TileShapeTest : public QObject {
  Q_OBJECT

 private slots:
  void valuesAreByKnobAndZeroElsewhere() {
    const TileShape tile = {{Knob::BM, 128}, {Knob::TN, 4}};
    QCOMPARE(tile[Knob::BM], 128);
    QCOMPARE(tile[Knob::TN], 4);
    QCOMPARE(tile[Knob::WNITER], 0);
  }

  void withChangesOneKnobOfACopy() {
    const TileShape tile = {{Knob::BM, 128}, {Knob::BN, 64}};
    const TileShape other = tile.with(Knob::BN, 32);
    QCOMPARE(tile[Knob::BN], 64);
    QCOMPARE(other[Knob::BN], 32);
    QCOMPARE(other[Knob::BM], 128);
    QVERIFY(!(tile == other));
    QVERIFY(tile == other.with(Knob::BN, 64));
  }

  void problemsReadAsMByNByK() {
    QCOMPARE(q(toString(Problem{1024, 768, 512})), QString("1024x768x512"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileShapeTest, Nothing)
#include "tile_shape_test.moc"
