// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/stage.h"
#include "kernels/tile/placement.h"

#include <QFile>
#include <QtTest>
#include <set>

#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;

class StageTest : public QObject {
  Q_OBJECT

 private slots:
  // Documents and recordings contain these; later rungs come after them.
  void theLadderBeginsWithTheseRungs() {
    const std::vector<const char*> ids = {
        "naive",      "coalesced", "shared",    "blocktile1d", "blocktile2d",    "vectorized",
        "autotuned",  "warptiled", "padded",    "fragments",   "doublebuffered", "async",
        "rasterised", "tuned",     "scheduled", "rewritten"};
    QVERIFY(stages().size() >= ids.size());
    for (std::size_t i = 0; i < ids.size(); ++i) QCOMPARE(q(stages()[i].id), QString(ids[i]));
  }

  void rungsAreNumberedAndDescribed() {
    std::set<std::string_view> ids;
    int rung = 0;
    for (const Stage& stage : stages()) {
      QCOMPARE(stage.rung, ++rung);
      QVERIFY(stage.ladder == Ladder::Fp32 && stage.formats.size() == 1);
      QVERIFY(stage.usualFormat() == Format::Fp32);
      QCOMPARE(q(rungLabel(stage)), QString::number(rung));
      QVERIFY2(ids.insert(stage.id).second, stage.id.data());
      QVERIFY(!stage.title.empty() && !stage.idea.empty());
      QVERIFY(stage.enter != nullptr);
    }
  }

  // The other ladder counts for itself, and its ids are none of the first one's.
  void theTensorLadderHasItsOwnNumbers() {
    std::set<std::string_view> ids;
    for (const Stage& stage : stages()) ids.insert(stage.id);
    int rung = 0;
    for (const Stage& stage : tensorStages()) {
      QCOMPARE(stage.rung, ++rung);
      QVERIFY(stage.ladder == Ladder::Tensor && !stage.formats.empty());
      QVERIFY(std::ranges::find(stage.formats, Format::Fp32) == stage.formats.end());
      QCOMPARE(q(rungLabel(stage)), QStringLiteral("T%1").arg(rung));
      QVERIFY2(ids.insert(stage.id).second, stage.id.data());
      QVERIFY(!stage.title.empty() && !stage.idea.empty() && stage.enter != nullptr);
      const auto parent = stageNamed(stage.parent);
      QVERIFY(parent.has_value());
      QCOMPARE(q((*parent)->id), q(stage.parent));
      QVERIFY((*parent)->ladder == Ladder::Fp32 || (*parent)->rung < stage.rung);
      QVERIFY(isLegal(stage, stage.standardTile()));
    }
    QVERIFY(rung >= 1);
    QCOMPARE(q(tensorStages()[0].id), QString("mma"));
  }

  void everyRungButTheFirstGrewFromALowerOne() {
    for (const Stage& stage : stages()) {
      QCOMPARE(stage.parent.empty(), stage.rung == 1);
      if (stage.parent.empty()) continue;
      const auto parent = stageNamed(stage.parent);
      QVERIFY2(parent.has_value(), stage.id.data());
      QCOMPARE(q((*parent)->id), q(stage.parent));  // its id, not its number
      QVERIFY2((*parent)->rung < stage.rung, stage.id.data());
    }
  }

  // As the first lines of their sources tell it.
  void parents() {
    QCOMPARE(q(test::stage("autotuned").parent), "vectorized");
    QCOMPARE(q(test::stage("padded").parent), "warptiled");
    QCOMPARE(q(test::stage("doublebuffered").parent), "fragments");
    QCOMPARE(q(test::stage("rasterised").parent), "async");
    QCOMPARE(q(test::stage("scheduled").parent), "tuned");
    QCOMPARE(q(test::stage("rewritten").parent), "scheduled");
    QCOMPARE(q(test::stage("tma").parent), "swizzled");
    QCOMPARE(q(test::stage("overlapped").parent), "multistage");
    QCOMPARE(q(test::stage("cluster").parent), "persistent");
    QCOMPARE(q(test::stage("hopper").parent), "stored");
  }

