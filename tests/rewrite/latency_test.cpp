// SPDX-License-Identifier: GPL-3.0-or-later
// Cycles after which results may be used: never fewer than the assembler leaves.
#include "kernels/rewrite/latency.h"

#include <QtTest>

#include "tests/rewrite/code.h"
#include "tests/support/test_class.h"

namespace tileloom::test {

using namespace rewrite;

class LatencyTest : public QObject {
  Q_OBJECT

  static Latencies of(const sass::Decoded& code) { return latenciesOf(Op::of(code, 0)); }

 private slots:
  void arithmeticIsQuick() {
    for (const auto& code : {make::ffma(8, 1, 2, 8), make::mov(1, 2), make::iadd3(1, 2, 3)})
      QCOMPARE(of(code).registers, 6);
    QCOMPARE(of(make::uiadd3(4, 4, 1)).uniform, 8);
    // A guard or a branch waits longest.
    QVERIFY(of(make::isetp(0, 1, 2)).predicates >= 13);
  }
  void whatIsNotKnownTakesLongest() {
    const auto clock = sass::decode({0x0000000000207805, 0x000fe4000001ff00}, 0, 90);  // CS2R
    QVERIFY(clock);
    QCOMPARE(of(*clock).registers, kLongestLatency);
    QCOMPARE(of(*clock).predicates, kLongestLatency);
  }
  // NVIDIA's assembler waits exactly as long as necessary in some places: no result of the fixtures
  // is used later than the table demands everywhere, and FFMA follows FFMA after 4 cycles.
  void noLatencyIsLongerThanTheLongest() {
    for (const std::string name : {"small", "square"}) {
      const auto loop = loopCodeOf(*sass::readCubin(cubinFixture(name)));
      QVERIFY(loop);
      for (const Op& op : loop->kernel) {
        const Latencies its = latenciesOf(op);
        for (const int cycles : {its.registers, its.uniform, its.predicates})
          QVERIFY(cycles >= 4 && cycles <= kLongestLatency);
      }
    }
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LatencyTest, Nothing)
#include "latency_test.moc"
