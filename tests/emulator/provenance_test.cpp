// SPDX-License-Identifier: GPL-3.0-or-later
// Every shared word knows which element of A or B it holds, in whatever layout.
#include <QtTest>

#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "tests/support/kinds.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class ProvenanceTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  // Where the layouts of the ladder keep things, written down a second time.
  struct Layout {
    std::uint32_t blockM, blockN, stepK, firstRow, firstColumn, k, n;
    bool turned;            // As holds K down and M across,
    std::uint32_t pad;      // padding words after each row
    std::uint32_t buffers;  // K tile i is in buffer i % buffers

    static Layout of(const Stage& stage, const TileShape& tile, const Problem& problem) {
      const Derived d = derive(stage, tile);
      const auto u = [](int value) { return static_cast<std::uint32_t>(value); };
      const bool pads = stage.spec(Parameter::PAD) != nullptr;
      return {u(d.blockM),
              u(d.blockN),
              u(d.stepK),
              u(d.blockM),
              2 * u(d.blockN),
              u(problem.k),
              u(problem.n),
              test::fillsByFloat4(stage),
              pads ? u(tile[Parameter::PAD]) : 0,
              u(d.buffers)};
    }

    std::uint32_t pitchA() const { return blockM + pad; }
    std::uint32_t tileWords(bool a) const {
      return a ? stepK * (turned ? pitchA() : blockM) : stepK * blockN;
    }
    // Whether any element of a matrix belongs there.
    bool spare(bool a, std::uint32_t index) const {
      return a && turned && index % pitchA() >= blockM;
    }
    Provenance elementOf(bool a, std::uint32_t index, std::uint32_t kTile) const {
      const std::uint32_t k0 = kTile * stepK, in = index % tileWords(a);
      if (a) {
        const std::uint32_t row = turned ? in % pitchA() : in / stepK;
        const std::uint32_t dot = turned ? in / pitchA() : in % stepK;
        return Provenance::element(Provenance::Source::A, (firstRow + row) * k + k0 + dot);
      }
      const std::uint32_t dot = in / blockN, column = in % blockN;
      return Provenance::element(Provenance::Source::B, (k0 + dot) * n + firstColumn + column);
    }
    std::uint32_t kTileOf(bool a, Provenance p) const {
      return (a ? p.index() % k : p.index() / n) / stepK;
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
      QCOMPARE(p.owner(7), 7u);  // the thread that has it
      for (const std::uint32_t thread : {0u, 1023u}) {
        const Provenance away(Provenance::accumulatorOf(thread, slot).bits());
        QVERIFY(away.isAccumulator() && !away.isElement());
        QCOMPARE(away.slot(), slot);
        QCOMPARE(away.owner(7), thread);
      }
    }
  }

  void sharedWordsHoldTheirElement_data() { test::addFp32StageRows(); }
  void sharedWordsHoldTheirElement() {
    const Stage& stage = test::stageOfRow();
    if (!stage.features().sharedTiles) QSKIP("has no shared memory");
    test::Random random(test::seed());
    std::vector<TileShape> tiles = test::legalTiles(stage, 4, random);
    for (const TileShape& tile : tiles) {
      const Derived d = derive(stage, tile);
      TraceRequest request;
      request.subject() = usualSubject(stage, tile);
      const Layout ask = Layout::of(stage, tile, {});
      const std::uint32_t kTiles = ask.buffers + 1;  // so that each buffer is used again
      request.problem = {2 * d.blockM, 3 * d.blockN, static_cast<int>(kTiles) * d.stepK};
      // Second row, third column; which block computes them is the stage's affair.
      request.block = blockAt(stage, tile, launchOf(stage, tile, request.problem).grid, {1, 2});
      const Trace trace = traceBlock(workspace_, request);
      QVERIFY(trace.faults.empty());
      const Layout layout = Layout::of(stage, tile, trace.problem);
      QCOMPARE(trace.arrays.size(), std::size_t{5});
      const bool ahead = layout.buffers > 1;
      std::vector<std::vector<int>> stores(2 * kTiles);  // by K tile, A and B
      for (std::size_t i = 0; i < stores.size(); ++i)
        stores[i].resize(layout.tileWords(i % 2 == 0));
      for (const bool a : {true, false}) {
        QCOMPARE(trace.arrays[a ? 3u : 4u].elements, layout.buffers * layout.tileWords(a));
      }
      std::size_t loads = 0;
      const auto word = [&](const Instruction& i, std::uint32_t index, Provenance held) {
        const bool a = trace.arrays[i.array].name == "As";
        QVERIFY(held.isElement() && !layout.spare(a, index));
        const std::uint32_t kTile = layout.kTileOf(a, held);
        QCOMPARE(held.bits(), layout.elementOf(a, index, kTile).bits());
        QCOMPARE(index / layout.tileWords(a), kTile % layout.buffers);
        if (isStore(i.kind)) {
          ++stores[2 * kTile + (a ? 0u : 1u)][index % layout.tileWords(a)];
        } else {
          ++loads;
          QVERIFY(kTile == i.kTile || (ahead && (kTile == i.kTile + 1 || i.kTile == kNoTile)));
        }
      };
      for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
        for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
          const WarpInterval view = trace.at(warp, interval);
          for (std::size_t i = 0; i < view.instructions.size(); ++i) {
            const Instruction& instruction = view.instructions[i];
            if (!isShared(instruction.kind)) continue;
            if (!ahead) QCOMPARE(instruction.kTile, interval / 2);
            for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
              if ((instruction.mask >> lane & 1u) == 0) continue;
              const std::uint32_t* words = view.payload(i, lane);
              for (std::uint32_t w = 0; w < instruction.width; ++w) {
                word(instruction, words[0] + w, Provenance(words[1 + w]));
                if (QTest::currentTestFailed()) return;
              }
            }
          }
        }
      }
      QVERIFY(loads > 0);
      for (std::size_t t = 0; t < stores.size(); ++t) {
        for (std::uint32_t i = 0; i < stores[t].size(); ++i) {
          QCOMPARE(stores[t][i], layout.spare(t % 2 == 0, i) ? 0 : 1);
        }
      }
    }
  }

  void arraysAreDescribed() {
    TraceRequest request;
    request.subject() = standardSubject(test::stage("warptiled"));
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
    request.subject() = standardSubject(test::stage("warptiled"));
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
    // Thread 37 is lane 5 of warp 1: second subtile row of four columns, right half of the block
    // tile.
    QCOMPARE(trace.accumulatorElement(37, 0), 8u * 128 + 64 + 4);
    QCOMPARE(trace.accumulatorElement(37, 16 + 4), 9u * 128 + 64 + 4 + 16);
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::ProvenanceTest, Nothing)
#include "provenance_test.moc"
