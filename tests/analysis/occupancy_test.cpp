// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/occupancy.h"

#include <QtTest>
#include <climits>

#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class OccupancyTest : public QObject {
  Q_OBJECT

  static Architecture arch(std::string_view name) { return architectureNamed(name).value(); }

  static QString limits(const Occupancy& o) {
    QStringList list;
    for (const Resource resource : o.limiting) list += test::q(name(resource));
    return list.join(", ");
  }

 private slots:
  void golden_data() {
    QTest::addColumn<QString>("architecture");
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("registers");
    QTest::addColumn<int>("sharedBytes");
    QTest::addColumn<int>("blocks");
    QTest::addColumn<double>("percent");
    QTest::addColumn<QString>("limitedBy");
    // The warp-tiled stage, on both sides of the edge.
    QTest::newRow("168 registers") << "sm_90" << 128 << 168 << 16384 << 3 << 18.75 << "registers";
    QTest::newRow("169 registers") << "sm_90" << 128 << 169 << 16384 << 2 << 12.5 << "registers";
    // Siboehm's shared-memory kernel on an A6000: 66 %.
    QTest::newRow("A6000") << "sm_86" << 1024 << 37 << 8192 << 1 << 200.0 / 3 << "warps, registers";
    QTest::newRow("warps") << "sm_90" << 512 << 32 << 0 << 4 << 100.0 << "warps, registers";
    QTest::newRow("only warps") << "sm_90" << 512 << 16 << 0 << 4 << 100.0 << "warps";
    QTest::newRow("block slots") << "sm_90" << 32 << 32 << 0 << 32 << 50.0 << "block slots";
    QTest::newRow("block slots of 8.6")
        << "sm_86" << 32 << 32 << 0 << 16 << 100.0 / 3 << "block slots";
    // 228 KiB hold two blocks of 112 KiB + 1 KiB, and 113.125 KiB is 128 bytes too many.
    QTest::newRow("shared") << "sm_90" << 128 << 32 << 113 * 1024 << 2 << 12.5 << "shared memory";
    QTest::newRow("shared + 1") << "sm_90" << 128 << 32 << 113 * 1024 + 1 << 1 << 6.25
                                << "shared memory";
    QTest::newRow("all of shared")
        << "sm_90" << 128 << 32 << 227 * 1024 << 1 << 6.25 << "shared memory";
    QTest::newRow("a partly filled warp")
        << "sm_90" << 33 << 32 << 0 << 32 << 100.0 << "warps, block slots, registers";
  }
  void golden() {
    QFETCH(QString, architecture);
    QFETCH(int, threads);
    QFETCH(int, registers);
    QFETCH(int, sharedBytes);
    QFETCH(int, blocks);
    QFETCH(double, percent);
    QFETCH(QString, limitedBy);
    const Occupancy o =
        occupancy(arch(architecture.toStdString()), {threads, registers, sharedBytes});
    QCOMPARE(o.blocks, blocks);
    QCOMPARE(100 * o.fraction(), percent);
    QCOMPARE(limits(o), limitedBy);
  }

  void invalidNeedsGiveNoBlock_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("registers");
    QTest::addColumn<int>("sharedBytes");
    QTest::addColumn<QString>("way");
    QTest::newRow("no threads") << 0 << 32 << 0 << "";
    QTest::newRow("negative threads") << -32 << 32 << 0 << "";
    QTest::newRow("1025 threads") << 1025 << 32 << 0
                                  << ": a block may have at most 1,024 threads (now 1,025)";
    QTest::newRow("256 registers")
        << 128 << 256 << 0 << ": a thread may have at most 255 registers (now 256)";
    QTest::newRow("negative registers") << 128 << -1 << 0 << "";
    QTest::newRow("negative shared memory") << 128 << 32 << -1 << "";
    QTest::newRow("too much shared memory") << 128 << 32 << 227 * 1024 + 1 << "";
    QTest::newRow("largest numbers")
        << INT_MAX << INT_MAX << INT_MAX
        << ": a block may have at most 1,024 threads (now 2,147,483,647); a thread may have at "
           "most 255 registers (now 2,147,483,647)";
  }
  void invalidNeedsGiveNoBlock() {
    QFETCH(int, threads);
    QFETCH(int, registers);
    QFETCH(int, sharedBytes);
    QFETCH(QString, way);
    const BlockNeeds needs = {threads, registers, sharedBytes};
    const Occupancy o = occupancy(defaultArchitecture(), needs);
    QCOMPARE(o.blocks, 0);
    QCOMPARE(o.warps, 0);
    QCOMPARE(o.fraction(), 0.0);
    QCOMPARE(test::q(nextStep(o, needs)), "not even one block fits on an SM" + way);
  }

  // 14 warps of 129 registers: an SM's quarter has room for three warps of 4,352 registers each.
  void theWayToOneBlock() {
    const BlockNeeds needs = {433, 129, 0};
    const Occupancy o = occupancy(arch("sm_86"), needs);
    QCOMPARE(o.blocks, 0);
    QCOMPARE(test::q(nextStep(o, needs)),
             QString("not even one block fits on an SM: one would with at most 128 registers per "
                     "thread (now 129), or with at most 12 warps per block, 384 threads (now 14 "
                     "warps)"));
    QCOMPARE(occupancy(arch("sm_86"), {433, 128, 0}).blocks, 1);
    QCOMPARE(occupancy(arch("sm_86"), {384, 129, 0}).blocks, 1);
    QCOMPARE(occupancy(arch("sm_86"), {385, 129, 0}).blocks, 0);
  }

  // Wherever the needs are such as a kernel can have, the ways lead to a block, and one more does
  // not.
  void everyWayLeadsToABlock() {
    test::Random random(test::seed());
    int ways = 0;
    for (int round = 0; round < 3000; ++round) {
      const Architecture& a = architectures()[static_cast<std::size_t>(random.integer(0, 5))];
      const BlockNeeds needs = {random.integer(257, 1024), random.integer(65, 255), 0};
      const Occupancy o = occupancy(a, needs);
      if (o.blocks > 0) continue;
      ++ways;
      QVERIFY(o.registersForOneMore.has_value());
      const int r = *o.registersForOneMore;
      QVERIFY(occupancy(a, {needs.threads, r, 0}).blocks > 0);
      QCOMPARE(occupancy(a, {needs.threads, r + 1, 0}).blocks, 0);
      int warps = 1;
      while (occupancy(a, {32 * (warps + 1), needs.registers, 0}).blocks > 0) ++warps;
      const QString said = test::q(nextStep(o, needs));
      QVERIFY2(said.contains(QString("at most %1 registers per thread").arg(r)) &&
                   said.contains(QString("at most %1 warps per block").arg(warps)),
               qPrintable(said));
    }
    QVERIFY(ways > 300);
  }

  void aBlockThatNeedsAllRegistersAndMoreDoesNotFit() {
    const BlockNeeds needs = {1024, 65, 0};
    const Occupancy o = occupancy(defaultArchitecture(), needs);
    QCOMPARE(o.blocks, 0);
    QCOMPARE(limits(o), QString("registers"));
    QVERIFY(o.registersForOneMore == 64);
  }

  void theNextStepAdmitsOneMoreAndNotLess() {
    test::Random random(test::seed());
    int registers = 0, shared = 0, threads = 0;
    for (int round = 0; round < 3000; ++round) {
      const auto which = static_cast<std::size_t>(random.integer(0, 5));
      const Architecture& a = architectures()[which];
      const BlockNeeds needs = {random.integer(1, 1024), random.integer(16, 255),
                                random.integer(0, a.sharedPerBlock)};
      const Occupancy o = occupancy(a, needs);
      const auto by = [&](Resource resource, const BlockNeeds& n) {
        return occupancy(a, n).blocksBy[static_cast<std::size_t>(resource)];
      };
      if (o.registersForOneMore) {
        ++registers;
        BlockNeeds less = needs;
        less.registers = *o.registersForOneMore;
        QVERIFY(less.registers < needs.registers);
        QVERIFY(by(Resource::Registers, less) > o.blocks);
        ++less.registers;
        QCOMPARE(by(Resource::Registers, less), o.blocks);
      }
      if (o.sharedBytesForOneMore) {
        ++shared;
        BlockNeeds less = needs;
        less.sharedBytes = *o.sharedBytesForOneMore;
        QVERIFY(by(Resource::SharedMemory, less) > o.blocks);
        ++less.sharedBytes;
        QCOMPARE(by(Resource::SharedMemory, less), o.blocks);
        if (o.limiting.size() == 1) {
          --less.sharedBytes;
          QVERIFY(occupancy(a, less).blocks > o.blocks);
        }
      }
      if (o.threadsForOneMore) {
        ++threads;
        BlockNeeds less = needs;
        less.threads = *o.threadsForOneMore;
        QVERIFY(by(Resource::Warps, less) > o.blocks);
        ++less.threads;
        QCOMPARE(by(Resource::Warps, less), o.blocks);
      }
      // Only a limiting resource has a step, and each limiting one admits as many as there are.
      QCOMPARE(o.blocks, *std::ranges::min_element(o.blocksBy));
      for (const Resource resource : o.limiting) {
        QCOMPARE(o.blocksBy[static_cast<std::size_t>(resource)], o.blocks);
      }
      QVERIFY(!o.registersForOneMore || limits(o).contains("registers"));
      QVERIFY(!o.sharedBytesForOneMore || limits(o).contains("shared memory"));
      QVERIFY(!o.threadsForOneMore || limits(o).contains("warps"));
    }
    QVERIFY(registers > 100 && shared > 100 && threads > 5);
  }

  // 256 threads are eight warps, and 64 warps of 32 registers per thread fit, by registers.
  void theMostRegistersThatCostNoBlock() {
    const Architecture& h100 = defaultArchitecture();
    QCOMPARE(mostRegisters(h100, {256, 32, 0}), 32);
    QCOMPARE(mostRegisters(h100, {256, 33, 0}), 40);  // six blocks; 48 warps of 40 are the most
    QCOMPARE(mostRegisters(h100, {256, 128, 0}), 128);
    QCOMPARE(mostRegisters(h100, {256, 129, 0}), 255);  // one block, whatever it needs
    // Where shared memory allows but one block, registers cost none.
    QCOMPARE(mostRegisters(h100, {256, 32, 200 * 1024}), 255);
    // A block that does not fit stays one that does not fit.
    QCOMPARE(mostRegisters(h100, {1024, 65, 0}), 255);
    QCOMPARE(mostRegisters(h100, {0, 32, 0}), 255);
  }
  void oneRegisterMoreCostsABlock() {
    test::Random random(test::seed());
    int limited = 0;
    for (int round = 0; round < 500; ++round) {
      const Architecture& a = architectures()[static_cast<std::size_t>(random.integer(0, 5))];
      const BlockNeeds needs = {32 * random.integer(1, 32), random.integer(16, 255),
                                random.integer(0, a.sharedPerBlock / 4)};
      const int blocks = occupancy(a, needs).blocks;
      BlockNeeds most = needs;
      most.registers = mostRegisters(a, needs);
      QVERIFY(most.registers >= needs.registers);
      QVERIFY(most.registers <= Architecture::kRegistersPerThread);
      QCOMPARE(occupancy(a, most).blocks, blocks);
      if (most.registers == Architecture::kRegistersPerThread) continue;
      ++limited;
      ++most.registers;
      QVERIFY(occupancy(a, most).blocks < blocks);
    }
    QVERIFY(limited > 100);
  }

  void theNextStepInWords() {
    const BlockNeeds needs = {128, 168, 16384};
    QCOMPARE(test::q(nextStep(occupancy(defaultArchitecture(), needs), needs)),
             QString("limited by registers: a fourth block would fit with 128 registers per thread "
                     "(now 168)"));
    const BlockNeeds shared = {128, 32, 100 * 1024};
    QCOMPARE(
        test::q(nextStep(occupancy(defaultArchitecture(), shared), shared)),
        QString(
            "limited by shared memory: a third block would fit with 76800 bytes of shared memory "
            "per block (now 102400)"));
    const BlockNeeds tiny = {32, 32, 0};
    QCOMPARE(test::q(nextStep(occupancy(defaultArchitecture(), tiny), tiny)),
             QString("limited by block slots"));
  }

  void lessNeverHoldsFewer() {
    test::Random random(test::seed() + 1);
    for (int round = 0; round < 2000; ++round) {
      const Architecture& a = architectures()[static_cast<std::size_t>(random.integer(0, 5))];
      const BlockNeeds needs = {random.integer(33, 1024), random.integer(1, 255),
                                random.integer(128, a.sharedPerBlock)};
      const int blocks = occupancy(a, needs).blocks;
      QVERIFY(occupancy(a, {needs.threads - 32, needs.registers, needs.sharedBytes}).blocks >=
              blocks);
      QVERIFY(occupancy(a, {needs.threads, needs.registers - 1, needs.sharedBytes}).blocks >=
              blocks);
      QVERIFY(occupancy(a, {needs.threads, needs.registers, needs.sharedBytes - 128}).blocks >=
              blocks);
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::OccupancyTest, Nothing)
#include "occupancy_test.moc"
