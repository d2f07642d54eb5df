// SPDX-License-Identifier: GPL-3.0-or-later
// Every shared word knows which element of A or B it holds, in whatever layout.
#include <QtTest>

#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "tests/support/random_tiles.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class ProvenanceTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  // Where the layouts of the ladder keep things, written down a second time.
  struct Layout {
    std::uint32_t blockM, blockN, stepK, firstRow, firstColumn, k, n;
    bool turned;  // As holds K down and M across

    Provenance elementOf(const Array& array, std::uint32_t index, std::uint32_t kTile) const {
      const std::uint32_t k0 = kTile * stepK;
      if (array.name == "As") {
        const std::uint32_t row = turned ? index % blockM : index / stepK;
        const std::uint32_t dot = turned ? index / blockM : index % stepK;
        return Provenance::element(Provenance::Source::A, (firstRow + row) * k + k0 + dot);
      }
      const std::uint32_t dot = index / blockN, column = index % blockN;
      return Provenance::element(Provenance::Source::B, (k0 + dot) * n + firstColumn + column);
    }
  };

 private slots:
  void bitsRoundTrip() {
    QVERIFY(!Provenance().known());
    QVERIFY(!Provenance().isElement() && !Provenance().isAccumulator());
    constexpr std::uint32_t kLast = (1u << 30) - 1;
    for (const auto source :
         {Provenance::Source::A, Provenance::Source::B, Provenance::Source::C}) {
      for (const std::uint32_t index : {0u, 1u, kLast}) {
        const Provenance p(Provenance::element(source, index).bits());
        QVERIFY(p.known() && p.isElement() && !p.isAccumulator());
        QVERIFY(p.source() == source);
        QCOMPARE(p.index(), index);
      }
    }
    for (const std::uint32_t slot : {0u, 511u}) {
      const Provenance p(Provenance::accumulator(slot).bits());
      QVERIFY(p.known() && p.isAccumulator() && !p.isElement());
      QCOMPARE(p.slot(), slot);
    }
  }

  void sharedWordsHoldTheirElement_data() { test::addStageRows(); }
  void sharedWordsHoldTheirElement() {
    const Stage& stage = test::stageOfRow();
    if (!stage.is(Trait::SharedTiles)) QSKIP("has no shared memory");
    test::Random random(test::seed());
    std::vector<TileShape> tiles = test::legalTiles(stage, 4, random);
    for (const TileShape& tile : tiles) {
      const Derived d = derive(stage, tile);
      TraceRequest request;
      request.stage = &stage;
      request.tile = tile;
      request.problem = {2 * d.blockM, 3 * d.blockN, 2 * d.stepK};
      request.block = stage.rowsAlongX ? Extent{1, 2} : Extent{2, 1};  // second row, third column
      const Trace trace = traceBlock(workspace_, request);
      QVERIFY(trace.faults.empty());
      const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
      const Layout layout = {
          u(d.blockM),     u(d.blockN),        u(d.stepK),         u(d.blockM),
          2 * u(d.blockN), u(trace.problem.k), u(trace.problem.n), stage.is(Trait::WideFill)};
      QCOMPARE(trace.arrays.size(), std::size_t{5});
      for (std::uint32_t kTile = 0; kTile < 2; ++kTile) {
        std::vector<std::vector<int>> stores(2);
        stores[0].resize(trace.arrays[3].elements);
        stores[1].resize(trace.arrays[4].elements);
        std::size_t loads = 0;
        for (std::uint32_t interval = 2 * kTile; interval < 2 * kTile + 2; ++interval) {
          for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
            const WarpInterval view = trace.at(warp, interval);
            for (std::size_t i = 0; i < view.instructions.size(); ++i) {
              const Instruction& instruction = view.instructions[i];
              if (!isShared(instruction.kind)) continue;
              QCOMPARE(instruction.kTile, kTile);
              const Array& array = trace.arrays[instruction.array];
              for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
                if ((instruction.mask >> lane & 1u) == 0) continue;
                const std::uint32_t* words = view.payload(i, lane);
                for (std::uint32_t w = 0; w < instruction.width; ++w) {
                  QCOMPARE(words[1 + w], layout.elementOf(array, words[0] + w, kTile).bits());
                  if (instruction.kind == Kind::SharedStore) {
                    ++stores[instruction.array - 3u][words[0] + w];
                  } else {
                    ++loads;
                  }
                }
              }
            }
          }
        }
        QVERIFY(loads > 0);
        for (const std::vector<int>& array : stores) {
          for (const int count : array) QCOMPARE(count, 1);
        }
      }
    }
  }

  void arraysAreDescribed() {
    TraceRequest request;
    request.stage = &test::stage("warptiled");
    request.tile = request.stage->standardTile();
    request.problem = {100, 200, 30};
    const Trace trace = traceBlock(workspace_, request);
    QVERIFY((trace.problem == Problem{128, 256, 32}));
    QVERIFY(trace.asked == request.problem);
    QStringList described;
    for (const Array& a : trace.arrays) {
      described += QString("%1 %2 %3x%4 %5 @%6")
                       .arg(test::q(a.name), a.space == Space::Shared ? "shared" : "global")
                       .arg(a.rows)
                       .arg(a.columns)
                       .arg(a.elements)
                       .arg(a.base);
    }
    QCOMPARE(
        described.join("; "),
        QString("A global 128x32 4096 @0; B global 32x256 8192 @0; C global 128x256 32768 @0; As "
                "shared 0x0 2048 @0; Bs shared 0x0 2048 @2048"));
    QCOMPARE(trace.sharedBytes, 16384u);
  }

  void accumulatorsEndInTheirElement() {
    TraceRequest request;
    request.stage = &test::stage("warptiled");
    request.tile = request.stage->standardTile();
    request.problem = {128, 128, 16};
    const Trace trace = traceBlock(workspace_, request);
    std::vector<int> owned(128 * 128);
    for (std::uint32_t thread = 0; thread < trace.threads; ++thread) {
      for (std::uint32_t slot = 0; slot < 128; ++slot) {
        ++owned.at(trace.accumulatorElement(thread, slot));
      }
      QCOMPARE(trace.accumulatorElement(thread, 128), Trace::kNoElement);
    }
    for (const int count : owned) QCOMPARE(count, 1);
    // Thread 37 is lane 5 of warp 1: second stamp row of four columns, right half of the block
    // tile.
    QCOMPARE(trace.accumulatorElement(37, 0), 8u * 128 + 64 + 4);
    QCOMPARE(trace.accumulatorElement(37, 16 + 4), 9u * 128 + 64 + 4 + 16);
  }
};

}  // namespace tileloom::emulator

QTEST_APPLESS_MAIN(tileloom::emulator::ProvenanceTest)
#include "provenance_test.moc"
