// SPDX-License-Identifier: GPL-3.0-or-later
// Workers that want to harm, or are broken in any way: the window stays usable beside them, every
// request has one outcome, and what was measured is kept.
#include <time.h>

#include <QSignalSpy>
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "app/services/measuring/worker_client.h"
#include "app/window/main_window.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::Surroundings;

class HostileWorkerTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static QStringList evil(const QString& kind, const QString& argument = {}) {
    return {QStringLiteral(TILELOOM_EVIL_WORKER), kind, argument};
  }

  static double residentMb() {
    std::ifstream file("/proc/self/statm");
    double size = 0, resident = 0;
    file >> size >> resident;
    return resident * 4096 / 1e6;
  }

  static double computedSeconds() {
    timespec t{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
  }

  static worker::MeasureRequest small(const Stage& stage) {
    worker::MeasureRequest request{{standardSubject(stage), {128, 128, 128}}, 0, {}};
    request.options.limitMs = 1;
    return request;
  }

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void theWindowStaysUsable_data() {
    QTest::addColumn<QString>("kind");
    for (const char* kind :
         {"deep-id", "deep-method", "deep-params", "deep-result", "deep-error", "bad-method",
          "float-id", "negative-id", "huge-id", "html", "escape", "no-utf8", "no-object",
          "many-values", "endless", "stderr", "silent", "flood"})
      QTest::newRow(kind) << QString(kind);
  }
  void theWindowStaysUsable() {
    QFETCH(QString, kind);
    MainWindow window({evil(kind), m_around->historyPath(), true});
    window.show();
    const double before = residentMb();
    // The user moves a tile parameter again and again. The longest time without a response is
    // noted, as time that the thread computed, which other processes do not lengthen.
    double longest = 0, last = computedSeconds();
    int turns = 0;
    QTimer user;
    connect(&user, &QTimer::timeout, &window, [&] {
      longest = std::max(longest, computedSeconds() - last);
      last = computedSeconds();
      const int bk = ++turns % 2 == 0 ? 8 : 16;
      window.explorer().setTile(window.explorer().tile().with(Parameter::BK, bk));
    });
    window.explorer().setStage(test::stage("warptiled"));
    user.start(20);
    QTest::qWait(test::briefly() ? 700 : 1500);
    QTRY_VERIFY2(turns >= 5, qPrintable(QString::number(turns)));
    QVERIFY2(longest < 3, qPrintable(QString::number(longest)));
    QVERIFY2(residentMb() - before < 600, qPrintable(QString::number(residentMb() - before)));
    user.stop();
    QTRY_VERIFY(!window.explorer().scene().stale && window.explorer().scene().ready());
    QVERIFY(!window.lab().trouble().contains('\n'));
  }

  // Each request ends once: with an answer, or with one failure.
  void aThousandFaults() {
    // A thousand take minutes: only with TILELOOM_TEST_FAULTS.
    const int given = qEnvironmentVariableIntValue("TILELOOM_TEST_FAULTS");
    const int wanted = given > 0 ? given : test::briefly() ? 60 : 150;
    WorkerClient client(evil("random", QString::number(test::seed())));
    client.setPatience(150, 150, 150);
    std::map<std::size_t, int> outcomes;  // by the number of the request
    int deaths = 0;
    connect(&client, &WorkerClient::died, &client, [&](const QString& sentence) {
      ++deaths;
      QVERIFY(sentence.size() < 700 && !sentence.contains('\n'));
      // After some deaths in a row it waits for the user, who tries again.
      if (client.gaveUp()) QTimer::singleShot(0, &client, &WorkerClient::restart);
    });
    client.start();
    const Stage& stage = test::stage("naive");
    std::size_t asked = 0;
    while (deaths < wanted) {
      // Each with its own tag, so that none replaces another.
      const std::size_t number = asked++;
      const QString tag = QString::number(number);
      const auto ended = [&outcomes, number](const auto&) { ++outcomes[number]; };
      if (number % 2 == 0) {
        client.measure(small(stage), tag, &client, ended);
      } else {
        client.compile(
            {{standardSubject(stage), defaultArchitecture()}}, tag,
            number % 3 == 0 ? WorkerClient::Urgency::Soon : WorkerClient::Urgency::Background,
            &client, ended);
      }
      QTRY_VERIFY(outcomes.size() + 3 > asked);
    }
    QTRY_COMPARE(outcomes.size(), asked);
    QTest::qWait(50);
    for (const auto& [number, times] : outcomes) QCOMPARE(times, 1);
    QVERIFY(asked >= static_cast<std::size_t>(wanted));
  }

  // A run of a kernel that was not requested is neither shown nor kept.
  void aRunOfAnotherKernelIsRefused() {
    Lab lab({evil("another"), m_around->historyPath(), true});
    const Stage& stage = test::stage("warptiled");
    lab.choose(standardSubject(stage), {256, 256, 256});
    QTRY_VERIFY(lab.trouble().contains("another kernel"));
    for (const HistoryPoint& p : lab.history()) QVERIFY(p.rung() == &stage && !p.gflops.known());
    QVERIFY(!std::filesystem::exists(m_around->historyPath()) ||
            runs::readRuns(m_around->historyPath())->runs.empty());
    lab.choose(usualSubject(stage, stage.standardTile().with(Parameter::BK, 8)),
               {256, 256, 256});  // and it goes on
    QTRY_VERIFY(lab.trouble().contains("another kernel"));
  }

  // What was measured between the faults is in the history, each line whole.
  void noRunIsLost() {
    Lab lab({evil("hasty", QString::number(test::seed() + 1)), m_around->historyPath(), true});
    const Stage& stage = test::stage("warptiled");
    int measured = 0;
    const int wanted = test::briefly() ? 2 : 5;
    for (int i = 0; measured < wanted && i < 300; ++i) {
      lab.choose(usualSubject(stage, stage.standardTile().with(Parameter::BK, i % 2 == 0 ? 8 : 16)),
                 {64 * (i + 1), 64, 64});
      const auto done = [&] {
        if (lab.current() < 0) return false;
        if (lab.gaveUp()) lab.restartWorker();
        const HistoryPoint& p = lab.history().at(static_cast<std::size_t>(lab.current()));
        return p.gflops.known() && !p.measuring;
      };
      if (QTest::qWaitFor(done, 1000)) ++measured;
    }
    const auto kept = runs::readRuns(m_around->historyPath());
    QVERIFY(kept.has_value());
    QCOMPARE(kept->broken, std::size_t{0});
    QVERIFY2(static_cast<int>(kept->runs.size()) >= measured,
             qPrintable(QString("%1 kept, %2 seen").arg(kept->runs.size()).arg(measured)));
    QCOMPARE(measured, wanted);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::HostileWorkerTest, Window)
#include "hostile_worker_test.moc"
