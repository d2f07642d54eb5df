// SPDX-License-Identifier: GPL-3.0-or-later
// The table of differences against independently known counts.
#include "viz/compare/differences.h"

#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/compare/difference_table.h"

namespace tileloom {

using test::recorded;

class DifferencesTest : public QObject {
  Q_OBJECT

  static Difference row(const std::vector<Difference>& rows, const QString& group,
                        const QString& name) {
    for (const Difference& d : rows) {
      if (d.group == group && d.name == name) return d;
    }
    throw std::out_of_range(name.toStdString());
  }

  static HistoryPoint run(double low, double median, double high) {
    HistoryPoint p;
    p.device = "H100";
    p.gflops = {median, low, high};
    return p;
  }

  static std::vector<Difference> speeds(const HistoryPoint& a, const HistoryPoint& b) {
    static const auto r = recorded({.stage = "naive", .problem = {64, 64, 64}});
    return differences({r, {}, a}, {r, {}, b});
  }

 private slots:
  // For rungs with uncoalesced global loads the wasted sectors come first.
  void sectorsComeFirstWhereTheyAreWasted() {
    const auto rows = [](const char* before, const char* after) {
      return differences(Side{test::recorded({.stage = before}), {}, {}},
                         Side{test::recorded({.stage = after}), {}, {}});
    };
    const auto first = rows("naive", "coalesced");
    QCOMPARE(first[0].group, QString("Global memory"));
    QCOMPARE(first[0].name, QString("sectors per load"));
    QCOMPARE(rows("warptiled", "naive").front().group, QString("Global memory"));
    QCOMPARE(rows("coalesced", "warptiled").back().group, QString("Global memory"));
    for (const Stage* stage : everyStage()) {
      if (stage->id == "naive") continue;
      const auto id = std::string(stage->id);
      QCOMPARE(rows(id.c_str(), id.c_str()).front().group, QString("Speed"));
    }
  }

  void nothingDiffersFromItself() {
    const auto r = recorded({.stage = "warptiled"});
    KernelFacts k;
    k.registers = 168;
    k.blocks = 3;
    k.limitedBy = "registers";
    for (const Difference& d : differences({r, k, {}}, {r, k, {}})) {
      QCOMPARE(d.baseline, d.now);
      QVERIFY2(d.verdict == Verdict::Same || d.baseline == "–", qPrintable(d.name));
    }
  }

  // Zeros that pad the pipeline to whole rounds are not work: both load A and B for 328 elements of
  // K. The first block of a cluster requests 32 of each 64 rows of B, and all 8 of the last K tile:
  // 84,992 elements of 16 bits in 6,032 sectors.
  void zerosAreNoWork() {
    const Problem problem{1000, 776, 328};
    const auto rows = differences({recorded({.stage = "stored", .problem = problem}), {}, {}},
                                  {recorded({.stage = "hopper", .problem = problem}), {}, {}});
    const Difference flops = row(rows, "Global memory", "FLOP per byte fetched");
    QVERIFY2(flops.baseline == flops.now && flops.verdict == Verdict::Same,
             qPrintable(flops.baseline + " " + flops.now));
    const Difference needed = row(rows, "Global memory", "of these needed");
    QCOMPARE(needed.now, QString("88.06 %"));
  }

  // Rung 5: 10,240 loads and 32,768 wavefronts, half of them conflicts (a hardware count).
  void rungsFiveAndSix() {
    const auto rows = differences({recorded({.stage = "blocktile2d"}), {}, {}},
                                  {recorded({.stage = "vectorized"}), {}, {}});
    const Difference loads = row(rows, "Shared memory", "wavefronts per load");
    QCOMPARE(loads.baseline, QString("3.20"));
    QCOMPARE(loads.verdict, Verdict::None);
    QCOMPARE(row(rows, "Shared memory", "conflicts, loads").baseline, QString("50 %"));
    QCOMPARE(row(rows, "Shared memory", "conflicts, stores").verdict, Verdict::Worse);
    QCOMPARE(row(rows, "Work and reuse", "FMAs per shared load").change, QString("× 2.50"));
    QCOMPARE(row(rows, "Work and reuse", "threads per block").verdict, Verdict::Same);
  }

