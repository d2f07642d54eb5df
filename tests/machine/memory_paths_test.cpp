// SPDX-License-Identifier: GPL-3.0-or-later
// When memory instructions have their results: docs/hardware.md, rules 80 and 81.
#include "kernels/machine/memory_paths.h"

#include <QtTest>

#include "kernels/machine/latencies.h"
#include "tests/support/test_class.h"

namespace tileloom::machine {

class MemoryPathsTest : public QObject {
  Q_OBJECT

  using Kind = MemoryAccess::Kind;
  static MemoryAccess load(int wavefronts, int late = 0) {
    return {.kind = Kind::SharedLoad, .wavefronts = wavefronts, .late = late};
  }
  static double after(Ticks ticks) { return cyclesOf(ticks); }

 private slots:
  // 23 cycles for one wavefront, two more for each further one, and one for each further register.
  void sharedLoads() {
    for (const auto& [wavefronts, late, cycles] :
         {std::array{1, 0, 23}, {2, 0, 25}, {4, 3, 32}, {2, 1, 26}}) {
      MemoryPaths paths;
      DataPipe pipe;
      QCOMPARE(after(paths.access(pipe, 0, load(wavefronts, late), 0).result), double(cycles));
    }
  }

  // The pipe serves a wavefront per cycle, and the way back to one scheduler takes two.
  void whatLoadsShare() {
    MemoryPaths paths;
    DataPipe pipe;
    QCOMPARE(after(paths.access(pipe, 0, load(4), 0).result), 29.0);
    QCOMPARE(after(paths.access(pipe, 0, load(4), 0).result), 37.0);
    // Another scheduler's way back is free: it waits for the pipe only.
    QCOMPARE(after(paths.access(pipe, 1, load(1), 0).result), 8 + 23.0);
  }

  void storesReadTheirOperandsLater() {
    MemoryPaths paths;
    DataPipe pipe;
    const MemoryAccess store{.kind = Kind::SharedStore, .wavefronts = 3};
    QCOMPARE(after(paths.access(pipe, 0, store, 0).operands), 3 + kOperandsReadCycles - 1.0);
  }

  // Global memory answers between the latencies of L2 and DRAM, and its data then takes the pipe.
  void globalLoads() {
    MemoryPaths paths;
    DataPipe pipe;
    double sum = 0;
    constexpr int kLoads = 400;
    const Ticks apart = 1000 * kCycle;
    for (int i = 0; i < kLoads; ++i) {
      const MemoryAccess access{.kind = Kind::GlobalLoad, .wavefronts = 2, .wayCycles = kLoadWay};
      const double cycles = after(paths.access(pipe, 0, access, i * apart).result - i * apart);
      QVERIFY(cycles >= kL2Latency && cycles <= kDramLatency);
      sum += cycles;
    }
    QVERIFY(std::abs(sum / kLoads - kMemoryLatency) < 15);
    int seen = 0;
    pipe.take(kNever, [&seen](const Passage& passage) {
      QCOMPARE(passage.end - passage.begin, 2 * kCycle);
      ++seen;
    });
    QCOMPARE(seen, kLoads);
  }

  // A copy occupies its scheduler's path; when too many instructions wait there, the next one waits
  // in its warp.
  void thePathFills() {
    MemoryPaths paths;
    DataPipe pipe;
    const MemoryAccess copy{.kind = Kind::Copy, .wavefronts = 4, .wayCycles = kCopyWay};
    int issued = 0;
    while (paths.hasRoom(0) && issued < 100) {
      paths.access(pipe, 0, copy, 0);
      ++issued;
    }
    QVERIFY(issued > 1 && issued < 100);
    QVERIFY(paths.hasRoom(1));
    paths.advance(kCopyWay * kCycle);
    QVERIFY(paths.hasRoom(0));
    // A load behind them waits for the path.
    QVERIFY(after(paths.access(pipe, 0, load(1), 0).result) >= issued * kCopyWay);
  }

  // Ten copies may wait for the look-up of their lines, which serves one after the other.
  void theLookUpIsALimit() {
    MemoryPaths paths;
    DataPipe pipe;
    const MemoryAccess copy{.kind = Kind::Copy, .wayCycles = 1, .lookUp = 100};
    MemoryPaths::Ends ends;
    for (std::size_t i = 0; i <= kCopiesWaiting; ++i) ends = paths.access(pipe, i % 4, copy, 0);
    QCOMPARE(after(ends.operands), 100.0 + kOperandsReadCycles);
  }
};

}  // namespace tileloom::machine

TILELOOM_TEST(tileloom::machine::MemoryPathsTest, Nothing)
#include "memory_paths_test.moc"
