// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/wavefronts.h"

#include <QtTest>
#include <bit>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "kernels/analysis/memory/access_cost.h"
#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

class WavefrontsTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kAll = 0xFFFFFFFF;

  using Words = std::array<std::uint32_t, 32>;

  static Words words(const std::function<std::uint32_t(std::uint32_t)>& wordOf) {
    Words list{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) list[lane] = wordOf(lane);
    return list;
  }

  static void expect(const Words& list, std::uint32_t width, std::uint32_t count,
                     std::uint32_t ideal, std::uint32_t mask = kAll) {
    const Wavefronts result = wavefronts(list, mask, width);
    QCOMPARE(result.count, count);
    QCOMPARE(result.ideal, ideal);
    QCOMPARE(result.conflicts(), count - ideal);
  }

 private slots:
  // ldmatrix: lane l names row l % 8 of matrix l / 8, 16 bytes of it.
  void rowsOfMatrices_data() {
    QTest::addColumn<int>("pitch");  // words from one row to the next
    QTest::addColumn<int>("count");
    QTest::newRow("rows side by side") << 4 << 4;
    QTest::newRow("32 bytes apart") << 8 << 8;
    QTest::newRow("64 bytes apart") << 16 << 16;
    QTest::newRow("128 bytes apart") << 32 << 32;
    QTest::newRow("256 bytes apart") << 64 << 32;
    QTest::newRow("128 bytes and a chunk apart") << 36 << 4;
  }
  void rowsOfMatrices() {
    QFETCH(int, pitch);
    QFETCH(int, count);
    const auto list = words([&](std::uint32_t lane) {
      return lane % 16 * static_cast<std::uint32_t>(pitch) + lane / 16 * 4;
    });
    const Wavefronts load = sharedCost(emulator::Kind::MatrixLoad, list, {}, kAll, 4).shared;
    QCOMPARE(load.count, static_cast<std::uint32_t>(count));
    QCOMPARE(load.ideal, 4u);
    QCOMPARE(load.degree, static_cast<std::uint32_t>(count) / 4);
  }

  // Lanes that name the same rows in pairs save an ordinary load two of its four quarters.
  void matricesAreServedOneByOne() {
    const auto list = words([](std::uint32_t lane) { return lane / 2 * 4; });
    using emulator::Kind;
    QCOMPARE(sharedCost(Kind::SharedLoad, list, {}, kAll, 4).shared.count, 2u);
    QCOMPARE(sharedCost(Kind::MatrixLoad, list, {}, kAll, 4).shared.count, 4u);
  }

  void oneWordForAllIsOneWavefront() {
    for (const std::uint32_t word : {0u, 31u, 32u, 4097u}) {
      expect(words([=](std::uint32_t) { return word; }), 1, 1, 1);
    }
  }

  void strides_data() {
    QTest::addColumn<unsigned>("stride");
    for (unsigned stride = 1; stride <= 66; ++stride) QTest::addRow("%u", stride) << stride;
  }
  // Lanes s words apart meet in a bank as often as s and 32 have divisors in common.
  void strides() {
    QFETCH(unsigned, stride);
    expect(words([=](std::uint32_t lane) { return lane * stride; }), 1, std::gcd(stride, 32u), 1);
  }

  void hardwareDocumentsStrides() {
    const auto strided = [](std::uint32_t s) {
      return words([s](std::uint32_t lane) { return lane * s; });
    };
    expect(strided(1), 1, 1, 1);
    expect(strided(2), 1, 2, 1);
    expect(strided(32), 1, 32, 1);
    expect(strided(33), 1, 1, 1);
  }

  void aColumnOfATileIsFreeWhenPadded() {
    const auto column = [](std::uint32_t pitch) {
      return words([pitch](std::uint32_t lane) { return lane * pitch + 5; });
    };
    expect(column(32), 1, 32, 1);
    expect(column(33), 1, 1, 1);
    expect(column(36), 1, 4, 1);
  }

  // Warp tiling's transposed store, BK = 16, BM = 128: four lanes of a row of A meet in one bank.
  void aTurnedStoreConflicts() {
    const auto turned = [](std::uint32_t pitch) {
      return words([pitch](std::uint32_t lane) { return lane % 4 * 4 * pitch + lane / 4; });
    };
    expect(turned(128), 1, 4, 1);
    expect(turned(130), 1, 1, 1);
  }

  void wideAccessesGoByHalvesAndQuarters() {
    expect(words([](std::uint32_t lane) { return 2 * lane; }), 2, 2, 2);
    expect(words([](std::uint32_t lane) { return 4 * lane; }), 4, 4, 4);
    // The quarters are separate: what lanes 0 and 8 want at once does not matter.
    expect(words([](std::uint32_t lane) { return lane % 8 * 4 + lane / 8 * 1024; }), 4, 4, 4);
  }

  void pairsOfLanesShareAWavefront() {
    expect(words([](std::uint32_t lane) { return 4 * (lane / 2); }), 4, 2, 2);
    expect(words([](std::uint32_t lane) { return 4 * (lane / 4 * 2 + lane % 2); }), 4, 2, 2);
    expect(words([](std::uint32_t lane) { return 2 * (lane / 2); }), 2, 1, 1);
    expect(words([](std::uint32_t lane) { return 2 * (lane / 4 * 2 + lane % 2); }), 2, 1, 1);
    // One pair that differs spoils it for all, and pairs four lanes apart do not count.
    expect(words([](std::uint32_t lane) { return lane == 31 ? 64u : 4 * (lane / 2); }), 4, 4, 4);
    expect(words([](std::uint32_t lane) { return 4 * (lane / 8 * 4 + lane % 4); }), 4, 4, 4);
  }

  // Rung 5's reads of Bs with TN = 8: fragments eight floats apart.
  void fragmentsEightFloatsApartCollide() {
    expect(words([](std::uint32_t lane) { return 8 * lane; }), 4, 8, 4);
    expect(words([](std::uint32_t lane) { return 8 * (lane % 16); }), 4, 8, 4);
  }

  // Warp tiling's reads: a few lanes' fragments side by side, the rest of the warp the same.
  void warpTiledFragmentsDoNotCollide() {
    const auto rowOfA = words([](std::uint32_t lane) { return 8 * (lane / 4); });
    const auto rowOfB = words([](std::uint32_t lane) { return 4 * (lane % 4); });
    expect(rowOfA, 4, 2, 2);
    expect(rowOfB, 4, 4, 4);
  }

  void inactiveLanesCostNothing() {
    const Words column = words([](std::uint32_t lane) { return 32 * lane; });
    expect(column, 1, 0, 0, 0);
    expect(column, 1, 1, 1, 0x00010000);
    expect(column, 1, 3, 1, 0x80000101);
    const Words wide = words([](std::uint32_t lane) { return 4 * lane; });
    expect(wide, 4, 0, 0, 0);
    expect(wide, 4, 1, 1, 0x000000FF);
    expect(wide, 4, 2, 2, 0x01000080);
    const Words half = words([](std::uint32_t lane) { return 2 * lane; });
    expect(half, 2, 1, 1, 0x0000FFFF);
    expect(half, 2, 2, 2, 0x000FF000);
  }

  void aPartnerThatSleepsDoesNotSpoilPairing() {
    const Words paired = words([](std::uint32_t lane) { return 4 * (lane / 2); });
    expect(paired, 4, 2, 2, 0x55555555);
    expect(paired, 4, 2, 2, 0x7FFFFFFF);
    const Words half = words([](std::uint32_t lane) { return 2 * lane; });
    expect(half, 2, 1, 1, 0x00018000);  // lanes 15 and 16 have no partner at all
  }

  // Measured on an H100: pairs of lanes help loads only.
  void storesKnowNoPairs() {
    const Words paired = words([](std::uint32_t lane) { return 4 * (lane / 2); });
    const Wavefronts stored = wavefronts(paired, kAll, 4, true);
    QCOMPARE(stored.count, 4u);
    QCOMPARE(stored.ideal, 4u);
    const Words half = words([](std::uint32_t lane) { return 2 * (lane / 2); });
    QCOMPARE(wavefronts(half, kAll, 2, true).count, 2u);
    QCOMPARE(wavefronts(half, kAll, 1, true).count, 1u);
  }

  void extraWavefrontsAreThoseOfConflicts() {
    const Words apart = words([](std::uint32_t lane) { return 8 * lane; });
    QCOMPARE(wavefronts(apart, kAll, 4).extra, 0b10101010u);  // the second one of each quarter
    const Words columns = words([](std::uint32_t lane) { return 32 * lane; });
    QCOMPARE(wavefronts(columns, kAll, 1).extra, 0xFFFFFFFEu);
    QCOMPARE(wavefronts(columns, 1, 1).extra, 0u);
  }

  void everyWordIsServedOnceAndEveryBankHasOneWord_data() {
    QTest::addColumn<unsigned>("width");
    for (const unsigned width : {1u, 2u, 4u}) QTest::addRow("%u words", width) << width;
  }
  void everyWordIsServedOnceAndEveryBankHasOneWord() {
    QFETCH(unsigned, width);
    test::Random random(test::seed());
    for (int round = 0; round < 2000; ++round) {
      const int spread = random.integer(1, 400);
      const std::uint32_t mask = random.oneIn(3)
                                     ? kAll
                                     : static_cast<std::uint32_t>(random.integer(0, 65535)) << 16 |
                                           static_cast<std::uint32_t>(random.integer(0, 65535));
      Words list{};
      for (std::uint32_t& word : list) {
        word = static_cast<std::uint32_t>(random.integer(0, spread)) * width;
      }
      if (random.oneIn(4)) {
        for (std::uint32_t lane = 0; lane < 32; lane += 2) list[lane] = list[lane + 1];
      }
      const Wavefronts result = wavefronts(list, mask, width, random.oneIn(2));
      std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> wordOfBank;
      std::set<std::uint32_t> used;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t w = 0; w < kMostWidth; ++w) {
          const std::uint32_t served = result.servedIn[lane * kMostWidth + w];
          if ((mask >> lane & 1u) == 0 || w >= width) {
            QCOMPARE(served, 0xFFu);
            continue;
          }
          used.insert(served);
          const std::uint32_t word = list[lane] + w;
          const auto [entry, isNew] = wordOfBank.try_emplace({served, word % kBanks}, word);
          QCOMPARE(entry->second, word);
        }
      }
      QCOMPARE(static_cast<std::uint32_t>(used.size()), result.count);
      if (!used.empty()) QCOMPARE(*used.rbegin() + 1, result.count);
      QVERIFY(result.ideal <= result.count);
      QCOMPARE(static_cast<std::uint32_t>(std::popcount(result.extra)), result.conflicts());
      QVERIFY(result.ideal <= width);
      QCOMPARE(result.ideal == 0, mask == 0);
      if (width != 1) continue;
      // Scalar accesses once more from the definition.
      std::map<std::uint32_t, std::set<std::uint32_t>> banks;
      std::size_t worst = 0;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        if ((mask >> lane & 1u) != 0) banks[list[lane] % 32].insert(list[lane]);
      }
      for (const auto& [bank, distinct] : banks) worst = std::max(worst, distinct.size());
      QCOMPARE(std::size_t{result.count}, worst);
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::WavefrontsTest, Nothing)
#include "wavefronts_test.moc"
