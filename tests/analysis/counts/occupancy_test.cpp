// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/occupancy.h"

#include <QtTest>
#include <algorithm>
#include <array>
#include <climits>
#include <optional>

#include "tests/support/random.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::analysis {

class OccupancyTest : public QObject {
  Q_OBJECT

  static Architecture arch(std::string_view name) { return architectureNamed(name).value(); }
  static const Architecture& anyArchitecture(test::Random& random) {
    const auto all = architectures();
    return all[static_cast<std::size_t>(random.integer(0, static_cast<int>(all.size()) - 1))];
  }

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
      const Architecture& a = anyArchitecture(random);
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

  // All that is named, done together, makes room for one more block, and nothing is named for
  // nothing: with one of the changes left out, or made a little smaller, there is no room.
  void whatIsNamedMakesRoomAndNothingLessDoes() {
    test::Random random(test::seed() + 2);
    std::array<int, 8> seen{};  // by what is named
    const auto check = [&](const Architecture& a, const BlockNeeds& needs) {
      const Occupancy o = occupancy(a, needs);
      if (o.blocks == 0) return;
      struct Change {
        int BlockNeeds::*what;
        std::optional<int> most;
      };
      const std::array changes = {Change{&BlockNeeds::threads, o.threadsForOneMore},
                                  Change{&BlockNeeds::registers, o.registersForOneMore},
                                  Change{&BlockNeeds::sharedBytes, o.sharedBytesForOneMore}};
      unsigned named = 0;
      for (unsigned i = 0; i < changes.size(); ++i) named |= changes[i].most ? 1u << i : 0u;
      ++seen[named];
      const auto changed = [&](unsigned which) {
        BlockNeeds less = needs;
        for (unsigned i = 0; i < changes.size(); ++i) {
          if (which >> i & 1) less.*changes[i].what = *changes[i].most;
        }
        return less;
      };
      if (named == 0) {
        // Not with the least that a kernel can do with.
        QCOMPARE(occupancy(a, {1, 1, 0}).blocks, o.blocks);
        return;
      }
      QVERIFY(occupancy(a, changed(named)).blocks > o.blocks);
      for (unsigned part = 0; part < named; ++part) {
        if ((part & named) == part) QCOMPARE(occupancy(a, changed(part)).blocks, o.blocks);
      }
      for (unsigned i = 0; i < changes.size(); ++i) {
        if (!changes[i].most) continue;
        BlockNeeds more = changed(named);
        QVERIFY(more.*changes[i].what < needs.*changes[i].what);
        ++(more.*changes[i].what);
        QCOMPARE(occupancy(a, more).blocks, o.blocks);
      }
    };
    for (const Architecture& a : architectures()) {
      for (int round = 0; round < 4000; ++round) {
        // Round figures meet several limits at once.
        const bool rounded = random.integer(0, 1) == 1;
        check(a, {rounded ? 32 * random.integer(1, 32) : random.integer(1, 1024),
                  rounded ? 8 * random.integer(2, 31) : random.integer(16, 255),
                  rounded ? a.sharedPerSm / random.integer(2, 40) - Architecture::kSharedReserved
                          : random.integer(0, a.sharedPerBlock)});
      }
    }
    // Nothing, threads, registers, shared memory, and each two of these.
    for (std::size_t named = 0; named < 7; ++named)
      QVERIFY2(seen[named] > 10, qPrintable(QString::number(named)));
  }

  void severalLimitsInWords() {
    const auto said = [](std::string_view name, const BlockNeeds& needs) {
      return test::q(nextStep(occupancy(arch(name), needs), needs));
    };
    QCOMPARE(said("sm_90", {384, 168, 200000}),
             "limited by registers and shared memory: a second block would fit with 80 registers "
             "per thread (now 168) and 115,712 bytes of shared memory per block (now 200,000)");
    QCOMPARE(occupancy(arch("sm_90"), {384, 80, 115712}).blocks, 2);
    QCOMPARE(said("sm_86", {1024, 64, 0}),
             "limited by warps and registers: a second block would fit with 768 threads per block "
             "(now 1,024) and 40 registers per thread (now 64)");
    QCOMPARE(occupancy(arch("sm_86"), {768, 40, 0}).blocks, 2);
    // Fewer threads alone save registers enough.
    QCOMPARE(said("sm_86", {1024, 40, 0}),
             "limited by warps and registers: a second block would fit with 768 threads per block "
             "(now 1,024)");
    // Nothing adds slots for blocks.
    QCOMPARE(said("sm_90", {32, 64, 0}), "limited by block slots and registers");
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
      const Architecture& a = anyArchitecture(random);
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
            "limited by shared memory: a third block would fit with 76,800 bytes of shared memory "
            "per block (now 102,400)"));
    const BlockNeeds tiny = {32, 32, 0};
    QCOMPARE(test::q(nextStep(occupancy(defaultArchitecture(), tiny), tiny)),
             QString("limited by block slots"));
  }

  void lessNeverHoldsFewer() {
    test::Random random(test::seed() + 1);
    for (int round = 0; round < 2000; ++round) {
      const Architecture& a = anyArchitecture(random);
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