  void names_data() {
    QTest::addColumn<QString>("id");
    const auto row = [](const char* text, const char* id) { QTest::newRow(text) << QString(id); };
    row("naive", "naive");
    row("warptiled", "warptiled");
    row("1", "naive");
    row("3", "shared");
    row("7", "autotuned");
    row("8", "warptiled");
    row("9", "padded");
    row("14", "tuned");
    row("15", "scheduled");
    row("16", "rewritten");
    row("k1", "naive");
    row("k6", "vectorized");
    row("k9", "autotuned");
    row("k10", "warptiled");
    row("K10", "warptiled");
    row("mma", "mma");
    row("t1", "mma");
    row("T1", "mma");
    row("t7", "overlapped");
    row("t11", "cluster");
    row("t13", "hopper");
  }
  void names() {
    QFETCH(QString, id);
    const auto found = stageNamed(QTest::currentDataTag());
    QVERIFY(found.has_value());
    QCOMPARE(q((*found)->id), id);
  }

  void unknownNamesAreAnsweredWithTheChoices() {
    const auto found = stageNamed("cublas");
    QVERIFY(!found);
    const QString text = q(found.error());
    QVERIFY2(
        text.startsWith("there is no stage \"cublas\": choose one of naive, coalesced, shared, "
                        "blocktile1d, blocktile2d, vectorized, autotuned, warptiled, padded, "
                        "fragments, doublebuffered, async, rasterised, tuned, "
                        "scheduled, rewritten, "),
        qPrintable(text));
    const std::string count = std::to_string(stages().size());
    QVERIFY2(text.endsWith(", or 1 to " + q(count) + " or T1 to T" +
                           q(std::to_string(tensorStages().size()))),
             qPrintable(text));
    for (const Stage* stage : everyStage()) QVERIFY(text.contains(q(stage->id) + ", "));
    for (const char* name : {"", "k", "0", "-1", "k7", "k8", "k11", "8x", " 8", "Warptiled"}) {
      QVERIFY2(!stageNamed(name), name);
    }
    QVERIFY(!stageNamed(std::to_string(stages().size() + 1)));
    for (const char* name : {"t", "t0", "t99", "T1x", "Mma"}) QVERIFY2(!stageNamed(name), name);
    QCOMPARE(q(stageNamed("t99").error()),
             QString("there is no rung \"t99\" on the tensor ladder, which has T1 (mma), T2 "
                     "(swizzled), T3 (mmaring), T4 (tma), T5 (wgmma), T6 (multistage), T7 "
                     "(overlapped), T8 (specialised), T9 (consumers), T10 (persistent), T11 "
                     "(cluster), T12 (stored), T13 (hopper)"));
  }

  // Siboehm's SGEMM_CUDA, runner.cu: what it launches on an A6000.
  void standardTilesAreTheLiteratures_data() {
    QTest::addColumn<QString>("tile");
    QTest::newRow("naive") << "naive BLOCKSIZE=32";
    QTest::newRow("coalesced") << "coalesced BLOCKSIZE=32";
    QTest::newRow("shared") << "shared BLOCKSIZE=32";
    QTest::newRow("blocktile1d") << "blocktile1d BM=64 BN=64 BK=8 TM=8";
    QTest::newRow("blocktile2d") << "blocktile2d BM=128 BN=128 BK=8 TM=8 TN=8";
    QTest::newRow("vectorized") << "vectorized BM=128 BN=128 BK=8 TM=8 TN=8";
    QTest::newRow("autotuned") << "autotuned BM=128 BN=128 BK=16 TM=8 TN=8";
    QTest::newRow("warptiled") << "warptiled BM=128 BN=128 BK=16 WM=64 WN=64 WNITER=4 TM=8 TN=4";
  }
  void standardTilesAreTheLiteratures() {
    QFETCH(QString, tile);
    const Stage& stage = test::stage(QTest::currentDataTag());
    QCOMPARE(q(test::toString(stage, stage.standardTile())), tile);
    QVERIFY(isLegal(stage, stage.standardTile()));
  }

