// SPDX-License-Identifier: GPL-3.0-or-later
// The real worker on the fake GPU, driven by the window's client: each failure there becomes one
// sentence and a new worker that can do the next thing.
#include <signal.h>

#include <QTemporaryDir>
#include <QtTest>

#include "app/services/measuring/worker_client.h"
#include "tests/app/ear.h"
#include "tests/gpu/fake.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::Ear;

class WorkerFaultsTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_cache;

  static worker::MeasureRequest small(const char* stage = "naive") {
    const Stage& s = test::stage(stage);
    worker::MeasureRequest request{{standardSubject(s), {128, 128, 128}}, 0, {}};
    request.options.budgetMs = 50;
    request.options.minRounds = 3;
    request.options.maxRounds = 5;
    request.options.limitMs = 500;
    return request;
  }

  static QStringList program() {
    return {QStringLiteral(TILELOOM_PROGRAM), QStringLiteral("worker")};
  }

  void behave(const char* behaviours) {
    for (const char* variable : {"TILELOOM_LIBCUDA", "TILELOOM_CUBLAS", "TILELOOM_CUBLASLT",
                                 "TILELOOM_NVML", "TILELOOM_NVRTC"}) {
      qputenv(variable, TILELOOM_FAKE_CUDA);
    }
    qputenv("TILELOOM_FAKE", behaviours);
    qputenv("TILELOOM_CACHE", m_cache.path().toUtf8());
    // The fake is in the worker; a sanitizer's runtime must not reject the plain library.
    qputenv("ASAN_OPTIONS", "detect_leaks=0:verify_asan_link_order=0");
  }

  // After its client has lost a worker: the next one compiles again.
  void goesOn(Ear& ear) {
    const auto before = ear.compiled.size();
    const Stage& stage = test::stage("naive");
    ear.compile({{standardSubject(stage), defaultArchitecture()}}, QStringLiteral("after"));
    QTRY_COMPARE(ear.compiled.size(), before + 1);
  }

 private slots:
  void aRunIsMeasuredAndTold() {
    behave("");
    WorkerClient client(program());
    Ear ear(client);
    client.start();
    QTRY_COMPARE(ear.ready.count(), 1);
    QVERIFY(client.info()->canMeasure());
    ear.measure(small(), QStringLiteral("now"));
    QTRY_COMPARE(ear.measured.size(), std::size_t{1});
    QVERIFY(ear.progress >= 1);
    QVERIFY(ear.failures.empty());
    QCOMPARE(ear.died.count(), 0);
  }

  void whatTheGpuDoes_data() {
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<QString>("trouble");  // of the request
    QTest::addColumn<bool>("deadly");
    QTest::newRow("illegal address") << QByteArray("illegal-address") << "lost" << true;
    QTest::newRow("a kernel that never ends") << QByteArray("hang=launch") << "timed-out" << true;
    QTest::newRow("the worker aborts") << QByteArray("abort=launch") << "lost" << true;
    QTest::newRow("a wrong result") << QByteArray("wrong=17") << "wrong-result" << false;
    QTest::newRow("NaN in the result") << QByteArray("nan=5") << "wrong-result" << false;
    QTest::newRow("out of memory") << QByteArray("memory=64K") << "out-of-memory" << false;
  }
  void whatTheGpuDoes() {
    QFETCH(QByteArray, behaviour);
    QFETCH(QString, trouble);
    QFETCH(bool, deadly);
    behave(behaviour.constData());
    WorkerClient client(program());
    Ear ear(client);
    client.start();
    QTRY_COMPARE(ear.ready.count(), 1);
    const int id = ear.measure(small(), QStringLiteral("now"));
    QTRY_COMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QCOMPARE(test::q(name(ear.failures[0].second.trouble)), trouble);
    QVERIFY(!ear.failures[0].second.text.empty());
    if (deadly) {
      QTRY_VERIFY(ear.died.count() >= 1);
      QTRY_COMPARE(ear.ready.count(), 2);
    } else {
      QCOMPARE(ear.died.count(), 0);
    }
    goesOn(ear);
  }

  void killedWhileIdleAndWhileBusy() {
    behave("");
    WorkerClient client(program());
    Ear ear(client);
    client.start();
    QTRY_COMPARE(ear.ready.count(), 1);
    QCOMPARE(::kill(static_cast<pid_t>(client.processId()), SIGKILL), 0);
    QTRY_COMPARE(ear.ready.count(), 2);
    QVERIFY(ear.failures.empty());  // nothing was lost

    worker::MeasureRequest endless = small();
    endless.options.budgetMs = 600000;
    endless.options.maxRounds = 100000;
    endless.options.spread = 0;
    const int id = ear.measure(endless, QStringLiteral("now"));
    const int waiting = ear.measure(small("shared"), QStringLiteral("next"));
    QTRY_VERIFY(ear.progress >= 1);
    QCOMPARE(::kill(static_cast<pid_t>(client.processId()), SIGKILL), 0);
    QTRY_COMPARE(ear.measured.size(), std::size_t{1});
    QCOMPARE(ear.measured[0].first, waiting);
    QCOMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QVERIFY(ear.failures[0].second.trouble == Trouble::Lost);
    QVERIFY2(ear.died.last()[0].toString().contains("killed"),
             qPrintable(ear.died.last()[0].toString()));
  }

  void aNewerRequestTakesTheOldOnesPlace() {
    behave("");
    WorkerClient client(program());
    Ear ear(client);
    client.start();
    worker::MeasureRequest endless = small();
    endless.options.budgetMs = 600000;
    endless.options.maxRounds = 100000;
    endless.options.spread = 0;
    ear.measure(endless, QStringLiteral("now"));
    QTRY_VERIFY(ear.progress >= 1);
    ear.measure(small("coalesced"), QStringLiteral("now"));
    const int last = ear.measure(small("shared"), QStringLiteral("now"));
    QTRY_COMPARE(ear.measured.size(), std::size_t{1});
    QCOMPARE(ear.measured[0].first, last);
    QVERIFY(ear.failures.empty());
    QTRY_VERIFY(!client.busy());
  }

  // A cancelled request, and one whose asker is deleted, are answered to nobody.
  void whoIsGoneHearsNothing() {
    behave("");
    WorkerClient client(program());
    Ear ear(client);
    auto gone = std::make_unique<Ear>(client);
    client.start();
    worker::MeasureRequest endless = small();
    endless.options.budgetMs = 600000;
    endless.options.maxRounds = 100000;
    endless.options.spread = 0;
    ear.measure(endless, QStringLiteral("cancelled"));
    gone->measure(small("coalesced"), QStringLiteral("of one who is deleted"));
    const int last = ear.measure(small("shared"), QStringLiteral("last"));
    QTRY_VERIFY(ear.progress >= 1);
    gone.reset();
    client.cancel(QStringLiteral("cancelled"));
    QTRY_VERIFY(!client.busy());
    QVERIFY(ear.failures.empty());
    QCOMPARE(ear.measured.size(), std::size_t{1});
    QCOMPARE(ear.measured[0].first, last);
  }

  // In the middle of a measurement.
  void anAskerIsDeletedWhileItIsAnswered() {
    behave("");
    WorkerClient client(program());
    auto asker = std::make_unique<QObject>();
    int answers = 0, progress = 0;
    worker::MeasureRequest several = small();
    several.options.minRounds = 5;
    client.measure(
        several, QStringLiteral("now"), asker.get(),
        [&](const Result<WorkerClient::Measured>&) { ++answers; },
        [&](const runs::RunRecord&) {
          ++progress;
          asker.reset();
        });
    client.start();
    QTRY_COMPARE(progress, 1);
    QTRY_VERIFY(!client.busy());
    QCOMPARE(progress, 1);
    QCOMPARE(answers, 0);
  }

  // No worker is started any more: the requests fail, but not those that a failure cancels.
  void aFailureMayCancelTheOthers() {
    WorkerClient client({QStringLiteral("/nowhere/tileloom"), QStringLiteral("worker")});
    QObject asker;
    std::vector<int> failed;
    for (int i = 0; i < 3; ++i) {
      client.measure(small(), QString::number(i), &asker,
                     [&, i](const Result<WorkerClient::Measured>& answer) {
                       QVERIFY(!answer && answer.error().trouble == Trouble::Lost);
                       failed.push_back(i);
                       client.cancel(QStringLiteral("1"));
                     });
    }
    client.start();
    QTRY_VERIFY(client.gaveUp());
    QTRY_VERIFY(!client.busy());
    QCOMPARE(failed, (std::vector<int>{0, 2}));
  }

  void whatIsNoWorker_data() {
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("said");
    QTest::newRow("rubbish") << "echo this is not JSON; sleep 60"
                             << "unexpected message";
    QTest::newRow("half a line") << "printf '{\"jsonrpc\": \"2.'; exit 0"
                                 << "exit status 0";
    QTest::newRow("a line without end") << "head -c 3000000 /dev/zero | tr '\\0' x; sleep 60"
                                        << "unexpected message";
    QTest::newRow("an id nested 400,000 deep")
        << "printf '{\"id\":'; head -c 400000 /dev/zero | tr '\\0' '['; "
           "head -c 400000 /dev/zero | tr '\\0' ']'; echo ',\"result\":0}'; sleep 60"
        << "unexpected message";
    QTest::newRow("says why") << "echo no such device >&2; exit 7"
                              << "no such device";
    QTest::newRow("a hello of another kind")
        << "read l; echo '{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocol\":99}}'; sleep 60"
        << "protocol 99";
    QTest::newRow("silence") << "sleep 60"
                             << "did not answer";
    QTest::newRow("no UTF-8") << "printf '\\377\\376\\n'; sleep 60"
                              << "unexpected message";
  }
  // The same each time: after five attempts the client says so and waits for the user.
  void whatIsNoWorker() {
    QFETCH(QString, script);
    QFETCH(QString, said);
    WorkerClient client({QStringLiteral("/bin/sh"), QStringLiteral("-c"), script});
    client.setPatience(300, 1000, 1000);
    Ear ear(client);
    const int id = ear.measure(small(), QStringLiteral("now"));
    client.start();
    QTRY_VERIFY(client.gaveUp());
    QVERIFY2(ear.died[0][0].toString().contains(said), qPrintable(ear.died[0][0].toString()));
    QCOMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QCOMPARE(ear.ready.count(), 0);
    client.restart();
    QVERIFY(!client.gaveUp());
  }

  void aProgramThatIsNotThere() {
    WorkerClient client({QStringLiteral("/nowhere/tileloom"), QStringLiteral("worker")});
    Ear ear(client);
    client.start();
    QTRY_VERIFY(client.gaveUp());
    QVERIFY2(ear.died[0][0].toString().contains("could not be started"),
             qPrintable(ear.died[0][0].toString()));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WorkerFaultsTest, EventLoop)
#include "worker_faults_test.moc"
