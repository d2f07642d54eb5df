// SPDX-License-Identifier: GPL-3.0-or-later
// The window here, the GPU there: WorkerClient drives `ssh HOST tileloom worker` through a real
// sshd, with the fake GPU at its other end.
#include <signal.h>

#include <QtTest>

#include "app/services/measuring/worker_client.h"
#include "kernels/gpu/compile/compile_ahead.h"
#include "tests/app/ear.h"
#include "tests/app/local_sshd.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::Ear;

class SshWorkerTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::LocalSshd> m_sshd;

  static worker::CompileRequest compilation(const char* id) {
    const Stage& s = test::stage(id);
    return {{standardSubject(s), defaultArchitecture()}};
  }
  static worker::MeasureRequest small(const char* id = "naive") {
    const Stage& s = test::stage(id);
    worker::MeasureRequest request{{standardSubject(s), {128, 128, 128}}, 0, {}};
    request.options.budgetMs = 50;
    request.options.minRounds = 3;
    request.options.maxRounds = 5;
    return request;
  }
  static worker::MeasureRequest endless() {
    worker::MeasureRequest request = small();
    request.options.budgetMs = request.options.limitMs = 600000;
    request.options.maxRounds = 100000;
    request.options.spread = 0;
    return request;
  }

  QStringList toWorker() const { return m_sshd->ssh("gpu", {"tileloom", "worker"}); }

  // A worker and its processes that compile ahead.
  static qsizetype processes() { return 1 + gpu::CompileAhead::usualProcesses(); }

 private slots:
  void initTestCase() {
    const QString why = test::LocalSshd::whyNot();
    if (!why.isEmpty()) QSKIP(qPrintable("NO WORKER WAS DRIVEN THROUGH SSH: " + why));
    m_sshd = std::make_unique<test::LocalSshd>();
    const QString trouble = m_sshd->start();
    QVERIFY2(trouble.isEmpty(), qPrintable(trouble));
  }
  void cleanupTestCase() { m_sshd.reset(); }

  void helloCompileAndMeasure() {
    WorkerClient client(toWorker());
    Ear ear(client);
    client.start();
    QTRY_COMPARE(ear.ready.count(), 1);
    QVERIFY(client.info()->canMeasure());
    QCOMPARE(test::q(client.info()->devices[0].name), QStringLiteral("Fake H100"));
    const int compiled = ear.compile(compilation("warptiled"), "tile");
    const int measured = ear.measure(small("warptiled"), "run");
    QTRY_COMPARE(ear.compiled.size() + ear.measured.size(), std::size_t{2});
    QCOMPARE(ear.compiled[0].first, compiled);
    QCOMPARE(ear.compiled[0].second.resources.registers, 64);
    QCOMPARE(ear.measured[0].first, measured);
    QCOMPARE(test::q(ear.measured[0].second.stage), "warptiled");
    QVERIFY(ear.progress >= 1);
    QVERIFY(ear.failures.empty());
    QCOMPARE(ear.died.count(), 0);
    QVERIFY(client.commandText().contains("gpu tileloom worker"));
  }

  void nothingStaysBehind_data() {
    QTest::addColumn<bool>("measuring");
    QTest::newRow("idle") << false;
    QTest::newRow("in a measurement") << true;
  }
  // The window is closed: the worker at the other end goes too.
  void nothingStaysBehind() {
    QFETCH(bool, measuring);
    auto client = std::make_unique<WorkerClient>(toWorker());
    auto ear = std::make_unique<Ear>(*client);
    client->start();
    QTRY_COMPARE(ear->ready.count(), 1);
    if (measuring) ear->measure(endless(), "run");
    QTRY_VERIFY(!measuring || ear->progress >= 1);
    const QList<pid_t> there = m_sshd->descendants("tileloom");
    QCOMPARE(there.size(), processes());
    ear.reset();
    client.reset();
    for (const pid_t each : there) QTRY_VERIFY(test::LocalSshd::isGone(each));
    QTRY_VERIFY(m_sshd->descendants().isEmpty());
  }

  void cut_data() {
    QTest::addColumn<QByteArray>("what");
    QTest::addColumn<QStringList>("said");
    QTest::newRow("the server's end of the connection")
        << QByteArray("sshd") << QStringList{"exit status 255", "closed by remote host"};
    QTest::newRow("the worker there")
        << QByteArray("tileloom") << QStringList{"ended with exit status"};
    QTest::newRow("ssh here") << QByteArray() << QStringList{"killed"};
  }
  // During a measurement: that one fails, everything else goes on, and no second worker stays at
  // the GPU.
  void cut() {
    QFETCH(QByteArray, what);
    QFETCH(QStringList, said);
    WorkerClient client(toWorker());
    Ear ear(client);
    client.start();
    const int id = ear.measure(endless(), "run");
    const int waiting = ear.measure(small("shared"), "next");
    QTRY_VERIFY(ear.progress >= 1);
    const QList<pid_t> before = m_sshd->descendants("tileloom");
    QCOMPARE(before.size(), processes());
    if (what.isEmpty()) {
      QCOMPARE(::kill(static_cast<pid_t>(client.processId()), SIGKILL), 0);
    } else {
      const QList<pid_t> victims = m_sshd->descendants(what.constData());
      QVERIFY(!victims.isEmpty());
      for (const pid_t victim : victims) ::kill(victim, SIGKILL);
    }
    QTRY_COMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QVERIFY(ear.failures[0].second.trouble == Trouble::Lost);
    const QString sentence = test::q(ear.failures[0].second.text);
    for (const QString& part : said + QStringList{"tileloom worker"})
      QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\n') && sentence.size() < 600, qPrintable(sentence));
    QCOMPARE(ear.died.count(), 1);
    QTRY_COMPARE(ear.measured.size(), std::size_t{1});
    QCOMPARE(ear.measured[0].first, waiting);
    QCOMPARE(ear.ready.count(), 2);
    ear.compile(compilation("naive"), "after");
    QTRY_COMPARE(ear.compiled.size(), std::size_t{1});
    for (const pid_t each : before) QTRY_VERIFY(test::LocalSshd::isGone(each));
    QCOMPARE(m_sshd->descendants("tileloom").size(), processes());
  }

  // What the GPU there does to its worker arrives in the worker's words, not in ssh's.
  void troubleAtTheGpu() {
    WorkerClient client(m_sshd->ssh(
        "gpu", {"env", "TILELOOM_FAKE=only=naive,illegal-address", "tileloom", "worker"}));
    Ear ear(client);
    client.start();
    const int id = ear.measure(small("naive"), "run");
    QTRY_COMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QVERIFY(ear.failures[0].second.trouble == Trouble::Lost);
    QTRY_COMPARE(ear.died.count(), 1);
    QVERIFY2(ear.lastWords().contains(test::q(ear.failures[0].second.text)),
             qPrintable(ear.lastWords()));
    ear.measure(small("shared"), "run");
    QTRY_COMPARE(ear.measured.size(), std::size_t{1});
  }

  void noWorkerThere_data() {
    QTest::addColumn<QString>("host");
    QTest::addColumn<QStringList>("remote");
    QTest::addColumn<QStringList>("said");
    const auto row = [](const char* what, const char* host, const QStringList& remote,
                        const QStringList& said) {
      QTest::newRow(what) << QString(host) << remote << said;
    };
    const QStringList good = {"tileloom", "worker"};
    row("a key that opens nothing", "stranger", good, {"Permission denied", "status 255"});
    row("another host's key", "impostor", good, {"Host key verification failed", "status 255"});
    row("nothing listens", "deaf", good, {"Connection refused", "status 255"});
    row("no such program", "gpu", {"tileloom-of-nobody", "worker"},
        {"tileloom-of-nobody: ", "not found", "status 127"});
    row("no such command", "gpu", {"tileloom", "wrker"}, {"wrker", "status 2"});
    row("a shell that greets", "gpu", {"echo Welcome to gpu7; tileloom worker"},
        {"sent an unexpected message", "Welcome to gpu7"});
  }
  // The sentence carries what ssh or the machine there says; after some attempts the client gives
  // up.
  void noWorkerThere() {
    QFETCH(QString, host);
    QFETCH(QStringList, remote);
    QFETCH(QStringList, said);
    WorkerClient client(m_sshd->ssh(host, remote));
    Ear ear(client);
    const int id = ear.measure(small(), "run");
    client.start();
    QTRY_VERIFY(ear.died.count() >= 1);
    const QString sentence = ear.died[0][0].toString();
    for (const QString& part : said) QVERIFY2(sentence.contains(part), qPrintable(sentence));
    QVERIFY2(!sentence.contains('\n'), qPrintable(sentence));
    QTRY_VERIFY(client.gaveUp());
    QCOMPARE(ear.failures.size(), std::size_t{1});
    QCOMPARE(ear.failures[0].first, id);
    QCOMPARE(ear.ready.count(), 0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SshWorkerTest, EventLoop)
#include "ssh_worker_test.moc"