  void parameterSpecsHoldTheirStandard() {
    for (const Stage& stage : stages()) {
      for (const ParameterSpec& spec : stage.parameters) {
        // Layout may be 0: no padding words.
        QVERIFY(spec.min >= (rowOf(spec.parameter).part == ParameterPart::Places ? 0 : 1));
        QVERIFY(spec.min <= spec.standard && spec.standard <= spec.max);
        QCOMPARE(stage.spec(spec.parameter), &spec);
      }
    }
    QVERIFY(test::stage("naive").spec(Parameter::BM) == nullptr);
  }

  void onlyStagesWithoutEdgeChecksPad() {
    const Problem odd = {100, 129, 17};
    for (const Stage& stage : stages()) {
      const Problem run = paddedProblem(stage, stage.standardTile(), odd);
      if (stage.rung <= 2) {
        QVERIFY(run == odd);
      } else {
        const Derived d = derive(stage, stage.standardTile());
        QVERIFY(run.m % d.blockM == 0 && run.m >= odd.m && run.m - odd.m < d.blockM);
        QVERIFY(run.n % d.blockN == 0 && run.n >= odd.n && run.n - odd.n < d.blockN);
        QVERIFY(run.k % d.stepK == 0 && run.k >= odd.k && run.k - odd.k < d.stepK);
      }
    }
    const Stage& warptiled = test::stage("warptiled");
    QVERIFY((paddedProblem(warptiled, warptiled.standardTile(), odd) == Problem{128, 256, 32}));
    QVERIFY((paddedProblem(warptiled, warptiled.standardTile(), {128, 256, 32}) ==
             Problem{128, 256, 32}));
  }

  void theGridCoversC() {
    const Stage& warptiled = test::stage("warptiled");
    const Launch wide = launchOf(warptiled, warptiled.standardTile(), {256, 640, 16});
    QVERIFY((wide.grid == Extent{5, 2}));  // x counts columns of blocks
    QVERIFY((wide.block == Extent{128, 1}));

    const Stage& naive = test::stage("naive");
    const Launch tall = launchOf(naive, naive.standardTile(), {100, 33, 5});
    QVERIFY((tall.grid == Extent{4, 2}));  // x counts rows here
    QVERIFY((tall.block == Extent{32, 32}));

    const Stage& coalesced = test::stage("coalesced");
    const Launch flat = launchOf(coalesced, coalesced.standardTile(), {100, 33, 5});
    QVERIFY((flat.grid == Extent{4, 2}));  // and here, though the threads lie along the columns
    QVERIFY((flat.block == Extent{1024, 1}));
  }

  // plain_pointers_test compares the two, but only where NVRTC is installed.
  void everyRungHasAKernelWithPlainPointers() {
    for (const Stage* stage : everyStage()) {
      const QString path = QStringLiteral(TILELOOM_PLAIN_KERNELS "/%1.cu").arg(q(stage->id));
      QVERIFY2(QFile::exists(path),
               qPrintable("write the kernel of " + q(stage->id) + " by hand as " + path));
    }
  }

  void theSourceIsBuiltIn() {
    for (const Stage* each : everyStage()) {
      const Stage& stage = *each;
      const QString text = q(sourceText(stage));
      QVERIFY(text.startsWith("// SPDX-License-Identifier: GPL-3.0-or-later\n"));
      const QString entry = stage.split() == SplitK::Rounds  ? "SPLIT_KERNEL("
                            : stage.features().tmaStores     ? "STORED_KERNEL("
                            : stage.features().cluster       ? "CLUSTER_KERNEL("
                            : stage.features().roles         ? "ROLES_KERNEL("
                            : stage.features().tma           ? "TENSOR_KERNEL("
                            : stage.ladder == Ladder::Tensor ? "KERNEL16("
                            : stage.split() == SplitK::Parts ? "PART_KERNEL("
                                                             : "KERNEL(";
      QVERIFY(text.contains(entry + q(stage.id) + ","));
      QVERIFY(text.endsWith("}\n"));
      const QString folder = stage.ladder == Ladder::Tensor ? "tensor/" : "fp32/";
      QCOMPARE(q(stage.file), "kernels/stages/" + folder + q(stage.id) + ".cuh");
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::StageTest, Nothing)
#include "stage_test.moc"
