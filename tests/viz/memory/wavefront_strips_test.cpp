// SPDX-License-Identifier: GPL-3.0-or-later
// The strips of an access are its wavefronts, each at its origin.
#include "viz/memory/wavefront_strips.h"

#include <QtTest>
#include <bit>
#include <set>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class WavefrontStripsTest : public QObject {
  Q_OBJECT

  // In one pass no bank, or no place of a line, serves two words.
  static bool isOnePass(const WavefrontStrip& strip) {
    std::set<std::uint32_t> places;
    for (const auto& [word, use] : strip.uses) {
      if (!places.insert(word % analysis::kBanks).second) return false;
    }
    return true;
  }

 private slots:
  // Rung 12 copies A float by float: one wavefront in the banks, four lines in L1.
  void aCopyThatCostsInL1() {
    const auto r = test::recorded({.stage = "async"});
    const analysis::Moment m = r->moment(0, 0);
    QVERIFY(m.instruction.kind == emulator::Kind::AsyncCopy && m.width == 1);
    QCOMPARE(m.cost.shared.count, 1u);
    QCOMPARE(m.cost.wavefronts(), 4u);
    const auto strips = wavefrontStrips(m);
    QCOMPARE(strips.size(), std::size_t{5});
    QCOMPARE(stripCount(m), 5u);
    QVERIFY(!strips[0].inL1 && !strips[0].extra);
    std::uint32_t lanes = 0;
    for (std::uint32_t pass = 0; pass < 4; ++pass) {
      const WavefrontStrip& strip = strips[pass + 1];
      QVERIFY(strip.inL1);
      QCOMPARE(strip.extra, pass > 0);
      QCOMPARE(strip.number, pass);
      QCOMPARE(strip.uses.size(), std::size_t{8});
      QVERIFY(isOnePass(strip));
      for (const auto& [element, use] : strip.uses) {
        QCOMPARE(element, m.cost.copied[use.lane]);
        QVERIFY((lanes & use.lanes) == 0);
        lanes |= use.lanes;
      }
    }
    QCOMPARE(lanes, ~0u);
  }

  // ldmatrix serves four matrices one after the other: 8 wavefronts each in plain rows, one each
  // where chunks are swizzled.
  void stripsOfMatrices() {
    for (const auto& [swizzle, each] : {std::pair(0, 8u), std::pair(128, 1u)}) {
      const TileShape tile =
          test::stage("swizzled").standardTile().with(Parameter::SWIZZLE, swizzle);
      const auto r = test::recorded({.stage = "swizzled", .tile = tile});
      const auto index = test::indexOf(*r, 0, [&](const emulator::Instruction& i) {
        return i.kind == emulator::Kind::MatrixLoad && r->trace.arrays[i.array].name == "Bs";
      });
      const analysis::Moment m = r->moment(0, index);
      const auto strips = wavefrontStrips(m);
      QCOMPARE(strips.size(), std::size_t{4 * each});
      for (std::uint32_t i = 0; i < strips.size(); ++i) {
        QCOMPARE(strips[i].matrix, i / each);
        QCOMPARE(strips[i].inMatrix, i % each);
        QCOMPARE(strips[i].ofMatrix, each);
        QCOMPARE(strips[i].extra, i % each > 0);
        for (const auto& [word, use] : strips[i].uses) QCOMPARE(use.lane / 8, i / each);
      }
    }
  }

  // On every rung with shared memory: the strips added by conflicts equal the count, and each word
  // of each lane occurs once.
  void stripsAreWhatIsCounted() {
    for (const Stage& stage : stages()) {
      if (!stage.features().sharedTiles) continue;
      const auto r = test::recorded({.stage = stage.id});
      for (std::uint32_t i = 0; i < r->trace.length(0); ++i) {
        const analysis::Moment m = r->moment(0, i);
        if (!emulator::isShared(m.instruction.kind) || m.follower || m.cost.wavefronts() == 0)
          continue;
        const auto strips = wavefrontStrips(m);
        QCOMPARE(strips.size(), std::size_t{stripCount(m)});
        std::uint32_t extra = 0, inL1 = 0;
        std::array<int, 32> words{};
        for (const WavefrontStrip& strip : strips) {
          extra += strip.extra ? 1 : 0;
          inL1 += strip.inL1 ? 1 : 0;
          if (strip.inL1) QVERIFY(isOnePass(strip));
          for (const auto& [word, use] : strip.uses) {
            for (std::uint32_t lane = 0; lane < 32; ++lane)
              words[lane] += !strip.inL1 && (use.lanes >> lane & 1u) != 0 ? 1 : 0;
          }
        }
        QCOMPARE(extra, m.cost.conflicts());
        QCOMPARE(strips.size() - (inL1 > 0 ? 1 : 0), std::size_t{m.cost.wavefronts()});
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          const bool active = (m.instruction.mask >> lane & 1u) != 0;
          QCOMPARE(words[lane], active ? int(m.width) : 0);
        }
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WavefrontStripsTest, Nothing)
#include "wavefront_strips_test.moc"
