// SPDX-License-Identifier: GPL-3.0-or-later
// The changes to rung 16 after compiling, with the real NVRTC: its default tile is rewritten, also
// with split-K in the last wave; so are tiles whose threads copy more, and whose fragments are
// loaded by fewer bits.
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

class RewritingTest : public QObject {
  Q_OBJECT

 private slots:
  void theDefaultTileIsRewritten_data() {
    QTest::addColumn<int>("split");
    for (const int split : {1, 2, 4}) QTest::addRow("SPLIT = %d", split) << split;
  }
  void theDefaultTileIsRewritten() {
    QFETCH(int, split);
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP(qPrintable("NOT TESTED: " + test::q(nvrtc.error().text)));
    const Stage& stage = test::stage("rewritten");
    const auto build = buildStage(
        **nvrtc, nullptr, usualSubject(stage, stage.standardTile().with(Parameter::SPLIT, split)),
        *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QVERIFY(build->rewriting.has_value());
    QCOMPARE(test::q(build->rewriting->whyNot), QString());
    QVERIFY(build->rewriting->done());
    QCOMPARE(build->resources.spillStores, 0);
    QVERIFY(build->resources.registers <= 255);
    QCOMPARE(build->loop.ffmas, 1024);
    // A block that computes a part of a tile is not slower per K tile.
    QVERIFY2(build->loop.instructions <= 1110,
             qPrintable(QString::number(build->loop.instructions)));
  }
  void otherTilesAreRewritten_data() {
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("down");
    QTest::newRow("four copies per thread") << 64 << 4;
    QTest::newRow("fragments by 32 bits") << 128 << 1;
  }
  void otherTilesAreRewritten() {
    QFETCH(int, rows);
    QFETCH(int, down);
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP(qPrintable("NOT TESTED: " + test::q(nvrtc.error().text)));
    const Stage& stage = test::stage("rewritten");
    const TileShape tile = stage.standardTile().with(Parameter::BM, rows).with(Parameter::TM, down);
    const auto build =
        buildStage(**nvrtc, nullptr, usualSubject(stage, tile), *architectureNamed("sm_90"));
    QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
    QVERIFY(build->rewriting.has_value());
    QCOMPARE(test::q(build->rewriting->whyNot), QString());
    QCOMPARE(build->loop.ffmas, 1024);
    QVERIFY(build->loop.instructions <= build->rewriting->untouchedLoop.instructions);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::RewritingTest, EventLoop)
#include "rewriting_test.moc"
