// SPDX-License-Identifier: GPL-3.0-or-later
// The order of requests to a worker, without a worker.
#include "app/services/measuring/worker_jobs.h"

#include <QtTest>
#include <memory>
#include <vector>

#include "tests/support/test_class.h"

namespace tileloom {

using Ids = std::vector<quint64>;

class WorkerJobsTest : public QObject {
  Q_OBJECT

  quint64 add(WorkerJobs& jobs, WorkerLane lane, const QString& tag = {}, bool urgent = false) {
    WorkerJob job;
    job.lane = lane;
    job.asker = this;
    job.tag = tag;
    job.urgent = urgent;
    return jobs.add(std::move(job));
  }
  static Ids sendDue(WorkerJobs& jobs) {
    const Ids due = jobs.due();
    for (const quint64 id : due) jobs.find(id)->sent = true;
    return due;
  }

 private slots:
  void urgentCompilationsOvertakeOthers() {
    WorkerJobs jobs;
    const quint64 later = add(jobs, WorkerLane::Compile);
    const quint64 first = add(jobs, WorkerLane::Compile, {}, true);
    const quint64 second = add(jobs, WorkerLane::Compile, {}, true);
    const quint64 third = add(jobs, WorkerLane::Compile, {}, true);
    QCOMPARE(sendDue(jobs), (Ids{first, second}));
    QCOMPARE(sendDue(jobs), Ids{});
    QVERIFY(jobs.take(first));
    QCOMPARE(sendDue(jobs), Ids{third});
    QVERIFY(jobs.take(second) && jobs.take(third));
    QCOMPARE(sendDue(jobs), Ids{later});
  }

  void everyLaneHasItsOwnQueue() {
    WorkerJobs jobs;
    const quint64 disassembly = add(jobs, WorkerLane::Disassemble);
    const quint64 run = add(jobs, WorkerLane::Gpu), next = add(jobs, WorkerLane::Gpu);
    const quint64 compilation = add(jobs, WorkerLane::Compile);
    QCOMPARE(sendDue(jobs), (Ids{compilation, run, disassembly}));
    QVERIFY(jobs.take(run));
    QCOMPARE(sendDue(jobs), Ids{next});
  }

  void aRequestWithoutAnAskerIsNotSent() {
    WorkerJobs jobs;
    auto asker = std::make_unique<QObject>();
    const quint64 id = add(jobs, WorkerLane::Gpu);
    jobs.find(id)->asker = asker.get();
    asker.reset();
    QCOMPARE(sendDue(jobs), Ids{});
    QVERIFY(jobs.empty());
  }

  void aSentRequestIsCancelledAtTheWorker() {
    WorkerJobs jobs;
    const quint64 sent = add(jobs, WorkerLane::Gpu, QStringLiteral("now"));
    QCOMPARE(sendDue(jobs), Ids{sent});
    add(jobs, WorkerLane::Gpu, QStringLiteral("now"));
    add(jobs, WorkerLane::Gpu);
    QCOMPARE(jobs.cancel(QStringLiteral("now")), Ids{sent});
    QVERIFY(jobs.find(sent)->dropped && jobs.find(sent + 1) == nullptr);
    QCOMPARE(jobs.cancel(QStringLiteral("now")), Ids{});
    QCOMPARE(jobs.cancel({}), Ids{});
  }

  void silenceHasALimit() {
    WorkerJobs jobs;
    const quint64 id = add(jobs, WorkerLane::Gpu);
    jobs.find(id)->deadline = 100;
    QVERIFY(!jobs.anySent() && jobs.late(200) == nullptr);
    QCOMPARE(sendDue(jobs), Ids{id});
    QVERIFY(jobs.anySent() && jobs.late(99) == nullptr);
    QVERIFY(jobs.late(100) == jobs.find(id));
  }

  void theLikeliestRequestIsToBlame() {
    WorkerJobs jobs;
    const quint64 hello = add(jobs, WorkerLane::Hello);
    const quint64 compilation = add(jobs, WorkerLane::Compile);
    const quint64 disassembly = add(jobs, WorkerLane::Disassemble);
    const quint64 run = add(jobs, WorkerLane::Gpu);
    QVERIFY(!jobs.unsend());
    QVERIFY(jobs.find(hello) == nullptr);
    for (const quint64 culprit : {run, compilation, disassembly}) {
      sendDue(jobs);
      QVERIFY(jobs.unsend() == culprit);
      QVERIFY(!jobs.anySent() && jobs.take(culprit));
    }
    QVERIFY(jobs.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WorkerJobsTest, Nothing)
#include "worker_jobs_test.moc"
