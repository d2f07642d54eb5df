// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/tile_shape.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class TileShapeTest : public QObject {
  Q_OBJECT

 private slots:
  void valuesAreByParameterAndZeroElsewhere() {
    const TileShape tile = {{Parameter::BM, 128}, {Parameter::TN, 4}};
    QCOMPARE(tile[Parameter::BM], 128);
    QCOMPARE(tile[Parameter::TN], 4);
    QCOMPARE(tile[Parameter::WNITER], 0);
  }

  void withChangesOneParameterOfACopy() {
    const TileShape tile = {{Parameter::BM, 128}, {Parameter::BN, 64}};
    const TileShape other = tile.with(Parameter::BN, 32);
    QCOMPARE(tile[Parameter::BN], 64);
    QCOMPARE(other[Parameter::BN], 32);
    QCOMPARE(other[Parameter::BM], 128);
    QVERIFY(!(tile == other));
    QVERIFY(tile == other.with(Parameter::BN, 64));
  }

  void problemsReadAsMByNByK() {
    QCOMPARE(q(toString(Problem{1024, 768, 512})), QString("1024x768x512"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TileShapeTest, Nothing)
#include "tile_shape_test.moc"
