// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording says about its kernel is what its rung is.
#include <QtTest>

#include "kernels/emulator/run.h"
#include "tests/support/test_class.h"

namespace tileloom::emulator {

class FeaturesTest : public QObject {
  Q_OBJECT

 private slots:
  void ofEachRung_data() {
    QTest::addColumn<const Stage*>("stage");
    for (const Stage* stage : everyStage()) QTest::newRow(stage->id.data()) << stage;
  }
  void ofEachRung() {
    QFETCH(const Stage*, stage);
    TraceRequest request{{standardSubject(*stage), {1024, 1024, 1024}}};
    request.kTiles = 2;
    request.operands = false;
    const Trace trace = traceBlock(workspace_, request);
    QVERIFY(trace.features() == stage->features());
    QCOMPARE(trace.mma(), stage->mma());
  }

  // A trace that covers no whole K tile has the same features.
  void withOneElementOfK() {
    TraceRequest request{{standardSubject(*stageNamed("warptiled").value()), {128, 128, 1}}};
    QVERIFY(traceBlock(workspace_, request).features().sharedTiles);
  }

 private:
  Workspace workspace_;
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::FeaturesTest, Nothing)
#include "features_test.moc"
