// SPDX-License-Identifier: GPL-3.0-or-later
// When the registers of paired loads are written, and when issue is held back for them.
#include "kernels/sass/write_ports.h"

#include <QtTest>
#include <set>

#include "tests/support/test_class.h"

namespace tileloom::test {

using sass::WritePorts;

class WritePortsTest : public QObject {
  Q_OBJECT

  // Cycles that are lost when a register is written in every cycle but `idle` ones.
  static int lost(WritePorts& ports, int until, const std::set<int>& idle) {
    int sum = 0;
    for (int slot = 1, now = 1; slot < until; ++slot, ++now) {
      if (idle.contains(slot)) {
        ports.idle(now);
      } else {
        const int held = ports.hold(now);
        sum += held;
        now += held;
      }
    }
    return sum;
  }
  static int lostBy(int bytes, const std::set<int>& idle) {
    WritePorts ports;
    ports.load(bytes, 0);
    return lost(ports, 120, idle);
  }

 private slots:
  void withoutLoadsNothingIsLost() {
    WritePorts ports;
    QCOMPARE(lost(ports, 100, {}), 0);
  }
  // As measured: an idle slot helps from the 17th to the 32nd cycle after the load.
  void anIdleSlotInTimeSavesTheCycles() {
    QCOMPARE(lostBy(8, {}), 3);
    QCOMPARE(lostBy(8, {16}), 3);
    for (int at = 17; at <= 32; ++at) QCOMPARE(lostBy(8, {at}), 0);
    QCOMPARE(lostBy(8, {40}), 3);
  }
  // A load of 16 bytes needs two of them.
  void aWideLoadNeedsTwo() {
    QCOMPARE(lostBy(16, {}), 3);
    QCOMPARE(lostBy(16, {20}), 3);
    QCOMPARE(lostBy(16, {20, 24}), 0);
    QCOMPARE(lostBy(16, {24, 32}), 0);
  }
  void whileIssueIsHeldBackTwoLoadsAreWritten() {
    WritePorts ports;
    ports.load(8, 0);
    ports.load(8, 4);
    QCOMPARE(lost(ports, 120, {}), 3);
    ports.load(8, 200);
    ports.load(8, 204);
    ports.load(8, 208);
    int sum = 0;
    for (int now = 209; now < 320; ++now) {
      const int held = ports.hold(now);
      sum += held;
      now += held;
    }
    QCOMPARE(sum, 6);
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::WritePortsTest, Nothing)
#include "write_ports_test.moc"
