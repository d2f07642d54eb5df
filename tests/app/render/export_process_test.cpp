// SPDX-License-Identifier: GPL-3.0-or-later
// An export in a process of its own: its output becomes progress or one sentence, and it ends on
// request.
#include "app/export/export_process.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/patience.h"
#include "tests/support/test_class.h"

namespace tileloom {

class ExportProcessTest : public QObject {
  Q_OBJECT

  struct Run {
    explicit Run(const char* script, const QString& program = "/bin/sh")
        : process(program, {"-c", script}),
          progress(&process, &ExportProcess::progress),
          finished(&process, &ExportProcess::finished) {
      process.start();
    }
    QString said() {
      if (finished.isEmpty() && !finished.wait(2 * test::kPatience)) return "it did not end";
      return finished.first().first().toString();
    }
    ExportProcess process;
    QSignalSpy progress, finished;
  };

 private slots:
  void progressIsTold() {
    Run run("for i in 1 2 3; do echo \"tileloom: $i of 3\" >&2; done; echo out");
    QCOMPARE(run.said(), QString());
    QCOMPARE(run.progress.size(), 3);
    QCOMPARE(run.progress.last(), (QVariantList{3, 3}));
    QCOMPARE(run.finished.size(), 1);
  }

  // Its last line is the sentence; progress is not.
  void aProblemIsItsSentence() {
    Run run("echo other >&2; echo 'tileloom: no room' >&2; echo 'tileloom: 1 of 3' >&2; exit 2");
    QCOMPARE(run.said(), QString("no room"));
    Run silent("exit 2");
    QVERIFY(silent.said().contains("ended before"));
    Run killed("kill -9 $$");
    QVERIFY(killed.said().contains("ended before"));
    Run absent("", "/no/such/program");
    QVERIFY(absent.said().contains("cannot be started"));
    QCOMPARE(absent.finished.size(), 1);
  }

  // Whatever it writes, the window keeps little of it.
  void anEndlessLineIsCutOff() {
    Run run("head -c 1000000 /dev/zero | tr '\\0' x >&2; echo >&2; exit 1");
    const QString said = run.said();
    QVERIFY(said.size() > 100 && said.size() < 10'000);
  }

  void itIsCancelled() {
    Run run("echo 'tileloom: 1 of 9' >&2; exec sleep 600");
    QVERIFY(run.progress.wait(test::kPatience));
    run.process.cancel();
    run.process.cancel();
    QVERIFY(run.said().contains("cancelled"));
    QCOMPARE(run.finished.size(), 1);
  }

  // One that ignores SIGTERM is killed after a while.
  void aStubbornOneIsKilled() {
    Run run("trap '' TERM; echo 'tileloom: 1 of 9' >&2; while :; do sleep 0.1; done");
    QVERIFY(run.progress.wait(test::kPatience));
    run.process.cancel();
    QVERIFY(run.said().contains("cancelled"));
  }

  void itGoesWithItsObject() {
    QElapsedTimer clock;
    clock.start();
    {
      Run run("exec sleep 600");
      QTest::qWait(50);
    }
    QVERIFY(clock.elapsed() < test::kPatience);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportProcessTest, EventLoop)
#include "export_process_test.moc"
