// SPDX-License-Identifier: GPL-3.0-or-later
// The lanes of rung 14 in other sources: what is replaced, in which stages, and, if NVRTC is found,
// that rung 16 with them is as small as without and is rewritten.
// tests/stages/paired_lanes_test.cpp proves the results.
#include "kernels/gpu/compile/paired_lanes.h"

#include <QTemporaryDir>
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/gpu/compile/build_cache.h"
#include "kernels/rewrite/rewrite.h"
#include "kernels/tile/architecture.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/sentence.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class PairedLanesTest : public QObject {
  Q_OBJECT

 private slots:
  void onlyTheLinesThatDealLanesChange_data() {
    QTest::addColumn<QString>("id");
    QTest::newRow("rung 15") << "scheduled";
    QTest::newRow("rung 16") << "rewritten";
  }
  void onlyTheLinesThatDealLanesChange() {
    QFETCH(QString, id);
    const Stage& its = test::stage(id.toStdString());
    QCOMPARE(pairingStage().rung, 14);
    const QStringList before = q(sourceText(its)).split('\n');
    const QStringList donor = q(sourceText(pairingStage())).split('\n');
    const auto made = pairedLanes(sourceText(its));
    QVERIFY2(made, made ? "" : made.error().text.c_str());
    const QStringList after = q(*made).split('\n');
    QStringList lost = before, added = after;
    for (const QString& line : after) lost.removeOne(line);
    for (const QString& line : before) added.removeOne(line);
    QCOMPARE(lost.size(), 1);
    QVERIFY(lost[0].contains("threadRow = lane") && lost[0].contains("threadCol = lane"));
    QCOMPARE(added.size(), 3);
    for (const QString& line : added) QVERIFY2(donor.contains(line), qPrintable(line));
    QVERIFY(added.filter("threadRow = ").size() == 1 && added.filter("threadCol = ").size() == 1);
    // They are at the places of the others.
    QCOMPARE(after.mid(before.indexOf(lost[0]), 3), added);
    // Nothing is left to be replaced.
    const auto again = pairedLanes(*made);
    QVERIFY(!again && again.error().trouble == Trouble::Unsupported);
  }
  void whereThereIsNoPlace_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("names");
    QTest::newRow("rung 14") << "tuned"
                             << "as rung 14 does";
    QTest::newRow("no warp tile") << "blocktile2d"
                                  << "does not place the lanes";
    QTest::newRow("rung 1") << "naive"
                            << "does not place the lanes";
    QTest::newRow("tensor cores") << "wgmma"
                                  << "does not place the lanes";
  }
  void whereThereIsNoPlace() {
    QFETCH(QString, id);
    QFETCH(QString, names);
    const auto made = pairedLanes(sourceText(test::stage(id.toStdString())));
    QVERIFY(!made && made.error().trouble == Trouble::Unsupported);
    QVERIFY2(q(made.error().text).contains(names), made.error().text.c_str());
    QCOMPARE(test::sentenceFlaw(made.error().text), QString());
  }
  void whatIsNoSource() {
    for (const char* text : {"", "\n", "threadRow = ", "  const uint threadRow = 1;"})
      QVERIFY(!pairedLanes(text));
    const auto made = pairedLanes("a\n  const uint threadRow = lane / 4;");
    QVERIFY(made && made->starts_with("a\n  CONSTANT uint PAIR = ") && made->ends_with('\n'));
  }

  void theCompilerMakesTheSameOfIt_data() {
    QTest::addColumn<int>("split");
    for (const int split : {1, 4}) QTest::addRow("SPLIT = %d", split) << split;
  }
  void theCompilerMakesTheSameOfIt() {
    QFETCH(int, split);
    const auto nvrtc = Nvrtc::load();
    if (!nvrtc) QSKIP(qPrintable("NOT TESTED: " + q(nvrtc.error().text)));
    const Stage& stage = test::stage("rewritten");
    const auto plain = buildStage(
        **nvrtc, nullptr, usualSubject(stage, stage.standardTile().with(Parameter::SPLIT, split)),
        *architectureNamed("sm_90"));
    QVERIFY2(plain && plain->rewriting->done(), plain ? "" : plain.error().text.c_str());
    const QTemporaryDir folder;
    const BuildCache cache(folder.path().toStdString());
    const auto paired = buildPaired(**nvrtc, &cache, *plain);
    QVERIFY2(paired, paired ? "" : paired.error().text.c_str());
    QVERIFY(!paired->rewriting && !paired->cached);
    QVERIFY(paired->rung() == plain->rung() && paired->tile == plain->tile);
    QVERIFY(paired->cubin != plain->rewriting->untouched);
    QCOMPARE(paired->resources.spillStores, 0);
    QCOMPARE(paired->resources.staticShared, plain->resources.staticShared);
    QCOMPARE(paired->dynamicShared, plain->dynamicShared);
    // Both need about 220, and one block per SM fits with up to 255.
    QVERIFY(paired->resources.registers <= 255);
    QVERIFY(std::abs(paired->resources.registers - plain->rewriting->untouchedRegisters) <= 16);
    const sass::LoopSize& loop = plain->rewriting->untouchedLoop;
    QCOMPARE(paired->loop.ffmas, loop.ffmas);
    QVERIFY(std::abs(paired->loop.instructions - loop.instructions) <= 10);
    const auto rewritten = rewrite::rewriteMainLoop(paired->cubin);
    QVERIFY2(rewritten, rewritten ? "" : rewritten.error().c_str());
    QCOMPARE(rewritten->multiplyAdds, 1024);

    const auto again = buildPaired(**nvrtc, &cache, *plain);
    QVERIFY(again && again->cached && again->cubin == paired->cubin);
    QVERIFY(again->resources == paired->resources);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::PairedLanesTest, EventLoop)
#include "paired_lanes_test.moc"
