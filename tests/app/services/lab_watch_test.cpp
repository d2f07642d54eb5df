// SPDX-License-Identifier: GPL-3.0-or-later
// The baseline of a comparison on the fake GPU: it is measured too, after the present tile, once.
#include <QSignalSpy>
#include <QtTest>
#include <algorithm>

#include "app/services/measuring/lab.h"
#include "kernels/gpu/compile/build.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::q;
using test::stage;
using test::Surroundings;

// Rounds of naive follow each other for seconds, and agree badly.
constexpr const char* kSlow = "jitter=0.3,rate=naive:4,slow-stage=naive:5";
constexpr Problem kSmall{128, 128, 128};
constexpr int kQuiet = 500;  // ms in which a measurement that is due would have begun

class LabWatchTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  LabSetup setup() const { return {Surroundings::worker(), m_around->historyPath(), true}; }

  static void choose(Lab& lab, const char* id, Problem problem = kSmall) {
    lab.choose(standardSubject(stage(id)), problem);
  }
  static void watch(Lab& lab, const char* id) { lab.watch(standardSubject(stage(id))); }
  static std::optional<HistoryPoint> speed(const Lab& lab, const char* id) {
    return lab.speedOf(standardSubject(stage(id)), kSmall);
  }
  static bool isLive(const Lab& lab, const char* id) {
    const auto point = speed(lab, id);
    return point && point->freshness == Freshness::Live && point->gflops.known();
  }
  std::vector<runs::RunRecord> kept() const {
    const auto file = runs::readRuns(m_around->historyPath());
    return file && file->complaints.empty() ? file->runs : std::vector<runs::RunRecord>{};
  }
  // The stages whose measurements finish, in that order.
  struct Order {
    explicit Order(Lab& lab) {
      connect(&lab.measuring(), &Measuring::done, &lab,
              [this](const Measuring::Asked&, const WorkerClient::Measured& measured) {
                stages += q(measured.run.stage);
              });
      connect(&lab.measuring(), &Measuring::progress, &lab,
              [this](const Measuring::Asked& asked) { latest = q(asked.latest->stage); });
    }
    QStringList stages;
    QString latest;  // received
  };

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void theBaselineIsMeasuredAfterThePresentTile() {
    m_around->fakeGpu("jitter=0,rate=naive:300,rate=warptiled:900,registers=48");
    Lab lab(setup());
    Order order(lab);
    choose(lab, "warptiled");
    watch(lab, "naive");
    QTRY_COMPARE(order.stages, QStringList({"warptiled", "naive"}));
    QVERIFY(isLive(lab, "naive"));
    QVERIFY(std::abs(speed(lab, "naive")->gflops.median - 300) < 1);
    QCOMPARE(speed(lab, "naive")->device, speed(lab, "warptiled")->device);
    QVERIFY(!speed(lab, "naive")->measuring);
    QCOMPARE(lab.kernelOf(standardSubject(stage("naive")))->registers, 48);
    QCOMPARE(lab.history().size(), std::size_t{1});  // it is not a move of the tile parameters
    QCOMPARE(kept().size(), std::size_t{2});

    // Once per session is enough, whatever the present tile does.
    QTest::qWait(kQuiet);
    choose(lab, "shared");
    QTRY_COMPARE(order.stages.size(), 3);
    lab.measureAgain();
    QTRY_COMPARE(order.stages.size(), 4);
    QTest::qWait(kQuiet);
    QCOMPARE(order.stages.count("naive"), 1);
    QVERIFY(!lab.client().busy());
    // At another size it is another figure.
    choose(lab, "shared", {96, 80, 64});
    QTRY_COMPARE(order.stages.count("naive"), 2);
  }

  void aTileThatWasThePresentOneIsNotMeasuredAgain() {
    m_around->fakeGpu("jitter=0");
    Lab lab(setup());
    Order order(lab);
    choose(lab, "naive");
    watch(lab, "naive");  // pinned as it is
    QTRY_COMPARE(order.stages.size(), 1);
    QTest::qWait(kQuiet);
    choose(lab, "shared");
    QTRY_COMPARE(order.stages, QStringList({"naive", "shared"}));
    QTest::qWait(kQuiet);
    QCOMPARE(order.stages.size(), 2);
  }

  // A figure from another day has other clocks, even on the same device.
  void whatWasMeasuredBeforeIsMeasuredInThisSession() {
    runs::RunRecord run = test::madeUpRun();
    run.device = "Fake H100";
    run.stage = "naive";
    run.tile = stage("naive").standardTile();
    run.problem = kSmall;
    run.fingerprint = fingerprintOf(stage("naive"));
    QVERIFY(
        Surroundings::write(m_around->history(), QByteArray::fromStdString(toLine(run)) + '\n'));
    m_around->fakeGpu("jitter=0,rate=naive:300");
    Lab lab(setup());
    Order order(lab);
    const HistoryPoint before = lab.history().front();
    choose(lab, "shared");
    watch(lab, "naive");
    QTRY_COMPARE(order.stages, QStringList({"shared", "naive"}));
    QVERIFY(std::abs(speed(lab, "naive")->gflops.median - 300) < 1);
    QVERIFY(lab.history().front() == before);  // that day's point stays what it was
  }

  void aNewTileGoesFirst() {
    m_around->fakeGpu(kSlow);
    Lab lab(setup());
    Order order(lab);
    choose(lab, "shared");
    watch(lab, "naive");
    QTRY_COMPARE(order.latest, QString("naive"));
    QVERIFY(isLive(lab, "naive"));  // what is known so far
    choose(lab, "coalesced");
    QTRY_COMPARE(order.stages.size(), 3);
    QCOMPARE(order.stages, QStringList({"shared", "coalesced", "naive"}));
  }

  void restCancels() {
    m_around->fakeGpu(kSlow);
    Lab lab(setup());
    Order order(lab);
    int rounds = 0;
    connect(&lab.measuring(), &Measuring::progress, this, [&](const Measuring::Asked& asked) {
      if (asked.latest->stage != "naive") return;
      rounds = asked.latest->rounds;
      if (rounds >= 5) lab.rest();
    });
    choose(lab, "shared");
    watch(lab, "naive");
    QTRY_VERIFY(rounds >= 5);
    QTRY_VERIFY(!lab.client().busy());
    QTest::qWait(kQuiet);
    QVERIFY(!lab.client().busy());
    QCOMPARE(order.stages, QStringList("shared"));
    QCOMPARE(kept().size(), std::size_t{2});  // enough to keep
    QCOMPARE(kept()[1].rounds, rounds);
  }

  void whoStopsComparingStopsMeasuring() {
    m_around->fakeGpu(kSlow);
    Lab lab(setup());
    Order order(lab);
    choose(lab, "shared");
    watch(lab, "naive");
    QTRY_COMPARE(order.latest, QString("naive"));
    lab.watch({});
    QTRY_VERIFY(!lab.client().busy());
    QCOMPARE(order.stages, QStringList("shared"));
    // Another baseline replaces it.
    watch(lab, "coalesced");
    QTRY_COMPARE(order.stages, QStringList({"shared", "coalesced"}));
  }

  void aBaselineThatFailsIsSaidOnce() {
    m_around->fakeGpu("jitter=0,only=naive,wrong=17");
    Lab lab(setup());
    const QSignalSpy failed(&lab.measuring(), &Measuring::failed);
    choose(lab, "shared");
    watch(lab, "naive");
    QTRY_VERIFY(!lab.trouble().isEmpty());
    QVERIFY2(lab.trouble().startsWith("Baseline: ") && lab.trouble().contains("wrong"),
             qPrintable(lab.trouble()));
    QVERIFY(lab.history().back().note.isEmpty());
    QVERIFY(lab.history().back().gflops.known());
    QVERIFY(!isLive(lab, "naive"));
    QTest::qWait(kQuiet);
    choose(lab, "coalesced");
    QTRY_VERIFY(isLive(lab, "coalesced"));
    QTest::qWait(kQuiet);
    QCOMPARE(failed.count(), 1);
    lab.measureAgain();  // the user wants to see it again
    QTRY_COMPARE(failed.count(), 2);
  }

  void withoutAGpuNothingIsAsked() {
    Lab lab(setup());
    QTRY_VERIFY(lab.client().info().has_value());
    choose(lab, "shared");
    watch(lab, "naive");
    QTest::qWait(kQuiet);
    QVERIFY(!lab.client().busy() && !isLive(lab, "naive"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LabWatchTest, EventLoop)
#include "lab_watch_test.moc"
