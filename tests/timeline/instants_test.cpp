// SPDX-License-Identifier: GPL-3.0-or-later
// When instructions are issued: for each of them the same as in the spans of the timeline.
#include "kernels/timeline/instants.h"

#include <QtTest>

#include "kernels/emulator/run.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class InstantsTest : public QObject {
  Q_OBJECT

 private slots:
  void asTheSpansHaveIt_data() {
    QTest::addColumn<QString>("stage");
    for (const char* id : {"naive", "padded", "async", "mmaring", "overlapped"})
      QTest::newRow(id) << QString(id);
  }
  void asTheSpansHaveIt() {
    const Stage& stage = test::stage(QTest::currentDataTag());
    emulator::Workspace workspace;
    emulator::TraceRequest request;
    request.subject() = standardSubject(stage);
    request.problem = {512, 512, 1024};
    request.kTiles = 3;
    request.operands = false;
    const BlockProgram block = programOf(emulator::traceBlock(workspace, request));
    Costs costs;
    costs.l2Bytes = 64;
    costs.sectorCycles = 1;
    costs.mmaCycles = 6.5;
    costs.memoryLatency = 479;
    costs.l1Latency = 41;
    costs.sharedLatency = 29;
    costs.fmaLatency = 4;
    costs.mmaLatency = 33;
    costs.barrierLatency = 30;
    costs.productCyclesPerColumn = 0.5;
    const auto timeline = simulate(block, costs);
    QVERIFY2(timeline.has_value(), timeline ? "" : timeline.error().c_str());
    for (const std::uint32_t warp : {0u, static_cast<std::uint32_t>(block.warps.size()) - 1}) {
      const Program& program = block.warps[warp];
      const std::vector<double> at = instants(*timeline, program, warp);
      QCOMPARE(at.size(), program.byInstruction.size());
      for (std::uint32_t i = 0; i < at.size(); ++i) {
        const std::uint32_t first = program.operations[program.operationOf(i)].first;
        const Span* span = timeline->spanOf(warp, first);
        QVERIFY(span != nullptr && at[i] >= span->begin && at[i] <= span->end);
        // The first one of a span is issued when it begins.
        if (i == span->first) QCOMPARE(at[i], span->begin);
      }
      QVERIFY(at.back() > at.front());
    }
    QVERIFY(instants(*timeline, block.warps[0], 99).empty());  // no such warp
    QVERIFY(instants(*timeline, Program(), 0).empty());
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::InstantsTest, Nothing)
#include "instants_test.moc"
