// SPDX-License-Identifier: GPL-3.0-or-later
// Every error of `tileloom loop` is one sentence.
#include <QtTest>

#include "tests/app/commands/loop_line.h"
#include "tests/app/program.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

class LoopTroubleTest : public QObject {
  Q_OBJECT

  std::unique_ptr<Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<Surroundings>(); }

  void trouble_data() {
    QTest::addColumn<QStringList>("line");
    QTest::addColumn<QByteArray>("behaviour");
    QTest::addColumn<int>("status");
    QTest::addColumn<QString>("names");
    const auto row = [](const char* name, const QStringList& line, const char* behaviour,
                        int status, const char* names) {
      QTest::newRow(name) << line << QByteArray(behaviour) << status << names;
    };
    row("a stage without a main loop per K tile", {"loop", "warptiled"}, "", 2, "K tile");
    row("no such stage", {"loop", "zzz"}, "", 2, "zzz");
    row("no stage", {"loop"}, "", 2, "loop");
    row("the tensor ladder", {"loop", "t1"}, "", 2, "rewritten");
    row("an illegal tile", {"loop", "rewritten", "--tile", "BM=100"}, "", 2, "BM");
    row("no tile", {"loop", "rewritten", "--tile", "BM"}, "", 2, "BM");
    row("nothing to record", loopLine({"--record", "x"}), "", 2, "--measure");
    row("an empty name", loopLine({"--measure", "--record", ""}), "", 2, "--record");
    row("no number", loopLine({"--measure", "--device", "x"}), "", 2, "--device");
    row("no limit", loopLine({"--measure", "--limit", "0"}), "", 2, "--limit");
    row("no GPU", loopLine({"--measure"}), "no-device", 3, "CUDA-capable");
    row("no such device", loopLine({"--measure", "--device", "7"}), "", 2, "device 7");
    row("hangs", loopLine({"--measure", "--limit", "1"}), "hang=launch", 3, "time limit");
    row("computes something else", loopLine({"--measure"}), "wrong=17@2", 1, "another result");
    row("spills", loopLine(), "spill=8", 3, "spills");
  }
  void trouble() {
    QFETCH(QStringList, line);
    QFETCH(QByteArray, behaviour);
    QFETCH(int, status);
    QFETCH(QString, names);
    fakeLoop(*m_around, behaviour);
    const Said said = runTileloom(line);
    QVERIFY2(said.err.contains(names.toUtf8()), said.err.constData());
    QVERIFY2(isOneSentence(said.err), said.err.constData());
    QCOMPARE(said.status, status);
    QVERIFY(said.out.isEmpty());
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopTroubleTest, EventLoop)
#include "loop_trouble_test.moc"
