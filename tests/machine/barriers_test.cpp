// SPDX-License-Identifier: GPL-3.0-or-later
// Barriers of warps, phases of an mbarrier, and groups of TMA stores.
#include <QtTest>

#include "kernels/machine/barrier.h"
#include "kernels/machine/latencies.h"
#include "kernels/machine/phase_barrier.h"
#include "kernels/machine/store_groups.h"
#include "tests/support/test_class.h"

namespace tileloom::machine {

class BarriersTest : public QObject {
  Q_OBJECT

 private slots:
  // docs/hardware.md, rule 80: from one __syncthreads() to the next, with the slot of its issue.
  void theLatencyIsTheMeasuredOne() {
    for (const auto& [warps, measured] :
         {std::pair{1, 14.8}, {4, 20.8}, {8, 28.8}, {16, 44.8}, {32, 76.9}})
      QVERIFY(std::abs(1 + kBarrierLatency + kBarrierPerWarp * warps - measured) < 0.5);
  }

  void theLastArrivalOpens() {
    Barrier barrier;
    barrier.arrive(3, 50);
    barrier.arrive(1, 70);
    barrier.arrive(2, 60);  // handled later, but earlier in time
    QCOMPARE(barrier.arrived(), 3u);
    const Barrier::Arrival last = barrier.open();
    QVERIFY(last.warp == 1 && last.at == 70);
    // It can be used again, also for earlier times.
    QCOMPARE(barrier.arrived(), 0u);
    barrier.arrive(5, 10);
    QCOMPARE(barrier.open().warp, 5u);
  }

  // A phase ends when neither arrivals nor bytes are missing.
  void phases() {
    PhaseBarrier barrier(2);
    const Cause warp{Cause::Kind::Warp, 1, 10}, box{Cause::Kind::Transfer, 7, 90};
    barrier.announce(64);
    QVERIFY(!barrier.arrive(10, warp));
    QVERIFY(!barrier.bring(40, 90, box));
    QVERIFY(!barrier.arrive(20, warp));
    QVERIFY(barrier.end(0) == nullptr);
    QCOMPARE(barrier.lackingArrivals(), std::int64_t{0});
    QCOMPARE(barrier.lackingBytes(), std::int64_t{24});
    QCOMPARE(barrier.bring(24, 80, box), std::optional{0u});
    // It ended with what came last in time.
    QCOMPARE(barrier.end(0)->at, Ticks{90});
    QCOMPARE(barrier.end(0)->cause.kind, Cause::Kind::Transfer);
    // The next phase counts from the start.
    QCOMPARE(barrier.ended(), std::size_t{1});
    QVERIFY(!barrier.arrive(5, warp));
    QCOMPARE(barrier.arrive(4, warp), std::optional{1u});
    QCOMPARE(barrier.end(1)->at, Ticks{5});
  }
  // Bytes may come before they are announced, and an uninitialised barrier never ends a phase.
  void bytesBeforeTheirAnnouncement() {
    PhaseBarrier barrier(1);
    QVERIFY(!barrier.bring(16, 30, {}));
    barrier.announce(16);
    QCOMPARE(barrier.arrive(10, {}), std::optional{0u});
    QCOMPARE(barrier.end(0)->at, Ticks{30});
    PhaseBarrier none;
    QVERIFY(!none.bring(0, 1, {}));
  }

  void storeGroups() {
    StoreGroups groups;
    QCOMPARE(groups.readBut(0), Ticks{0});
    groups.add(50);
    groups.add(40);
    groups.commit();
    groups.add(70);
    groups.commit();
    groups.commit();  // empty: read with those before it
    QCOMPARE(groups.readBut(0), Ticks{70});
    QCOMPARE(groups.readBut(1), Ticks{70});
    QCOMPARE(groups.readBut(2), Ticks{50});
    QCOMPARE(groups.readBut(3), Ticks{0});
  }
};

}  // namespace tileloom::machine

TILELOOM_TEST(tileloom::machine::BarriersTest, Nothing)
#include "barriers_test.moc"
