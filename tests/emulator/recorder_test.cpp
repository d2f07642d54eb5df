// SPDX-License-Identifier: GPL-3.0-or-later
// The recorder's buffers grow while lanes are written side by side into them.
#include <QtTest>

#include "kernels/emulator/run.h"
#include "kernels/tile/parameters.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class RecorderTest : public QObject {
  Q_OBJECT

 private slots:
  void streamsSurviveGrowth_data() {
    QTest::addColumn<int>("k");
    // Around and well beyond the first room of 8192 codes and 16384 words per lane.
    for (const int k : {1000, 1820, 2047, 2048, 2049, 5000, 9000}) {
      QTest::addRow("K = %d", k) << k;
    }
  }
  void streamsSurviveGrowth() {
    QFETCH(int, k);
    Workspace workspace;  // a fresh one: its buffers have not grown yet
    TraceRequest request;
    request.subject() = usualSubject(test::stage("naive"), {{Parameter::BLOCKSIZE, 6}});
    request.problem = {6, 6, k};
    const auto depth = static_cast<std::uint32_t>(k);
    const Trace trace = traceBlock(workspace, request);
    QCOMPARE(trace.warps, 2u);  // the second one has four lanes
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
      const WarpInterval view = trace.at(warp, 0);
      QCOMPARE(view.instructions.size(), std::size_t{depth} * 3 + 3);
      for (std::uint32_t i = 0; i < depth; ++i) {
        for (std::uint32_t lane = 0; lane < (warp == 0 ? 32u : 4u); ++lane) {
          const std::uint32_t thread = warp * kWarpSize + lane;
          const std::uint32_t a = thread % 6 * depth + i, b = i * 6 + thread / 6;
          QCOMPARE(view.payload(3 * i, lane)[0], a);
          QCOMPARE(view.payload(3 * i + 1, lane)[0], b);
          const std::uint32_t* fma = view.payload(3 * i + 2, lane);
          QVERIFY(Provenance(fma[0]) == Provenance::element(Provenance::Source::A, a));
          QVERIFY(Provenance(fma[1]) == Provenance::element(Provenance::Source::B, b));
          QVERIFY(Provenance(fma[2]) == Provenance::accumulator(0));
        }
      }
    }
  }

  // Divergent lanes have their own offsets, which growth must not move.
  void divergentStreamsSurviveGrowth() {
    Workspace workspace;
    TraceRequest request;
    request.subject() = usualSubject(test::stage("naive"), {{Parameter::BLOCKSIZE, 6}});
    request.problem = {5, 6, 6000};
    const Trace trace = traceBlock(workspace, request);
    const WarpInterval view = trace.at(0, 0);
    QVERIFY(view.laneOffsets != nullptr);
    QCOMPARE(view.instructions.size(), std::size_t{6000 * 3 + 3});
    for (std::uint32_t i = 0; i < 6000; ++i) {
      QCOMPARE(view.payload(3 * i, 31)[0], 31u % 6 * 6000 + i);
      QVERIFY((view.instructions[3 * i].mask >> 5 & 1u) == 0);
    }
  }

  void aWorkspaceForgetsTheTraceBefore() {
    Workspace used;
    TraceRequest large;
    large.subject() = standardSubject(test::stage("warptiled"));
    large.problem = {128, 128, 32};
    const Trace first = traceBlock(used, large);
    TraceRequest small;
    small.subject() = usualSubject(test::stage("shared"), {{Parameter::BLOCKSIZE, 5}});
    small.problem = {10, 10, 10};
    const Trace again = traceBlock(used, small);
    Workspace clean;
    const Trace fresh = traceBlock(clean, small);
    QVERIFY(again.faults.empty());  // shared memory counts as unwritten again
    QCOMPARE(again.intervals(), fresh.intervals());
    for (std::uint32_t interval = 0; interval < fresh.intervals(); ++interval) {
      const WarpInterval a = again.at(0, interval), b = fresh.at(0, interval);
      QVERIFY(std::ranges::equal(a.instructions, b.instructions));
      QCOMPARE(a.used, b.used);
      for (std::uint32_t lane = 0; lane < 25; ++lane) {
        QVERIFY(std::equal(a.words + lane * a.stride, a.words + lane * a.stride + a.used,
                           b.words + lane * b.stride));
      }
    }
    QCOMPARE(first.at(3, 0).payload(0, 0)[0], 24u * 32);  // and the older trace is still whole
  }

  void aTraceOutlivesItsWorkspace() {
    auto workspace = std::make_unique<Workspace>();
    TraceRequest request;
    request.subject() = standardSubject(test::stage("coalesced"));
    request.problem = {32, 32, 8};
    const Trace trace = traceBlock(*workspace, request);
    workspace.reset();
    QCOMPARE(trace.at(31, 0).payload(0, 0)[0], 31u * 8);
  }

  void givenChunksAreTakenAgain() {
    WordPool pool;
    WordPool::Chunk chunk = pool.take(100);
    const std::uint32_t* words = chunk.words.get();
    QVERIFY(chunk.size >= 100);
    pool.give(std::move(chunk));
    chunk = pool.take(200);
    QCOMPARE(static_cast<const std::uint32_t*>(chunk.words.get()), words);
    const WordPool::Chunk large = pool.take(chunk.size + 1);
    QVERIFY(large.size > chunk.size);
  }

  void freeChunksAreBounded() {
    WordPool pool;
    QCOMPARE(pool.freeWords(), std::size_t{0});
    std::vector<WordPool::Chunk> chunks;
    for (std::size_t words = 0; words < 2 * WordPool::kKeptWords; words += chunks.back().size)
      chunks.push_back(pool.take(1));
    for (WordPool::Chunk& chunk : chunks) {
      pool.give(std::move(chunk));
      QVERIFY(pool.freeWords() <= WordPool::kKeptWords);
    }
    QVERIFY(pool.freeWords() > WordPool::kKeptWords / 2);
    // One that is larger than all that may be kept is not.
    pool.give(pool.take(WordPool::kKeptWords + 1));
    QVERIFY(pool.freeWords() <= WordPool::kKeptWords);
    pool.give(pool.take(1));
    pool.clear();
    QCOMPARE(pool.freeWords(), std::size_t{0});
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::RecorderTest, Nothing)
#include "recorder_test.moc"
