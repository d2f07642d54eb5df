// SPDX-License-Identifier: GPL-3.0-or-later
// Recording away from the GUI thread: the newest request is answered, and outdated ones are not.
#include "app/services/choice/trace_service.h"

#include <QThread>
#include <QtTest>
#include <map>

#include "kernels/analysis/recording.h"
#include "kernels/emulator/shared_words.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using RecordingPointer = std::shared_ptr<const analysis::Recording>;

class TraceServiceTest : public QObject {
  Q_OBJECT

  struct Answer {
    RecordingPointer recording;
    quint64 tag = 0;
    bool guiThread = false;
  };

  static emulator::TraceRequest requestFor(int n) {
    const Stage& stage = test::stage("warptiled");
    return {{standardSubject(stage), {128 * n, 128, 64}}, {0, 0}, 2};
  }

  static void listen(TraceService& service, std::vector<Answer>& answers) {
    connect(
        &service, &TraceService::recorded, &service,
        [&answers](const RecordingPointer& recording, quint64 tag) {
          answers.push_back(
              {recording, tag, QThread::currentThread() == QCoreApplication::instance()->thread()});
        });
  }

 private slots:
  void answersComeOnTheGuiThread() {
    TraceService service;
    std::vector<Answer> answers;
    listen(service, answers);
    QVERIFY(!service.busy());
    const quint64 tag = service.request(requestFor(1));
    QVERIFY(service.busy());
    QVERIFY(answers.empty());  // never within the request
    QTRY_COMPARE(answers.size(), std::size_t{1});
    QCOMPARE(answers[0].tag, tag);
    QVERIFY(answers[0].guiThread);
    QVERIFY(!service.busy());
    QVERIFY((answers[0].recording->trace.asked == Problem{128, 128, 64}));
    QCOMPARE(answers[0].recording->trace.kTilesTraced, 2u);
  }

  // The memory that traces leave for the next one is bounded for all services together, and freed
  // when they rest.
  void whatIsKeptForTheNextTraceIsBounded() {
    TraceService first, second;
    std::vector<Answer> answers;
    listen(first, answers);
    listen(second, answers);
    for (int i = 1; i <= 6; ++i) {
      first.request(requestFor(i));
      second.request(requestFor(i));
      QTRY_COMPARE(answers.size(), std::size_t(2 * i));
    }
    answers.clear();
    QVERIFY(emulator::freeSharedBytes() > 0);
    QVERIFY(emulator::freeSharedBytes() <= emulator::mostFreeSharedBytes());
    QTRY_COMPARE(emulator::freeSharedBytes(), std::size_t{0});
    // And it continues after its rest.
    first.request(requestFor(2));
    QTRY_COMPARE(answers.size(), std::size_t{1});
  }

  void newerReplacesOlder() {
    TraceService service;
    std::vector<Answer> answers;
    listen(service, answers);
    quint64 last = 0;
    constexpr int kRequests = 200;
    for (int n = 1; n <= kRequests; ++n) last = service.request(requestFor(n));
    QTRY_VERIFY(!service.busy());
    QCOMPARE(answers.size(), std::size_t{1});  // the event loop ran only after the last request
    QCOMPARE(answers[0].tag, last);
    QCOMPARE(answers[0].recording->trace.asked.m, 128 * kRequests);
  }

  // With the event loop running in between, some are answered: each with its own tag, in order.
  void answersMatchTheirRequests() {
    TraceService service;
    std::vector<Answer> answers;
    listen(service, answers);
    std::map<quint64, int> asked;
    for (int n = 1; n <= 60; ++n) {
      asked[service.request(requestFor(n))] = 128 * n;
      if (n % 3 == 0) QTest::qWait(1);
      for (const Answer& a : answers) QVERIFY(a.tag <= asked.rbegin()->first);
    }
    QTRY_VERIFY(!service.busy());
    QVERIFY(!answers.empty());
    quint64 before = 0;
    for (const Answer& a : answers) {
      QVERIFY(a.tag > before);
      before = a.tag;
      QCOMPARE(a.recording->trace.asked.m, asked.at(a.tag));
    }
    QCOMPARE(before, asked.rbegin()->first);
  }

  void cancelledIsNeverAnswered() {
    TraceService service;
    std::vector<Answer> answers;
    listen(service, answers);
    for (int round = 0; round < 20; ++round) {
      const quint64 dropped = service.request(requestFor(2));
      if (round % 2 == 1)
        QThread::usleep(400);  // now it runs, or is done and its answer is waiting
      service.cancel();
      QVERIFY(!service.busy());
      const quint64 wanted = service.request(requestFor(3));
      QVERIFY(wanted > dropped);
      QTRY_VERIFY(!service.busy());
      QCOMPARE(answers.back().tag, wanted);
    }
    QCOMPARE(answers.size(), std::size_t{20});
    for (const Answer& a : answers) QCOMPARE(a.recording->trace.asked.m, 3 * 128);
    service.cancel();
    service.cancel();
    QVERIFY(!service.busy());
  }

  void endingWhileItWorks() {
    for (int round = 0; round < 10; ++round) {
      std::vector<Answer> answers;
      {
        TraceService service;
        listen(service, answers);
        service.request(requestFor(1));
        if (round % 2 == 1) QThread::usleep(500);
        service.request(requestFor(2));
      }
      QCoreApplication::processEvents();
      QVERIFY(answers.empty());
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TraceServiceTest, EventLoop)
#include "trace_service_test.moc"
