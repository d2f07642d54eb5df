// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and their outcomes, from a worker with the fake GPU.
#include "app/services/measuring/measuring.h"

#include <QtTest>

#include "app/services/measuring/kernel_requests.h"
#include "kernels/tile/subject.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;
using test::Surroundings;
using Urgency = WorkerClient::Urgency;

constexpr Problem kSize{128, 128, 128};

class MeasuringTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

  static Subject place(const char* id) { return standardSubject(stage(id)); }
  static worker::MeasureRequest request(const char* id) {
    worker::MeasureRequest request{{standardSubject(stage(id)), kSize}, 0, {}};
    request.options.budgetMs = 50;
    request.options.minRounds = Measuring::kFewestRounds;
    return request;
  }
  static worker::MeasureRequest endless(const char* id) {
    worker::MeasureRequest request = MeasuringTest::request(id);
    request.options.budgetMs = 600000;
    request.options.maxRounds = 100000;
    request.options.spread = 0;
    return request;
  }
  // The outcomes, as "done now naive", by the tag and the rung of the request.
  struct Outcomes : QStringList {
    explicit Outcomes(Measuring& measuring) {
      connect(&measuring, &Measuring::done, &measuring,
              [this](const Measuring::Asked& asked, const WorkerClient::Measured& measured) {
                QCOMPARE(measured.run.stage, std::string(asked.place.rung()->id));
                *this += text("done", asked);
              });
      connect(&measuring, &Measuring::failed, &measuring,
              [this](const Measuring::Asked& asked) { *this += text("failed", asked); });
    }
    static QString text(const char* how, const Measuring::Asked& asked) {
      return QStringLiteral("%1 %2 %3").arg(how, asked.tag, test::q(asked.place.rung()->id));
    }
  };

 private slots:
  void init() {
    m_around = std::make_unique<Surroundings>();
    Surroundings::fakeGpu();  // whose times vary, so that a measurement may last
  }

  void aRequestIsUnderWayUntilItIsDone() {
    WorkerClient client(Surroundings::worker());
    Measuring measuring(client);
    const Outcomes outcomes(measuring);
    bool underWay = false;
    connect(&measuring, &Measuring::progress, this, [&](const Measuring::Asked& asked) {
      const auto* now = measuring.underWay("now");
      underWay =
          now != nullptr && now->latest->rounds == asked.latest->rounds &&
          (asked.unfinished() != nullptr) == (asked.latest->rounds >= Measuring::kFewestRounds);
    });
    QVERIFY(measuring.underWay("now") == nullptr);
    measuring.ask("now", request("naive"));
    QVERIFY(measuring.underWay("now") && measuring.underWay("now")->place == place("naive"));
    QVERIFY(!measuring.tried(place("naive"), kSize));
    client.start();
    QTRY_COMPARE(outcomes, QStringList("done now naive"));
    QVERIFY(underWay);
    QVERIFY(measuring.underWay("now") == nullptr);
    QVERIFY(measuring.tried(place("naive"), kSize));
    QVERIFY(!measuring.tried(place("naive"), {1, 1, 1}) &&
            !measuring.tried(place("shared"), kSize));
  }

  void whatIsStoppedGivesWhatWasKnown() {
    WorkerClient client(Surroundings::worker());
    Measuring measuring(client);
    const Outcomes outcomes(measuring);
    QVERIFY(!measuring.stop("now"));
    measuring.ask("now", endless("naive"));
    client.start();
    QTRY_VERIFY(measuring.underWay("now")->unfinished() != nullptr);
    const int rounds = measuring.underWay("now")->latest->rounds;
    const auto stopped = measuring.stop("now");
    QVERIFY(stopped && stopped->unfinished() != nullptr);
    QCOMPARE(stopped->unfinished()->rounds, rounds);
    QVERIFY(measuring.underWay("now") == nullptr);
    QVERIFY(!measuring.tried(place("naive"), kSize));
    QTRY_VERIFY(!client.busy());
    QVERIFY(outcomes.isEmpty());
  }

  // A slot of progress() may stop the measurement.
  void whatIsStoppedInTheMiddle() {
    WorkerClient client(Surroundings::worker());
    Measuring measuring(client);
    const Outcomes outcomes(measuring);
    int times = 0;
    connect(&measuring, &Measuring::progress, this, [&](const Measuring::Asked& asked) {
      ++times;
      QVERIFY(measuring.stop(asked.tag) && asked.latest);
    });
    measuring.ask("now", endless("naive"));
    client.start();
    QTRY_COMPARE(times, 1);
    QTRY_VERIFY(!client.busy());
    QVERIFY(times == 1 && outcomes.isEmpty());
  }

  void aNewerRequestTakesThePlaceOfAnOlder() {
    WorkerClient client(Surroundings::worker());
    Measuring measuring(client);
    const Outcomes outcomes(measuring);
    measuring.ask("now", request("naive"));
    measuring.ask("now", request("shared"));
    client.start();
    QTRY_VERIFY(!client.busy());
    QCOMPARE(outcomes, QStringList("done now shared"));
  }

  void failuresMayBeTriedAgain() {
    Surroundings::fakeGpu("only=naive,wrong=17");
    WorkerClient client(Surroundings::worker());
    Measuring measuring(client);
    const Outcomes outcomes(measuring);
    measuring.ask("a", request("naive"));
    measuring.ask("b", request("vectorized"));
    client.start();
    QTRY_COMPARE(outcomes, QStringList({"failed a naive", "done b vectorized"}));
    QVERIFY(measuring.tried(place("naive"), kSize));
    measuring.forgetFailures();
    QVERIFY(!measuring.tried(place("naive"), kSize));
    QVERIFY(measuring.tried(place("vectorized"), kSize));
  }

  // The number of the rungs that are compiled, in the order of their answers.
  void kernelsAreAskedForOnce() {
    WorkerClient client(Surroundings::worker());
    KernelRequests requests(client);
    QStringList compiled;
    connect(&requests, &KernelRequests::compiled, this,
            [&](const Subject& tile) { compiled += test::q(tile.rung()->id); });
    const Architecture arch = defaultArchitecture();
    requests.ask("registers", place("naive"), arch, Urgency::Soon);
    requests.askNeighbour(place("shared"), arch);
    requests.askNeighbour(place("shared"), arch);  // requested already
    requests.askNeighbour(place("vectorized"), arch);
    requests.ask("baseline", place("warptiled"), arch, Urgency::Background);
    requests.forget("baseline");
    requests.dropNeighbours();
    requests.askNeighbour(place("shared"), arch);
    client.start();
    QTRY_COMPARE(compiled, QStringList({"naive", "shared"}));
    requests.askNeighbour(place("shared"), arch);  // and answered already
    QVERIFY(!client.busy());
    requests.clear();
    requests.askNeighbour(place("shared"), arch);
    QTRY_COMPARE(compiled, QStringList({"naive", "shared", "shared"}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::MeasuringTest, EventLoop)
#include "measuring_test.moc"
