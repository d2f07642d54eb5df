// SPDX-License-Identifier: GPL-3.0-or-later
// Requests and their outcomes, without a worker: they wait in the client.
#include "app/services/measuring.h"

#include <QtTest>

#include "app/services/kernel_requests.h"
#include "kernels/tile/subject.h"
#include "tests/support/runs.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

using test::stage;

constexpr Problem kSize{128, 128, 128};

class MeasuringTest : public QObject {
  Q_OBJECT

  static Subject place(const char* id) { return standardSubject(stage(id)); }
  static worker::MeasureRequest request(const char* id) {
    return {{standardSubject(stage(id)), kSize}, 0, {}};
  }
  static runs::RunRecord run(int rounds) {
    runs::RunRecord r = test::madeUpRun();
    r.rounds = rounds;
    return r;
  }

 private slots:
  void aRequestIsUnderWayUntilItIsDone() {
    WorkerClient client;
    Measuring measuring(client);
    QVERIFY(measuring.underWay("now") == nullptr);
    measuring.ask("now", request("naive"));  // the client counts requests from 1
    QVERIFY(measuring.underWay("now") && measuring.underWay("now")->place == place("naive"));
    QVERIFY(!measuring.progress(7, run(3)) && !measuring.done(7));
    const auto some = measuring.progress(1, run(3));
    QVERIFY(some && some->tag == "now" && some->unfinished() == nullptr);
    QVERIFY(measuring.progress(1, run(Measuring::kFewestRounds))->unfinished() != nullptr);
    QVERIFY(!measuring.tried(place("naive"), kSize));
    const auto done = measuring.done(1);
    QVERIFY(done && done->place == place("naive") && done->problem == kSize);
    QVERIFY(measuring.underWay("now") == nullptr && !measuring.done(1));
    QVERIFY(measuring.tried(place("naive"), kSize));
    QVERIFY(!measuring.tried(place("naive"), {1, 1, 1}) &&
            !measuring.tried(place("shared"), kSize));
  }

  void whatIsStoppedGivesWhatWasKnown() {
    WorkerClient client;
    Measuring measuring(client);
    QVERIFY(!measuring.stop("now"));
    measuring.ask("now", request("naive"));
    measuring.progress(1, run(9));
    const auto stopped = measuring.stop("now");
    QVERIFY(stopped && stopped->unfinished() != nullptr && stopped->unfinished()->rounds == 9);
    QVERIFY(measuring.underWay("now") == nullptr && !client.busy());
    QVERIFY(!measuring.tried(place("naive"), kSize));
  }

  void aNewerRequestTakesThePlaceOfAnOlder() {
    WorkerClient client;
    Measuring measuring(client);
    measuring.ask("now", request("naive"));
    measuring.ask("now", request("shared"));
    QVERIFY(!measuring.done(1));
    QVERIFY(measuring.done(2)->place == place("shared"));
  }

  void failuresMayBeTriedAgain() {
    WorkerClient client;
    Measuring measuring(client);
    measuring.ask("a", request("naive"));
    measuring.ask("b", request("shared"));
    measuring.ask("c", request("vectorized"));
    QVERIFY(measuring.failed(1, {Trouble::WrongResult, "wrong"}));
    QVERIFY(measuring.failed(2, {Trouble::Cancelled, "cancelled"}));
    QVERIFY(measuring.done(3));
    QVERIFY(measuring.tried(place("naive"), kSize));
    QVERIFY(!measuring.tried(place("shared"), kSize));  // the tile did not cause it
    measuring.forgetFailures();
    QVERIFY(!measuring.tried(place("naive"), kSize));
    QVERIFY(measuring.tried(place("vectorized"), kSize));
  }

  void kernelsAreAskedForOnce() {
    WorkerClient client;
    KernelRequests requests(client);
    const Architecture arch = defaultArchitecture();
    requests.ask("registers", place("naive"), arch, true);      // 1
    requests.askNeighbour(place("shared"), arch);               // 2
    requests.askNeighbour(place("shared"), arch);               // requested already
    requests.askNeighbour(place("vectorized"), arch);           // 3
    requests.ask("baseline", place("warptiled"), arch, false);  // 4
    QVERIFY(!requests.take(9));
    QVERIFY(requests.take(2) == place("shared") && !requests.take(2));
    requests.dropNeighbours();
    QVERIFY(!requests.take(3));
    requests.askNeighbour(place("shared"), arch);  // 5
    QVERIFY(requests.take(5) == place("shared"));
    requests.forget("baseline");
    QVERIFY(!requests.take(4));
    QVERIFY(requests.take(1) == place("naive"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::MeasuringTest, EventLoop)
#include "measuring_test.moc"
