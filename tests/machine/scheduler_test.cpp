// SPDX-License-Identifier: GPL-3.0-or-later
// Which warp a scheduler issues for, and when.
#include "kernels/machine/scheduler.h"

#include <QtTest>
#include <vector>

#include "tests/support/test_class.h"

namespace tileloom::machine {

class SchedulerTest : public QObject {
  Q_OBJECT

  using Warps = std::vector<Candidate>;
  static constexpr Order kOrders[] = {Order::EarliestBlock, Order::LongestReady};

 private slots:
  void warpsStayWithOneScheduler() {
    QCOMPARE(kSchedulers, std::size_t{4});
    for (const std::size_t warp : {0u, 1u, 7u, 13u}) QCOMPARE(schedulerOf(warp), warp % 4);
  }

  void nothingIsReady() {
    for (const Order order : kOrders) {
      const Scheduler scheduler(order);
      QCOMPARE(scheduler.choose({}).at, kNever);
      QCOMPARE(scheduler.choose(Warps{{0, 0, kNever}, {4, 0, kNever}}).at, kNever);
    }
  }

  // The earliest time at which a warp is ready and the scheduler has a slot.
  void whenItIssues() {
    for (const Order order : kOrders) {
      Scheduler scheduler(order);
      const Warps warps{{0, 0, kNever}, {4, 0, 30}};
      QCOMPARE(scheduler.choose(warps).at, Ticks{30});
      QCOMPARE(scheduler.choose(warps).warp, 4u);
      QCOMPARE(scheduler.choose(warps, 40).at, Ticks{40});
      scheduler.issue(0, 100);
      QCOMPARE(scheduler.choose(warps).at, Ticks{100});
      QCOMPARE(scheduler.free(), Ticks{100});
      // What is ready later than that does not count, whatever its order.
      QCOMPARE(scheduler.choose(Warps{{8, 0, 101}, {12, 1, 99}}).warp, 12u);
    }
  }

  // docs/hardware.md, rule 84: the same warp as long as it can issue.
  void itStaysWithAWarp() {
    for (const Order order : kOrders) {
      Scheduler scheduler(order);
      scheduler.issue(4, 10);
      QCOMPARE(scheduler.choose(Warps{{0, 0, 0}, {4, 1, 10}, {8, 2, 0}}).warp, 4u);
      // It has to wait.
      QVERIFY(scheduler.choose(Warps{{0, 0, 0}, {4, 1, 11}, {8, 2, 0}}).warp != 4u);
    }
  }

  // Earlier blocks go before later ones, and of a block the later warp.
  void earliestBlock() {
    const Scheduler scheduler(Order::EarliestBlock);
    QCOMPARE(scheduler.choose(Warps{{8, 1, 0}, {12, 1, 0}, {0, 0, 5}, {4, 0, 5}}, 5).warp, 4u);
    QCOMPARE(scheduler.choose(Warps{{8, 1, 0}, {12, 1, 0}, {0, 0, 6}}, 5).warp, 12u);
  }

  void longestReady() {
    const Scheduler scheduler(Order::LongestReady);
    QCOMPARE(scheduler.choose(Warps{{0, 0, 7}, {8, 1, 3}, {4, 0, 3}, {12, 1, 5}}, 10).warp, 4u);
  }
};

}  // namespace tileloom::machine

TILELOOM_TEST(tileloom::machine::SchedulerTest, Nothing)
#include "scheduler_test.moc"