  // The same tile in plain rows and swizzled: figures of the loop, as docs/log/performance.md has
  // them.
  void tensorRungs() {
    const TileShape tile = test::stage("swizzled").standardTile();
    const auto rows = differences(
        {recorded({.stage = "swizzled", .tile = tile.with(Parameter::SWIZZLE, 0)}), {}, {}},
        {recorded({.stage = "swizzled", .tile = tile}), {}, {}});
    const Difference loads = row(rows, "Shared memory", "wavefronts per ldmatrix");
    QCOMPARE(loads.baseline, QString("32"));
    QCOMPARE(loads.now, QString("4"));
    QCOMPARE(loads.verdict, Verdict::Better);
    QCOMPARE(row(rows, "Shared memory", "conflicts, ldmatrix").now, QString("0 %"));
    const Difference reuse = row(rows, "Work and reuse", "multiply-adds per wavefront");
    QCOMPARE(reuse.now, QString("1,365"));
    QCOMPARE(reuse.verdict, Verdict::Better);
    QCOMPARE(row(rows, "Work and reuse", "multiply-adds per load").now, QString("8,192"));
    for (const Difference& d : rows) QVERIFY2(d.name != "conflicts, loads", qPrintable(d.name));
  }

  // Copies of narrow rows look up more lines in L1, which takes no time of shared memory. `why`
  // counts 384 wavefronts for 524,288 multiply-adds, the same ratio as with wide rows.
  void narrowCopiesWriteAsMuch() {
    const Stage& stage = test::stage("mmaring");
    const TileShape wide = stage.standardTile();
    const TileShape narrow =
        wide.with(Parameter::SWIZZLE, 64).with(Parameter::BK, 32).with(Parameter::STAGES, 5);
    const auto rows = differences({recorded({.stage = "mmaring", .tile = wide}), {}, {}},
                                  {recorded({.stage = "mmaring", .tile = narrow}), {}, {}});
    const Difference reuse = row(rows, "Work and reuse", "multiply-adds per wavefront");
    QCOMPARE(reuse.baseline, QString("1,365"));
    QCOMPARE(reuse.now, QString("1,365"));
    QCOMPARE(reuse.verdict, Verdict::Same);
  }

  // Between ladders the structure is compared; speeds have no ratio and no verdict. With K of two K
  // tiles rung T3 copies all of them before its loop, and they count all the same: a block
  // multiplies 2,097,152 times, in 1,152 wavefronts of ldmatrix (T2: 1,024) and 512 of copies.
  void whatIsFetchedBeforeTheLoopCounts() {
    const Problem problem{128, 128, 128};
    const auto rows = differences({recorded({.stage = "swizzled", .problem = problem}), {}, {}},
                                  {recorded({.stage = "mmaring", .problem = problem}), {}, {}});
    const auto& d = row(rows, "Work and reuse", "multiply-adds per wavefront");
    QCOMPARE(d.baseline, "1,365");
    QCOMPARE(d.now, "1,260");
    QVERIFY(d.verdict == Verdict::Worse);
    QVERIFY(row(rows, "Global memory", "sectors per load").now != "–");
  }

  void ladderBesideLadder() {
    const auto fp32 = recorded({.stage = "warptiled"}), tensor = recorded({.stage = "mma"});
    const auto rows = differences({fp32, {}, run(99, 100, 101)}, {tensor, {}, run(399, 400, 401)});
    const Difference speed = row(rows, "Speed", "GFLOP/s");
    QVERIFY(speed.baseline.startsWith("100") && speed.now.startsWith("400"));
    QCOMPARE(speed.verdict, Verdict::None);
    QVERIFY(!speed.change.contains(u'×'));
    QVERIFY(!speed.why.isEmpty());
    for (const Difference& d : rows) QVERIFY(d.name != "% of cuBLAS");
    QCOMPARE(row(rows, "Work and reuse", "multiply-adds per wavefront").verdict, Verdict::None);
    QCOMPARE(row(rows, "Shared memory", "wavefronts per ldmatrix").baseline, QStringLiteral("–"));
    QCOMPARE(row(rows, "Shared memory", "wavefronts per load").now, QStringLiteral("–"));
  }

