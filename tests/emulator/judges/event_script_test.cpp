// SPDX-License-Identifier: GPL-3.0-or-later
// The two ways to test a judge: with a few events, and with a rung.
#include "tests/support/event_script.h"

#include <QtTest>

#include "kernels/emulator/run.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator::judges {

class EventScriptTest : public QObject {
  Q_OBJECT

 private slots:
  void judgesSeeTheEventsOfAScript() {
    EventScript script(Order::Intervals);
    script.store(3, 7, 4);
    QVERIFY(script.faults().empty());
    script.load(40, 7, 5);  // without a barrier
    QCOMPARE(script.faults().total, 1u);
  }

  void theJudgesOfARungAreReadAtItsEnd() {
    Workspace workspace;
    TraceRequest request;
    const Stage& stage = test::stage("tma");
    request.subject() = standardSubject(stage);
    request.problem = {256, 256, 256};
    std::size_t boxes = 0, calls = 0;
    const Trace trace = traceBlock(workspace, request, [&](const Judges& judges) {
      boxes = judges.requests().boxes.size();
      ++calls;
    });
    QCOMPARE(calls, 1u);
    QVERIFY(boxes > 0);
    QCOMPARE(boxes, trace.boxes.size());
  }
};

}  // namespace tileloom::emulator::judges

TILELOOM_TEST(tileloom::emulator::judges::EventScriptTest, Nothing)
#include "event_script_test.moc"
