// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/coalescing.h"

#include <QtTest>
#include <array>
#include <functional>
#include <set>

#include "tests/support/random.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

class CoalescingTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kAll = 0xFFFFFFFF;

  static void expect(const std::function<std::uint32_t(std::uint32_t)>& elementOf,
                     std::uint32_t width, std::uint32_t sectors, std::uint32_t usefulBytes,
                     std::uint32_t mask = kAll) {
    std::array<std::uint32_t, 32> elements{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) elements[lane] = elementOf(lane);
    const Coalescing result = coalescing(elements, mask, width);
    QCOMPARE(result.sectors, sectors);
    QCOMPARE(result.usefulBytes, usefulBytes);
    QCOMPARE(result.fetchedBytes(), 32 * sectors);
  }

  static Coalescing at(std::uint32_t width, std::uint32_t stride, std::uint32_t first = 0) {
    std::array<std::uint32_t, 32> elements{};
    for (std::uint32_t lane = 0; lane < 32; ++lane) elements[lane] = first + lane * stride;
    return coalescing(elements, kAll, width);
  }

 private slots:
  // l1tex__data_pipe_lsu_wavefronts of loads that L1 has, and of stores, on an H200 (2026-11-28,
  // ncu; a kernel of nothing else). Strides are in words.
  void wavefrontsAsCounted() {
    struct Row {
      std::uint32_t width, stride, wavefronts;
    };
    for (const Row& row :
         {Row{1, 0, 1},   Row{1, 1, 1},   Row{1, 2, 2},    Row{1, 4, 4},   Row{1, 8, 8},
          Row{1, 9, 1},   Row{1, 12, 4},  Row{1, 16, 16},  Row{1, 17, 1},  Row{1, 24, 8},
          Row{1, 32, 32}, Row{1, 33, 1},  Row{1, 34, 2},   Row{1, 36, 4},  Row{1, 40, 8},
          Row{1, 48, 16}, Row{1, 96, 32}, Row{1, 160, 32}, Row{1, 257, 1}, Row{1, 1024, 32},
          Row{2, 0, 2},   Row{2, 2, 2},   Row{2, 4, 4},    Row{2, 8, 8},   Row{2, 12, 4},
          Row{2, 18, 2},  Row{2, 32, 32}, Row{2, 34, 2},   Row{2, 130, 2}, Row{4, 0, 4},
          Row{4, 4, 4},   Row{4, 8, 8},   Row{4, 12, 4},   Row{4, 16, 16}, Row{4, 20, 4},
          Row{4, 32, 32}, Row{4, 36, 4},  Row{4, 40, 8},   Row{4, 48, 16}, Row{4, 72, 8}})
      QVERIFY2(at(row.width, row.stride).wavefronts == row.wavefronts,
               qPrintable(QString("%1 x %2").arg(row.width).arg(row.stride)));
    // Where they begin does not matter, nor how many lines they are of.
    for (const std::uint32_t first : {1u, 2u, 8u, 31u}) {
      QCOMPARE(at(1, 1, first).wavefronts, 1u);
      QCOMPARE(at(1, 1, first).lines, 2u);
    }
    QCOMPARE(at(4, 4, 4).wavefronts, 4u);
    QCOMPARE(at(4, 4, 4).lines, 5u);
  }

  // The tags of L1 take four lines a cycle.
  void passes() {
    QCOMPARE(at(1, 33).passes(), 8u);
    QCOMPARE(at(1, 32).passes(), 32u);
    QCOMPARE(at(1, 9).passes(), 3u);
    QCOMPARE(at(1, 1).passes(), 1u);
  }

  void contiguousFloatsFillFourSectors() {
    expect([](std::uint32_t lane) { return lane; }, 1, 4, 128);
    expect([](std::uint32_t lane) { return 31 - lane; }, 1, 4, 128);
    expect([](std::uint32_t lane) { return 4096 + (lane * 7) % 32; }, 1, 4, 128);
  }

  void contiguousFloat4FillSixteen() {
    expect([](std::uint32_t lane) { return 4 * lane; }, 4, 16, 512);
    expect([](std::uint32_t lane) { return 2 * lane; }, 2, 8, 256);
  }

  void scatteredLanesCostASectorEach() {
    expect([](std::uint32_t lane) { return 4096 * lane; }, 1, 32, 128);
    expect([](std::uint32_t lane) { return 8 * lane; }, 1, 32, 128);
    expect([](std::uint32_t lane) { return 4096 * lane; }, 4, 32, 512);
  }

  void strideTwoUsesHalfOfEachSector() {
    expect([](std::uint32_t lane) { return 2 * lane; }, 1, 8, 128);
  }

  void aBroadcastIsOneSector() {
    expect([](std::uint32_t) { return 12345; }, 1, 1, 4);
    expect([](std::uint32_t) { return 12344; }, 4, 1, 16);
  }

  void aMisalignedStartCostsOneMore() {
    expect([](std::uint32_t lane) { return lane + 1; }, 1, 5, 128);
    expect([](std::uint32_t lane) { return lane + 7; }, 1, 5, 128);
    expect([](std::uint32_t lane) { return lane + 8; }, 1, 4, 128);
    expect([](std::uint32_t lane) { return 4 * lane + 4; }, 4, 17, 512);
  }

  void overlappingLanesCountEachByteOnce() {
    expect([](std::uint32_t lane) { return lane / 2; }, 1, 2, 64);
    expect([](std::uint32_t lane) { return lane; }, 4, 5, 4 * 35);
  }

  void onlyActiveLanesCount() {
    expect([](std::uint32_t lane) { return lane; }, 1, 0, 0, 0);
    expect([](std::uint32_t lane) { return lane; }, 1, 1, 32, 0x000000FF);
    expect([](std::uint32_t lane) { return lane; }, 1, 4, 16, 0x01010101);
    expect([](std::uint32_t lane) { return 8 * lane; }, 1, 1, 4, 0x80000000);
  }

  void randomAccessesAgreeWithTheDefinition() {
    test::Random random(test::seed());
    for (int round = 0; round < 1000; ++round) {
      const std::uint32_t width = 1u << random.integer(0, 2);
      const int spread = random.integer(1, 500);
      const auto mask = static_cast<std::uint32_t>(random.integer(0, 0x7FFFFFFF));
      std::array<std::uint32_t, 32> elements{};
      std::set<std::uint32_t> floats, sectors;
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        elements[lane] = static_cast<std::uint32_t>(random.integer(0, spread));
        if ((mask >> lane & 1u) == 0) continue;
        for (std::uint32_t w = 0; w < width; ++w) {
          floats.insert(elements[lane] + w);
          sectors.insert((elements[lane] + w) / 8);
        }
      }
      const Coalescing result = coalescing(elements, mask, width);
      QCOMPARE(std::size_t{result.sectors}, sectors.size());
      QCOMPARE(std::size_t{result.usefulBytes}, 4 * floats.size());
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::CoalescingTest, Nothing)
#include "coalescing_test.moc"
