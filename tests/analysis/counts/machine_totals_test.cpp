// SPDX-License-Identifier: GPL-3.0-or-later
// The counts of single accesses of machine code, and of instructions that no lane executes.
#include <QtTest>

#include "kernels/analysis/counts/machine_totals.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using executor::Memory;
using executor::Use;

class MachineTotalsTest : public QObject {
  Q_OBJECT

  // Lane i accesses `bytes` bytes at i * step.
  static executor::Access access(Memory memory, Use use, std::uint32_t bytes, std::uint64_t step,
                                 std::uint32_t lanes = executor::kAllLanes) {
    executor::Access made;
    made.memory = memory;
    made.use = use;
    made.bytes = bytes;
    made.lanes = lanes;
    for (std::size_t i = 0; i < executor::kLanes; ++i) {
      made.at[i] = i * step;
      made.from[i] = i * step;
    }
    return made;
  }
  static Totals totalsOf(const executor::Access& access) {
    MachineTotals totals;
    totals.see(access);
    return totals.totals();
  }

 private slots:
  void sharedLoads() {
    const Totals row = totalsOf(access(Memory::Shared, Use::Load, 4, 4));
    QCOMPARE(row.sharedLoadInstructions, std::uint64_t{1});
    QCOMPARE(row.sharedLoadWavefronts, std::uint64_t{1});
    const Totals column = totalsOf(access(Memory::Shared, Use::Load, 4, 128));
    QCOMPARE(column.sharedLoadWavefronts, std::uint64_t{32});
    QCOMPARE(column.sharedLoadConflicts, std::uint64_t{31});
    const Totals wide = totalsOf(access(Memory::Shared, Use::Load, 16, 16));
    QCOMPARE(wide.sharedLoadWavefronts, std::uint64_t{4});
    QCOMPARE(wide.sharedLoadConflicts, std::uint64_t{0});
    // Bytes of one word are one word.
    const Totals bytes = totalsOf(access(Memory::Shared, Use::Load, 1, 1));
    QCOMPARE(bytes.sharedLoadWavefronts, std::uint64_t{1});
  }

  void globalAccesses() {
    const Totals row = totalsOf(access(Memory::Global, Use::Load, 4, 4));
    QCOMPARE(row.globalLoadRequests, std::uint64_t{1});
    QCOMPARE(row.globalLoadSectors, std::uint64_t{4});
    const Totals half = totalsOf(access(Memory::Global, Use::Store, 4, 32, 0xffff));
    QCOMPARE(half.globalStoreRequests, std::uint64_t{1});
    QCOMPARE(half.globalStoreSectors, std::uint64_t{16});
  }

  // Lanes of a copy that write zeros read nothing.
  void copies() {
    executor::Access whole = access(Memory::Shared, Use::Copy, 16, 16);
    whole.reads = whole.lanes;
    QCOMPARE(totalsOf(whole).asyncSectors, std::uint64_t{16});
    whole.reads = 0xff;
    const Totals part = totalsOf(whole);
    QCOMPARE(part.asyncInstructions, std::uint64_t{1});
    QCOMPARE(part.asyncSectors, std::uint64_t{4});
    // Eight lanes read 128 bytes: one line of L1, and one of shared memory.
    QCOMPARE(part.asyncWavefronts, std::uint64_t{1});
    QCOMPARE(totalsOf(access(Memory::Shared, Use::Copy, 16, 16)).asyncSectors, std::uint64_t{0});
  }

  // Local memory and atomic operations have counters of their own.
  void others() {
    MachineTotals totals;
    totals.see(access(Memory::Local, Use::Store, 4, 4));
    totals.see(access(Memory::Global, Use::Atomic, 4, 4));
    totals.see(access(Memory::Global, Use::Reduction, 4, 4));
    QCOMPARE(totals.totals(), Totals());
    QCOMPARE(totals.localInstructions(), std::uint64_t{1});
    QCOMPARE(totals.atomicInstructions(), std::uint64_t{2});
  }

  // Rule 85: a store that is issued with all lanes off counts as an instruction.
  void allLanesOff() {
    sass::KernelImage kernel;
    sass::CodeWord store;  // STS [UR4], R0
    store.high = 0x0005e20008000804;
    store.low = 0x00000000ff007988;
    kernel.words = {store};
    MachineTotals totals;
    const executor::InstructionCount counts[] = {{5, 2, 96}};
    totals.finish(kernel, 90, counts);
    QCOMPARE(totals.totals().sharedStoreInstructions, std::uint64_t{2});
    QCOMPARE(totals.totals().sharedStoreInstructionsOff, std::uint64_t{2});
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::MachineTotalsTest, Nothing)
#include "machine_totals_test.moc"
