// SPDX-License-Identifier: GPL-3.0-or-later
// The times of a main loop, from a worker with the fake GPU.
#include "app/services/measuring/loop_timing.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/tile/parameters.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;
using test::Surroundings;

class LoopTimingTest : public QObject {
  Q_OBJECT

  // A fixture of the rewriter's tests.
  static Subject small() {
    const Stage& s = stage("rewritten");
    return usualSubject(s, s.standardTile()
                               .with(Parameter::BM, 64)
                               .with(Parameter::BN, 64)
                               .with(Parameter::WM, 32)
                               .with(Parameter::WN, 32));
  }

 private slots:
  void theyAreMeasuredOnce() {
    const Surroundings around;
    Surroundings::fakeGpu(
        "sms=1,registers=200,static=150000,memory=64M,jitter=0,rate=rewritten:100,clock=1500,"
        "polls=0,cubin=" TILELOOM_SOURCE_DIR "/tests/rewrite/fixtures/small.cubin");
    WorkerClient client(Surroundings::worker());
    LoopTiming timing(client);
    const QSignalSpy changed(&timing, &LoopTiming::changed);
    QVERIFY(!timing.of(small()) && !timing.measuring());
    client.start();
    timing.measure(small());
    timing.measure(small());  // one is in progress
    QVERIFY(timing.measuring());
    QCOMPARE(changed.size(), 1);
    QTRY_VERIFY(!timing.measuring());
    QCOMPARE(changed.size(), 2);
    QVERIFY2(timing.trouble().isEmpty(), qPrintable(timing.trouble()));
    QVERIFY(timing.of(small()));
    QVERIFY(!client.busy());
  }

  void whatFailsIsTold() {
    const Surroundings around;
    Surroundings::fakeGpu("jitter=0");
    WorkerClient client(Surroundings::worker());
    LoopTiming timing(client);
    client.start();
    timing.measure(standardSubject(stage("naive")));
    QTRY_VERIFY(!timing.measuring());
    QVERIFY2(timing.trouble().startsWith("Nothing was measured: "), qPrintable(timing.trouble()));
    timing.measure(small());
    QVERIFY(timing.trouble().isEmpty());  // of the attempt before
  }

  void recordedOnesAreKnown() {
    WorkerClient client;
    const LoopTiming timing(client);
    QVERIFY(timing.of(standardSubject(stage("rewritten"))));
    QVERIFY(!timing.of(standardSubject(stage("naive"))));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoopTimingTest, EventLoop)
#include "loop_timing_test.moc"
