// SPDX-License-Identifier: GPL-3.0-or-later
// The source of rung 15 says when fragments are loaded. The machine code shows the effect: how many
// multiply-adds are between a load and the first one that needs it.
#include <QtTest>
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/gpu/compile/build.h"
#include "kernels/sass/loop_size.h"
#include "kernels/tile/build_target.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/subject.h"
#include "tests/gpu/cubin_code.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::gpu {

using test::q;

class InstructionOrderTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const Nvrtc> nvrtc_;

  // The fields of compute capability 9.0 that this test needs, read off disassemblies of the rungs.
  struct Code {
    std::uint64_t low = 0, high = 0;

    int at(int bit, int bits) const { return static_cast<int>(low >> bit & ((1u << bits) - 1)); }
    bool isFfma() const { return at(0, 12) == 0x223; }
    // An instruction that is not disabled: the assembler puts some disabled ones after the barrier.
    bool isSharedLoad() const { return at(0, 12) == 0x984 && at(12, 4) == 7; }
    int target() const { return at(16, 8); }
    int words() const { return (high >> 9 & 7) == 6 ? 4 : (high >> 9 & 7) == 5 ? 2 : 1; }
    bool uses(int first, int count) const {
      const auto inside = [&](int r) { return r >= first && r < first + count; };
      return inside(at(24, 8)) || inside(at(32, 8));
    }
    // Instructions from the next one to the target of a branch; std::nullopt: not a branch.
    std::optional<std::int64_t> distance() const {
      if (at(0, 12) != 0x947) return std::nullopt;
      const std::uint64_t units =
          (low >> 34 | (high & 0x3ffff) << 30) << 8 | static_cast<std::uint64_t>(at(16, 8));
      return static_cast<std::int64_t>(units << 8) / 256 * 4 / 16;
    }
  };

  // The main loop.
  static std::vector<Code> loopOf(const Build& build) {
    const std::string text = codeOf(build.cubin, build.rung()->id);
    std::vector<Code> all(text.size() / sizeof(Code));
    std::memcpy(all.data(), text.data(), all.size() * sizeof(Code));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto way = all[i].distance();
      if (!way || *way != -build.loop.instructions) continue;
      const auto end = all.begin() + static_cast<std::ptrdiff_t>(i) + 1;
      return {end + *way, end};
    }
    return {};
  }

  // For each shared load the multiply-adds before the first one that reads its result, across
  // iterations.
  static std::vector<int> distances(const std::vector<Code>& loop) {
    std::vector<int> all;
    for (std::size_t i = 0; i < loop.size(); ++i) {
      if (!loop[i].isSharedLoad()) continue;
      int between = 0;
      for (std::size_t j = 1; j < loop.size(); ++j) {
        const Code& later = loop[(i + j) % loop.size()];
        if (!later.isFfma()) continue;
        if (later.uses(loop[i].target(), loop[i].words())) break;
        ++between;
      }
      all.push_back(between);
    }
    return all;
  }

  Result<Build> built(const Stage& stage, const TileShape& tile) const {
    return buildStage(*nvrtc_, nullptr, usualSubject(stage, tile), *architectureNamed("sm_90"));
  }

 private slots:
  void initTestCase() {
    auto loaded = Nvrtc::load();
    if (!loaded) QSKIP(qPrintable("NOT TESTED: " + q(loaded.error().text)));
    nvrtc_ = *loaded;
  }

  // A load of 128 bits per lane takes about 30 cycles if nothing delays it, and with two warps per
  // scheduler 32 multiply-adds take 64. NVRTC 13.0 leaves at least 44.
  void fragmentsAreLoadedLongBeforeTheirUse() {
    const Stage& stage = test::stage("scheduled");
    Stage unasked = stage;
    unasked.assemblerLevel = kUsualAssemblerLevel;
    int least = 0, without = 0;
    // NVRTC 13.0 seldom generates other code from the same text.
    for (int attempt = 0; attempt < 3 && least < 32; ++attempt) {
      const auto build = built(stage, stage.standardTile());
      QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
      const auto loop = loopOf(*build);
      QCOMPARE(std::ranges::count_if(loop, &Code::isFfma), 1024);
      const auto all = distances(loop);
      QCOMPARE(all.size(), std::size_t{8 * 6});
      least = std::ranges::min(all);
      const auto other = built(unasked, stage.standardTile());
      QVERIFY(other);
      without = std::ranges::min(distances(loopOf(*other)));
    }
    qInfo(
        "%d multiply-adds from a load to its first use, %d where the assembler orders as it likes",
        least, without);
    QVERIFY(least >= 32);
    QVERIFY(without < least);
  }

  void theAssemblerIsAskedByNoOtherRung() {
    for (const Stage* stage : everyStage()) {
      const auto options = compileOptions(standardSubject(*stage), "sm_90");
      QCOMPARE(std::ranges::count(options, "--ptxas-options=-O1"),
               stage->id == "scheduled" ? 1 : 0);
    }
  }

  // Random tiles, including odd rows and narrow loads, stay within their registers.
  void tilesDoNotSpill() {
    const Stage& stage = test::stage("scheduled");
    test::Random random(15);
    int spilled = 0;
    const auto tiles = test::legalTiles(stage, test::briefly() ? 2 : 6, random);
    for (const TileShape& tile : tiles) {
      const auto build = built(stage, tile);
      QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
      QVERIFY(build->resources.registers <= launchedRegisters(stage, tile));
      spilled += build->resources.spillStores > 0 ? 1 : 0;
    }
    QCOMPARE(spilled, 0);
  }
};

}  // namespace tileloom::gpu

TILELOOM_TEST(tileloom::gpu::InstructionOrderTest, EventLoop)
#include "instruction_order_test.moc"
