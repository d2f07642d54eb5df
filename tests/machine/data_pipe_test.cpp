// SPDX-License-Identifier: GPL-3.0-or-later
// What passes through a unit that serves one after the other, and what arrives in between.
#include "kernels/machine/data_pipe.h"

#include <QtTest>
#include <vector>

#include "tests/support/test_class.h"

namespace tileloom::machine {

class DataPipeTest : public QObject {
  Q_OBJECT

 private slots:
  void oneAfterTheOther() {
    Pipe pipe;
    const Passage first = pipe.pass(10, 5), second = pipe.pass(12, 5), third = pipe.pass(40, 1);
    QVERIFY(first.begin == 10 && first.end == 15);
    QVERIFY(second.begin == 15 && second.end == 20);
    QVERIFY(third.begin == 40 && third.end == 41);
    QCOMPARE(pipe.free(), Ticks{41});
  }

  // Data of memory passes when it arrives, in the order of arrival; an access that reaches the pipe
  // later waits for it.
  void arrivalsPassInOrder() {
    DataPipe pipe;
    pipe.expect(100, 8);
    pipe.expect(50, 4);
    std::vector<Passage> seen;
    const auto note = [&seen](const Passage& passage) { seen.push_back(passage); };
    pipe.take(49, note);
    QVERIFY(seen.empty());
    QCOMPARE(pipe.pass(45, 10).end, Ticks{55});
    pipe.take(102, note);
    QCOMPARE(seen.size(), std::size_t{2});
    QVERIFY(seen[0].begin == 55 && seen[0].end == 59);
    QVERIFY(seen[1].begin == 100 && seen[1].end == 108);
    QCOMPARE(pipe.pass(102, 1).begin, Ticks{108});
    pipe.take(kNever, note);
    QCOMPARE(seen.size(), std::size_t{2});
  }
};

}  // namespace tileloom::machine

TILELOOM_TEST(tileloom::machine::DataPipeTest, Nothing)
#include "data_pipe_test.moc"
