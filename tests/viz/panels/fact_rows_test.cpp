// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/fact_rows.h"

#include <QtTest>
#include <algorithm>

#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

class FactRowsTest : public QObject {
  Q_OBJECT
 private slots:
  // Every fact has a tool tip, on every rung, with and without a compiler's figures.
  void everyFactHasATip_data() { test::addStageRows(); }
  void everyFactHasATip() {
    const auto r = test::recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 256}});
    KernelFacts kernel;
    kernel.arch = "sm_90";
    kernel.source = "recorded";
    kernel.registers = 100;
    kernel.blocks = 2;
    kernel.warps = 8;
    kernel.mostWarps = 64;
    for (const bool known : {false, true}) {
      const auto facts = factsOf(*r, known ? std::optional(kernel) : std::nullopt);
      QVERIFY(facts.size() >= 8);
      for (const Fact& f : facts) {
        QVERIFY2(f.tip.size() > 30 && f.tip.endsWith('.'), qPrintable(f.unit));
        QVERIFY2(!f.unit.isEmpty() && !f.value.isEmpty(), qPrintable(f.tip));
      }
    }
  }

  // Producer warps hold no results and issue no wgmma: they do not count.
  void producerWarpsDoNotMultiply() {
    const auto notesOf = [](std::string_view id) {
      const auto r = test::recorded({.stage = id, .problem = {512, 512, 512}});
      QStringList notes;
      for (const Fact& f : factsOf(*r)) notes += f.note;
      return notes;
    };
    for (const char* id : {"persistent", "hopper"}) {
      const QStringList notes = notesOf(id);
      QVERIFY2(notes.contains("of one wgmma of 64 rows") &&
                   notes.contains("4.00 per consumer warp and K tile"),
               qPrintable(notes.join(u'\n')));
    }
    const QStringList two = notesOf("specialised");
    QVERIFY2(
        two.contains("of 2 wgmma of 64 rows") && two.contains("8.00 per consumer warp and K tile"),
        qPrintable(two.join(u'\n')));
    QVERIFY(notesOf("overlapped").join(u' ').contains(" per warp and K tile"));
  }

  // Warp-wide instructions are counted as such, without words on FP32 or single floats.
  void tensorRungsTellOfTheirInstructions() {
    for (const Stage& stage : tensorStages()) {
      const auto r = test::recorded({.stage = stage.id, .problem = {512, 512, 512}});
      QStringList all;
      for (const Fact& f : factsOf(*r))
        all += QStringLiteral("%1 %2 (%3) %4").arg(f.value, f.unit, f.note, f.tip);
      const QString text = all.join(u'\n');
      for (const char* word : {"FP32 at", "FMAs", "float4", "no shared memory"})
        QVERIFY2(!text.contains(word), qPrintable(text));
      if (stage.features().warpgroupMma) {
        const QString columns = QString::number(r->trace.tile[Parameter::BN]);
        QVERIFY2(text.contains("64 × " + columns + " × 16 elements per wgmma"), qPrintable(text));
        QVERIFY2(text.contains("a K tile takes 1 box of A, "), qPrintable(text));
        const int wavefronts = 16 + r->trace.tile[Parameter::BN] / 4;
        QVERIFY2(
            text.contains(
                QStringLiteral("%1.0 wavefronts per wgmma (no bank conflict)").arg(wavefronts)),
            qPrintable(text));
        continue;
      }
      QVERIFY2(text.contains("16 × 8 × 16 elements per mma"), qPrintable(text));
      QVERIFY2(text.contains("multiply-adds per ldmatrix"), qPrintable(text));
      QVERIFY2(text.contains(stage.features().tma ? "a K tile takes 1 box of A, 2 of B"
                                                  : "a thread fetches 16 bytes "),
               qPrintable(text));
      QVERIFY2(text.contains("128 results per thread (4 in each of 32 tiles 16 × 8)"),
               qPrintable(text));
      const bool first = stage.rung == 1;
      QVERIFY2(text.contains(first ? "24.0 wavefronts per ldmatrix (83 % by bank conflicts)"
                                   : "4.00 wavefronts per ldmatrix (no bank conflict)"),
               qPrintable(text));
      // 4 warps; T1 has a K tile of 32, the others of 64.
      QVERIFY2(text.contains(first ? "64.0 per warp and K tile" : "128 per warp and K tile"),
               qPrintable(text));
    }
  }

  void groupsFold() {
    const auto r = test::recorded({});
    FactRows rows;
    auto facts = factsOf(*r);
    facts.push_back({"41,881", "GFLOP/s", "recorded", false, FactGroup::Speed, true, "Speed."});
    rows.setFacts(facts);
    QVERIFY(test::shown(rows, {340, 600}));
    QVERIFY(rows.heading(FactGroup::Speed).isEmpty());  // its only fact is a headline
    const QRectF memory = rows.heading(FactGroup::Memory);
    QVERIFY(!memory.isEmpty());
    const int before = rows.sizeHint().height();
    const QRectF work = rows.heading(FactGroup::Work);
    QTest::mouseClick(&rows, Qt::LeftButton, {}, work.center().toPoint());
    QVERIFY(rows.folded(FactGroup::Work));
    QVERIFY(rows.sizeHint().height() < before);
    QVERIFY(rows.heading(FactGroup::Memory).top() < memory.top());
    QTest::mouseClick(&rows, Qt::LeftButton, {}, work.center().toPoint());
    QCOMPARE(rows.sizeHint().height(), before);
  }

  // The headlines are few, and the large occupancy is always the theoretical one.
  void occupancyInTheory() {
    FactsPanel panel;
    panel.setRecording(test::recorded({}));
    KernelFacts kernel;
    kernel.registers = 168;
    kernel.warps = 12;
    kernel.mostWarps = 64;
    panel.setKernel(kernel);
    const auto theory =
        std::ranges::find_if(panel.facts(), [](const Fact& f) { return f.headline; });
    QVERIFY(theory != panel.facts().end());
    QCOMPARE(theory->value, QString("18.8"));
    QCOMPARE(theory->unit, QString("% theoretical occupancy"));
    QCOMPARE(theory->note, QString("no run counted"));
    panel.setMeasured(
        {{"12.3", "% achieved occupancy", "counted", false, FactGroup::Occupancy, false, "x."}});
    // The large figure stays the theoretical one, and names the counted one; registers are beside
    // it.
    QStringList large, notes;
    for (const Fact& f : panel.facts()) {
      if (!f.headline) continue;
      large += f.value;
      notes += f.note;
    }
    QCOMPARE(large, QStringList({"18.8", "168"}));
    QCOMPARE(notes.front(), QString("achieved: 12.3 %, counted"));
    QCOMPARE(panel.facts().front().value, QString("12.3"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FactRowsTest, Widgets)
#include "fact_rows_test.moc"
