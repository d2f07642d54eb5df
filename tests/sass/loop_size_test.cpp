// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/loop_size.h"

#include <QElapsedTimer>
#include <QtTest>

#include "kernels/gpu/compile/build.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/parameters.h"
#include "tests/support/cubin_file.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using sass::LoopSize;
using sass::loopSize;

std::vector<char> elfOf(const std::vector<std::array<std::uint64_t, 2>>& code) {
  return CubinFile{}.with(code);
}

constexpr std::array<std::uint64_t, 2> kFfma = {0x0000000201007223, 0x0000000000000000};
constexpr std::array<std::uint64_t, 2> kHmma = {0x0000000e0804723c, 0x0000000000001804};
constexpr std::array<std::uint64_t, 2> kMove = {0x0000000000017802, 0};

// A branch by this many instructions from the next one.
std::array<std::uint64_t, 2> branch(std::int64_t instructions) {
  const auto units = static_cast<std::uint64_t>(instructions * 4);
  const std::uint64_t upper = units >> 8 & 0xffffffffffff;
  return {0x7947 | (units & 0xff) << 16 | upper << 34, upper >> 30};
}

class LoopSizeTest : public QObject {
  Q_OBJECT

 private slots:
  void theLoopWithTheMostMultiplyAdds() {
    // move, [ffma, move, back], [ffma, ffma, move, back], on, move
    const auto code =
        elfOf({kMove, kFfma, kMove, branch(-3), kFfma, kFfma, kMove, branch(-4), branch(1), kMove});
    const auto loop = loopSize(code);
    QVERIFY(loop.has_value());
    QCOMPARE(loop->instructions, 4);
    QCOMPARE(loop->ffmas, 2);
    QCOMPARE(loop->slotsPerFfma(), 2.0);
  }

  void ofEqualsTheInnermost() {
    const auto loop = loopSize(elfOf({kMove, kFfma, branch(-2), kMove, branch(-5)}));
    QVERIFY(loop == (LoopSize{2, 1}));
  }

  // An mma of a warp counts as 64 FFMAs.
  void productsOnTensorCores() {
    const auto loop = loopSize(elfOf(
        {kFfma, kFfma, kMove, branch(-4), kMove, kHmma, kMove, kHmma, branch(-4), branch(1)}));
    QVERIFY(loop.has_value());
    QVERIFY(*loop == (LoopSize{4, 0, 2}));
    QCOMPARE(loop->slotsPerFfma(), 0.0);  // irrelevant for FP32 predictions
  }

  // The compiled code of each rung of the tensor ladder holds all multiply-adds of a K tile.
  void theTensorLadder() {
    const auto nvrtc = gpu::Nvrtc::load();
    if (!nvrtc) QSKIP("needs NVRTC");
    for (const Stage& s : tensorStages()) {
      const TileShape tile = s.standardTile();
      const bool groups = s.features().warpgroupMma;
      const int tiles = groups ? tile[Parameter::BM] / tile[Parameter::CONSUMERS] / 64
                               : tile[Parameter::WM] / 16 * (tile[Parameter::WN] / 8);
      // The loop of T13 covers all stages of its pipeline.
      const int together = s.split() == SplitK::Rounds ? tile[Parameter::STAGES] : 1;
      const int products = tiles * (tile[Parameter::BK] / 16) * together;
      for (const std::string_view arch : sass::listedArchitectures(s)) {
        for (const Format format : s.formats) {
          if (format != s.usualFormat() && arch != "sm_90") continue;  // the same for all
          const auto build = gpu::buildStage(**nvrtc, nullptr, {&s, tile, format},
                                             *architectureNamed(arch), gpu::SourceLines::Left);
          QVERIFY2(build.has_value(), build ? "" : build.error().text.c_str());
          const LoopSize& loop = build->loop;
          const QString said = QString("%1 %2: %3 instructions, %4 FFMA, %5 HMMA, %6 HGMMA")
                                   .arg(q(s.id), q(arch))
                                   .arg(loop.instructions)
                                   .arg(loop.ffmas)
                                   .arg(loop.hmmas)
                                   .arg(loop.hgmmas);
          QVERIFY2(loop.ffmas == 0 && loop.hmmas == (groups ? 0 : products) &&
                       loop.hgmmas == (groups ? products : 0),
                   qPrintable(said));
          // wgmma are large, so most of it is issuing TMA loads and waiting.
          QVERIFY2(loop.instructions > products && loop.instructions < (groups ? 60 : 4) * products,
                   qPrintable(said));
        }
      }
    }
  }

  void whatIsNone() {
    QVERIFY(!loopSize({}));
    QVERIFY(!loopSize(elfOf({})));
    QVERIFY(!loopSize(elfOf({kFfma, kFfma})));          // no loop
    QVERIFY(!loopSize(elfOf({kMove, branch(-2)})));     // no multiply-add
    QVERIFY(!loopSize(elfOf({kFfma, branch(-1000)})));  // to where nothing is
    const auto good = elfOf({kFfma, branch(-2)});
    QVERIFY(loopSize(good).has_value());
    // Truncated or damaged anywhere, it must not read beyond its end.
    for (std::size_t cut = 0; cut < good.size(); ++cut) (void)loopSize(std::span(good).first(cut));
    for (std::size_t at = 0; at < good.size(); ++at) {
      auto bad = good;
      bad[at] = static_cast<char>(0xff);
      (void)loopSize(bad);
    }
  }

  // A hundred thousand nested loops, in no time.
  void manyLoops() {
    constexpr std::int64_t kMany = 100'000;
    std::vector<std::array<std::uint64_t, 2>> code = {kFfma};
    for (std::int64_t i = 1; i < kMany; ++i) code.push_back(branch(-i - 1));
    QElapsedTimer timer;
    timer.start();
    QVERIFY(loopSize(elfOf(code)) == (LoopSize{2, 1}));
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString("%1 ms").arg(timer.elapsed())));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::LoopSizeTest, EventLoop)
#include "loop_size_test.moc"
