// SPDX-License-Identifier: GPL-3.0-or-later
// A request that cannot be traced is refused with a sentence.
#include <QtTest>

#include "kernels/emulator/memory.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class RequestsTest : public QObject {
  Q_OBJECT

  static QString why(std::string_view id, const Problem& problem, Extent block = {0, 0},
                     std::optional<TileShape> tile = std::nullopt) {
    TraceRequest request;
    request.subject() =
        usualSubject(test::stage(id), tile.value_or(test::stage(id).standardTile()));
    request.problem = problem;
    request.block = block;
    return test::q(whyNotTraceable(request));
  }

 private slots:
  void goodRequestsHaveNoReason() {
    for (const Stage& stage : stages()) {
      QCOMPARE(why(stage.id, {128, 128, 128}), QString());
      QCOMPARE(why(stage.id, {1, 1, 1}), QString());
      QCOMPARE(why(stage.id, {32768, 32768, 32768}), QString());
    }
  }

  void sizesArePositiveAndNotTooLarge() {
    QCOMPARE(why("naive", {0, 8, 8}), QString("M = 0 is not a size between 1 and 32768"));
    QCOMPARE(why("naive", {8, -4, 8}), QString("N = -4 is not a size between 1 and 32768"));
    QCOMPARE(why("naive", {8, 8, 32769}), QString("K = 32769 is not a size between 1 and 32768"));
    QCOMPARE(why("naive", {INT_MAX, 8, 8}),
             QString("M = 2147483647 is not a size between 1 and 32768"));
    QCOMPARE(why("warptiled", {8, INT_MIN, 8}),
             QString("N = -2147483648 is not a size between 1 and 32768"));
  }

  // 32768 fits exactly; what padding adds to it does not.
  void paddingMayMakeAMatrixTooLarge() {
    const TileShape tile = {{Parameter::BLOCKSIZE, 31}};
    QCOMPARE(
        why("shared", {32768, 32768, 8}, {0, 0}, tile),
        QString("32798x32798x31 has a matrix of more than 1073741824 elements; choose a smaller "
                "size"));
    QCOMPARE(why("naive", {32768, 32768, 8}, {0, 0}, tile), QString());
  }

  void theBlockIsInTheGrid() {
    QCOMPARE(why("warptiled", {256, 384, 16}, {2, 1}), QString());
    QCOMPARE(why("warptiled", {256, 384, 16}, {3, 0}),
             QString("block 3,0 is outside the grid of 3 x 2 blocks; the last one is 2,1"));
    QCOMPARE(why("warptiled", {256, 384, 16}, {0, -1}),
             QString("block 0,-1 is outside the grid of 3 x 2 blocks; the last one is 2,1"));
    QCOMPARE(why("naive", {256, 384, 16}, {7, 11}), QString());
    QCOMPARE(why("naive", {256, 384, 16}, {11, 7}),
             QString("block 11,7 is outside the grid of 8 x 12 blocks; the last one is 7,11"));
  }

  void anIllegalTileIsExplained() {
    const Stage& stage = test::stage("warptiled");
    QCOMPARE(
        why("warptiled", {128, 128, 128}, {0, 0}, stage.standardTile().with(Parameter::WNITER, 3)),
        QString("WN = 64 is not a multiple of WNITER = 3, so subtiles cannot cover the warp tile; "
                "choose WNITER = 2 or 4"));
    QVERIFY(!why("naive", {8, 8, 8}, {0, 0}, TileShape()).isEmpty());
  }

  void virtualMatricesAreFixedAndSpread() {
    QCOMPARE(virtualValue(0, 12345), virtualValue(0, 12345));
    QVERIFY(virtualValue(0, 12345) != virtualValue(1, 12345));
    double sum = 0, square = 0;
    constexpr int kCount = 10'000;
    for (std::uint32_t i = 0; i < kCount; ++i) {
      const float value = virtualValue(1, i);
      QVERIFY(value >= -1.0f && value <= 1.0f);
      sum += double{value};
      square += double{value} * double{value};
    }
    QVERIFY(std::abs(sum / kCount) < 0.05);
    QVERIFY(std::abs(square / kCount - 1.0 / 3) < 0.05);
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::RequestsTest, Nothing)
#include "requests_test.moc"