  void rungsOneAndTwo() {
    const auto rows = differences({recorded({.stage = "naive"}), {}, {}},
                                  {recorded({.stage = "coalesced"}), {}, {}});
    const Difference sectors = row(rows, "Global memory", "FLOP per byte fetched");
    QCOMPARE(sectors.verdict, Verdict::Better);
    // There is no shared memory.
    QCOMPARE(row(rows, "Shared memory", "words per wavefront").baseline, QString("–"));
    QCOMPARE(row(rows, "Shared memory", "words per wavefront").verdict, Verdict::None);
  }

  void aWinnerOnlyWhereIntervalsAreApart() {
    const auto verdict = [](const HistoryPoint& a, const HistoryPoint& b) {
      return row(speeds(a, b), "Speed", "GFLOP/s").verdict;
    };
    QCOMPARE(verdict(run(99, 100, 101), run(109, 110, 111)), Verdict::Better);
    QCOMPARE(verdict(run(109, 110, 111), run(99, 100, 101)), Verdict::Worse);
    QCOMPARE(verdict(run(99, 100, 105), run(104, 110, 111)), Verdict::Tied);
    QCOMPARE(verdict(run(60, 100, 140), run(209, 210, 211)), Verdict::Noisy);
    QCOMPARE(verdict(run(60, 100, 140), run(119, 120, 121)), Verdict::Tied);
    HistoryPoint other = run(109, 110, 111);
    other.device = "A100";
    QCOMPARE(verdict(run(99, 100, 101), other), Verdict::None);
    QCOMPARE(verdict(run(99, 100, 101), {}), Verdict::None);
  }

  void spillsAreWorse() {
    const auto r = recorded({.stage = "warptiled"});
    KernelFacts clean, spilling;
    clean.registers = spilling.registers = 255;
    spilling.spillBytes = 24;
    const auto rows = differences({r, clean, {}}, {r, spilling, {}});
    QCOMPARE(row(rows, "Occupancy", "bytes spilled").verdict, Verdict::Worse);
    QCOMPARE(row(rows, "Occupancy", "bytes spilled").change, QString("+ 24"));
  }

  void titlesNameWhatDiffers() {
    const auto a = recorded({.stage = "warptiled"});
    const auto b =
        recorded({.stage = "warptiled", .tile = a->trace.tile.with(Parameter::WNITER, 2)});
    QCOMPARE(sideTitle(*a, *b), QString("8 warp tiling · WNITER=4"));
    QCOMPARE(sideTitle(*b, *a), QString("8 warp tiling · WNITER=2"));
    QVERIFY(sideTitle(*a, *a).contains("BM=128"));
    // Of two rungs the tile parameters that differ come first, so that they are the last to be
    // elided.
    const auto c = recorded({.stage = "tuned"});
    const QString tuned = sideTitle(*c, *a);
    QVERIFY2(tuned.startsWith("14 tuned for the chip · BM=64 "), qPrintable(tuned));
    QVERIFY2(tuned.indexOf("STAGES=") < tuned.indexOf("BN=128"), qPrintable(tuned));
    QCOMPARE(tuned.count(" · "), 2);
    QVERIFY(sideTitle(*a, *c).startsWith("8 warp tiling · BM=128 "));
  }

  void theTableSaysItInWordsToo() {
    QCOMPARE(verdictWord(Verdict::Better), QString("better"));
    QCOMPARE(verdictWord(Verdict::Tied), QString("too close to tell"));
    QVERIFY(verdictWord(Verdict::Same).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::DifferencesTest, Widgets)
#include "differences_test.moc"
