// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "kernels/emulator/fault.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

using test::q;

class FaultLogTest : public QObject {
  Q_OBJECT

  static Fault example(FaultKind kind) {
    Fault fault;
    fault.kind = kind;
    fault.stage = "warptiled";
    fault.block = {3, 1};
    fault.thread = 97;
    fault.file = "kernels/stages/fp32/warptiled.cuh";
    fault.line = 40;
    fault.array = "As";
    fault.index = 2050;
    fault.size = 2048;
    return fault;
  }

 private slots:
  void keepsTheFirstOnesAndCountsAll() {
    FaultLog log;
    QVERIFY(log.empty());
    for (int i = 0; i < 100; ++i) {
      Fault fault = example(FaultKind::Race);
      fault.index = i;
      log.add(fault);
    }
    QVERIFY(!log.empty());
    QCOMPARE(log.total, std::uint64_t{100});
    QCOMPARE(log.kept.size(), std::size_t{32});
    QCOMPARE(log.kept.front().index, std::int64_t{0});
    QCOMPARE(log.kept.back().index, std::int64_t{31});
  }

  void kindsHaveNames() {
    QCOMPARE(q(name(FaultKind::OutOfBounds)), QString("out of bounds"));
    QCOMPARE(q(name(FaultKind::Misaligned)), QString("misaligned wide access"));
    QCOMPARE(q(name(FaultKind::Unwritten)), QString("read of unwritten shared memory"));
    QCOMPARE(q(name(FaultKind::Race)), QString("race"));
  }

  void outOfBoundsTellsTheSize() {
    QCOMPARE(
        q(describe(example(FaultKind::OutOfBounds))),
        QString("out of bounds: load of As[2050] (2048 elements) by thread 97 of block (3, 1), "
                "warptiled at kernels/stages/fp32/warptiled.cuh:40"));
  }

  void storesAreToldFromLoads() {
    Fault fault = example(FaultKind::Misaligned);
    fault.store = true;
    QCOMPARE(q(describe(fault)),
             QString("misaligned wide access: store of As[2050] by thread 97 of block (3, 1), "
                     "warptiled at kernels/stages/fp32/warptiled.cuh:40"));
  }

  void aRaceNamesBothParties() {
    Fault fault = example(FaultKind::Race);
    fault.otherThread = 5;
    QCOMPARE(q(describe(fault)),
             QString("race: load of As[2050] by thread 97 of block (3, 1) against thread 5 with no "
                     "barrier in between, warptiled at kernels/stages/fp32/warptiled.cuh:40"));
    fault.otherThread = -1;
    QVERIFY(q(describe(fault)).contains(" against several threads with no barrier in between"));
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::FaultLogTest, Nothing)
#include "fault_log_test.moc"
