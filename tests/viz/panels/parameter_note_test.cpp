// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/parameter_note.h"
#include "kernels/tile/subject.h"

#include <QtTest>
#include <cmath>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class ParameterNoteTest : public QObject {
  Q_OBJECT

  static const ParameterColumn* column(const ParameterEffects& effects, const QString& name) {
    for (const ParameterColumn& c : effects.changes) {
      if (c.name == name) return &c;
    }
    return nullptr;
  }
  static QString at(const ParameterEffects& effects, const QString& name, int value) {
    const auto found = std::ranges::find(effects.values, value);
    const ParameterColumn* c = column(effects, name);
    return found == effects.values.end() || c == nullptr
               ? QString()
               : c->cells[static_cast<std::size_t>(found - effects.values.begin())];
  }

 private slots:
  void everyParameterOfEveryStage_data() { addStageRows(); }
  void everyParameterOfEveryStage() {
    const Stage& stage = stageOfRow();
    const TileShape tile = stage.standardTile();
    for (const ParameterSpec& spec : stage.parameters) {
      const ParameterEffects e = effectsOf(stage, tile, spec.parameter);
      QVERIFY(e.present >= 0);
      QCOMPARE(e.values[static_cast<std::size_t>(e.present)], tile[spec.parameter]);
      for (const int value : e.values) QVERIFY(isLegal(stage, tile.with(spec.parameter, value)));
      for (const ParameterColumn& c : e.changes) QCOMPARE(c.cells.size(), e.values.size());
      QVERIFY2(e.values.size() < 2 || !e.changes.empty(),
               qPrintable(q(name(spec.parameter)) +
                          " changes nothing that the panel shows: add a row to "
                          "effects() in viz/panels/parameter_note.cpp"));
      const QString note = parameterNote(stage, tile, spec.parameter);
      QVERIFY(note.contains(
          QString("<b>%1 = %2</b>").arg(q(name(spec.parameter))).arg(tile[spec.parameter])));
    }
  }

  void aStepInOneLine() {
    const Stage& stage = test::stage("warptiled");
    const TileShape tile = stage.standardTile();
    const QString step = parameterStep(stage, tile, tile.with(Parameter::WNITER, 2));
    QVERIFY2(step.startsWith("WNITER 4 → 2: "), qPrintable(step));
    QVERIFY2(step.contains("subtiles per warp 1 × 4 → 2 × 2"), qPrintable(step));
    QVERIFY2(step.contains("the same threads per block"), qPrintable(step));
    QVERIFY(parameterStep(stage, tile, tile).isEmpty());
  }

  // As the trace counts the floats that threads read from shared memory.
  void multiplyAddsPerSharedFloat_data() { addFp32StageRows(); }
  void multiplyAddsPerSharedFloat() {
    const Stage& stage = stageOfRow();
    const TileShape tile = stage.standardTile();
    emulator::Workspace workspace;
    const auto t =
        analysis::traceLoop(workspace, usualSubject(stage, tile), {256, 256, 256}).totals;
    int said = 0;
    for (const ParameterSpec& spec : stage.parameters) {
      const auto e = effectsOf(stage, tile, spec.parameter);
      const QString text = at(e, "multiply-adds per shared float", tile[spec.parameter]);
      if (text.isEmpty()) continue;
      ++said;
      const double counted =
          static_cast<double>(t.ffmaThreadInstructions) / static_cast<double>(t.sharedLoadFloats);
      QVERIFY2(std::abs(text.toDouble() / counted - 1) < 0.01,
               qPrintable(text + " " + QString::number(counted)));
    }
    if (stage.id == "blocktile1d") QVERIFY(said > 0);
  }

  void whatBmDoes() {
    const Stage& stage = test::stage("warptiled");
    const ParameterEffects e = effectsOf(stage, stage.standardTile(), Parameter::BM);
    QCOMPARE(at(e, "threads per block", 64), "64");
    QCOMPARE(at(e, "threads per block", 256), "256");
    QCOMPARE(at(e, "KiB shared", 64), "12");
    QCOMPARE(at(e, "KiB shared", 128), "16");
    QCOMPARE(at(e, "multiply-adds per global float", 128), "64");  // 128 * 128 / 256
    QVERIFY(e.constants.contains("results per thread"));
  }

  // By hand: a warp's 64 x 64 and 32 x 64 elements of C, for 128 and 96 elements of each k.
  void whatWmDoesOnTensorCores() {
    const Stage& stage = test::stage("mma");
    const ParameterEffects e = effectsOf(stage, stage.standardTile(), Parameter::WM);
    QCOMPARE(at(e, "multiply-adds per shared element", 64), "32");
    QCOMPARE(at(e, "multiply-adds per shared element", 32), "21.33");
    QCOMPARE(at(e, "registers per thread for values", 64), "160");
  }

  void whatWniterDoes() {
    const Stage& stage = test::stage("warptiled");
    const ParameterEffects e = effectsOf(stage, stage.standardTile(), Parameter::WNITER);
    QCOMPARE(at(e, "subtiles per warp", 4), "1 × 4");
    QCOMPARE(at(e, "subtiles per warp", 2), "2 × 2");
    // 8 rows and 16 columns at WNITER 4, 16 and 8 at 2: as many fragments.
    QVERIFY(e.constants.contains("multiply-adds per shared float") ||
            at(e, "multiply-adds per shared float", 4) ==
                at(e, "multiply-adds per shared float", 2));
    QVERIFY(e.constants.contains("threads per block"));
  }

  // Padding and rasterisation change only these counts of the tile.
  void whatPadAndGroupDo() {
    const Stage& stage = test::stage("tuned");
    const TileShape tile = stage.standardTile();
    const ParameterEffects pad = effectsOf(stage, tile, Parameter::PAD);
    const QString banks = "banks from a row of As to the next";
    QCOMPARE(at(pad, banks, 0), "0");  // BM = 64
    QCOMPARE(at(pad, banks, 4), "4");
    QVERIFY(column(pad, "KiB shared") != nullptr);
    const ParameterEffects group = effectsOf(stage, tile, Parameter::GROUP);
    const QString strips = "strips of A × of B for 32 blocks in a row";
    QCOMPARE(at(group, strips, 1), "1 × 32");
    QCOMPARE(at(group, strips, 8), "8 × 4");
    const Stage& without = test::stage("warptiled");
    const ParameterEffects bm = effectsOf(without, without.standardTile(), Parameter::BM);
    QVERIFY(!column(bm, banks) && !column(bm, strips) && !bm.constants.contains(banks));
  }

  void anIllegalTile() {
    const Stage& stage = test::stage("warptiled");
    const TileShape tile = stage.standardTile().with(Parameter::TM, 3);
    const ParameterEffects tm = effectsOf(stage, tile, Parameter::TM);
    QCOMPARE(tm.present, -1);
    QVERIFY(!tm.values.empty());  // the way back
    const ParameterEffects bm = effectsOf(stage, tile, Parameter::BM);
    QVERIFY(bm.values.empty());  // no BM makes it legal
    QVERIFY(parameterNote(stage, tile, Parameter::BM).contains("No other value"));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::ParameterNoteTest, EventLoop)
#include "parameter_note_test.moc"
