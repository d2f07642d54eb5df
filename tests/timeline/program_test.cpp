// SPDX-License-Identifier: GPL-3.0-or-later
// Programs of the rungs: every instruction of the trace is in one, loads are issued before the
// operations that need them, and the totals are those of the analyses.
#include "kernels/timeline/program.h"

#include <QtTest>
#include <algorithm>

#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

using test::q;

class ProgramTest : public QObject {
  Q_OBJECT

  emulator::Workspace workspace_;

  emulator::Trace traced(const Stage& stage, std::uint32_t kTiles, int k = 1024) {
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = {512, 512, k};
    request.kTiles = kTiles;
    request.operands = false;
    return emulator::traceBlock(workspace_, request);
  }
  static const Stage& row() { return test::stage(QTest::currentDataTag()); }
  static void addStages() {
    QTest::addColumn<bool>("unused");
    for (const Stage* stage : everyStage()) QTest::newRow(std::string(stage->id).c_str()) << true;
  }
  static std::vector<const Operation*> of(const Program& program, Work work) {
    std::vector<const Operation*> found;
    for (const Operation& op : program.operations) {
      if (op.work == work) found.push_back(&op);
    }
    return found;
  }

 private slots:
  void everyInstructionHasItsOperation_data() { addStages(); }
  void everyInstructionHasItsOperation() {
    const emulator::Trace trace = traced(row(), 2);
    const BlockProgram block = programOf(trace);
    QCOMPARE(block.warps.size(), std::size_t(trace.warps));
    for (std::uint32_t w = 0; w < trace.warps; ++w) {
      const Program& program = block.warps[w];
      QCOMPARE(program.byInstruction.size(), std::size_t(trace.length(w)));
      std::uint32_t instructions = 0;
      for (std::size_t i = 0; i < program.operations.size(); ++i) {
        const Operation& op = program.operations[i];
        if (op.work == Work::Convert) {
          QCOMPARE(op.first, kNone);
          continue;
        }
        QVERIFY(op.first < trace.length(w));
        QCOMPARE(program.operationOf(op.first), std::uint32_t(i));
        instructions += op.count;
        for (const std::uint32_t need : op.needs) QVERIFY(need == kNone || need < i);
      }
      // Merged loads are one operation for several instructions.
      QVERIFY(instructions <= trace.length(w));
    }
  }

  // The clock charges what the analyses count.
  void countsAreThoseOfTheAnalyses_data() { addStages(); }
  void countsAreThoseOfTheAnalyses() {
    const emulator::Trace trace = traced(row(), 2);
    const BlockProgram block = programOf(trace);
    const analysis::Totals totals = analysis::blockTotals(trace);
    std::uint64_t multiplies = 0, shared = 0, sectors = 0, mmas = 0, stored = 0;
    for (const Program& program : block.warps) {
      for (const Operation& op : program.operations) {
        if (op.work == Work::Multiply) multiplies += op.issues;
        if (op.work == Work::Mma) ++mmas;
        if (op.work == Work::Fragments || op.work == Work::Fill || op.work == Work::Copy)
          shared += op.wavefronts;
        if (op.work == Work::Load || op.work == Work::Copy || op.work == Work::Box)
          sectors += op.bytes / 32;
        if (op.work == Work::Store || op.work == Work::BoxStore) stored += op.bytes / 32;
      }
    }
    // Warps may be partly outside of C; the counter counts lanes.
    QVERIFY(multiplies * 32 >= totals.ffmaThreadInstructions);
    if (row().has(Parameter::WNITER)) QCOMPARE(multiplies * 32, totals.ffmaThreadInstructions);
    QCOMPARE(mmas, totals.tensorInstructions);
    // The clock does not know the operands that tensor cores read themselves:
    // docs/design/05-timeline.md.
    QCOMPARE(shared, totals.sharedWavefronts() - totals.productWavefronts);
    QCOMPARE(sectors, totals.fetchSectors());
    QCOMPARE(stored, totals.storedSectors());
  }

  // Multiply-adds of a k need the loads that bring its fragments of A and of B.
  void multiplyAddsNeedTheirFragments_data() {
    QTest::addColumn<int>("ahead");  // operations between the loads and their users, at least
    QTest::newRow("warptiled") << 0;
    QTest::newRow("fragments") << 1;  // the multiply-adds of the previous k are between
    QTest::newRow("doublebuffered") << 1;
    QTest::newRow("tuned") << 1;
  }
  void multiplyAddsNeedTheirFragments() {
    QFETCH(int, ahead);
    const emulator::Trace trace = traced(row(), 3);
    const Program program = programOf(trace).warps.front();
    int checked = 0, apart = 0;
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      const Operation& op = program.operations[i];
      if (op.work != Work::Multiply || op.kTile == emulator::kNoTile) continue;
      for (const std::size_t side : {0, 1}) {
        const std::uint32_t need = op.needs[side];
        QVERIFY(need != kNone);
        const Operation& load = program.operations[need];
        QCOMPARE(load.work, Work::Fragments);
        QCOMPARE(load.matrix, side == 0 ? analysis::Matrix::A : analysis::Matrix::B);
        QCOMPARE(load.brings, op.kTile);
      }
      ++checked;
      // Whether other multiply-adds are between the loads and these.
      bool others = false;
      for (std::size_t j = op.needs[1]; j < i; ++j)
        others = others || program.operations[j].work == Work::Multiply;
      apart += others ? 1 : 0;
    }
    QVERIFY(checked > 8);
    if (ahead == 0) {
      QCOMPARE(apart, 0);
    } else {
      QVERIFY2(apart * 8 >= checked * 6, qPrintable(QString::number(apart)));
    }
  }

  // A store to shared memory needs the load that brings its data, and both sides of a fill are
  // loaded before the first of them is stored, up to 16 registers at a time.
  void storesNeedTheirLoads_data() {
    QTest::addColumn<int>("batch");  // loads in a row
    QTest::newRow("vectorized") << 2;
    QTest::newRow("warptiled") << 4;
    QTest::newRow("padded") << 4;
    QTest::newRow("fragments") << 4;
    QTest::newRow("mma") << 4;
  }
  void storesNeedTheirLoads() {
    QFETCH(int, batch);
    const emulator::Trace trace = traced(row(), 2);
    const Program program = programOf(trace).warps.front();
    int longest = 0, run = 0;
    for (const Operation& op : program.operations) {
      if (op.kTile == emulator::kNoTile) continue;
      run = op.work == Work::Load ? run + 1 : 0;
      longest = std::max(longest, run);
      if (op.work != Work::Fill) continue;
      QVERIFY(op.needs[0] != kNone);
      const Operation& load = program.operations[op.needs[0]];
      QCOMPARE(load.work, Work::Load);
      QCOMPARE(load.matrix, op.matrix);
      QCOMPARE(load.brings, op.brings);
    }
    QCOMPARE(longest, batch);
  }

  // Rung 11 prefetches the next K tile while it multiplies this one, and rung 12 prefetches two.
  void howFarAhead_data() {
    QTest::addColumn<int>("tiles");
    QTest::newRow("padded") << 0;
    QTest::newRow("fragments") << 0;
    QTest::newRow("doublebuffered") << 1;
    QTest::newRow("async") << 2;
    QTest::newRow("tuned") << 1;
    QTest::newRow("mmaring") << 2;
  }
  void howFarAhead() {
    QFETCH(int, tiles);
    const emulator::Trace trace = traced(row(), 3);
    const Program program = programOf(trace).warps.front();
    int loads = 0;
    for (const Operation& op : program.operations) {
      if (op.work != Work::Load && op.work != Work::Copy) continue;
      if (op.kTile == emulator::kNoTile || op.brings == emulator::kNoTile) continue;
      QCOMPARE(int(op.brings - op.kTile), tiles);
      ++loads;
    }
    QVERIFY(loads > 0);
  }

  void tilesForASteadyState() {
    for (const Stage* stage : everyStage()) {
      const std::uint32_t wanted = tilesWanted(*stage, stage->standardTile());
      QVERIFY(wanted >= 8);
      QVERIFY(int(wanted) >= derive(*stage, stage->standardTile()).buffers + 4);
    }
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::ProgramTest, Nothing)
#include "program_test.moc"
