// SPDX-License-Identifier: GPL-3.0-or-later
// A trace may stop after some of K, and then still shows the epilogue.
#include <QtTest>

#include "kernels/emulator/run.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::emulator {

class LimitsTest : public QObject {
  Q_OBJECT

  Workspace workspace_;

  TraceRequest request(std::string_view id, const Problem& problem) {
    TraceRequest r;
    r.subject() = standardSubject(test::stage(id));
    r.problem = problem;
    return r;
  }

  // Instructions of this kind in warp 0, in the main loop or in the epilogue.
  static std::size_t count(const Trace& trace, Kind kind, bool epilogue) {
    std::size_t n = 0;
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (const Instruction& instruction : trace.at(0, interval).instructions) {
        n += instruction.kind == kind && (instruction.kTile == kNoTile) == epilogue ? 1 : 0;
      }
    }
    return n;
  }

 private slots:
  void kTilesAreCounted() {
    TraceRequest r = request("warptiled", {128, 128, 128});
    const Trace whole = traceBlock(workspace_, r);
    QCOMPARE(whole.kTiles, 8u);
    QCOMPARE(whole.kTilesTraced, 8u);
    QCOMPARE(whole.stepK, 16u);
    r.kTiles = 3;
    const Trace part = traceBlock(workspace_, r);
    QCOMPARE(part.kTiles, 8u);
    QCOMPARE(part.kTilesTraced, 3u);
    QCOMPARE(part.intervals(), 7u);
    QCOMPARE(count(part, Kind::Fma, false) * 8, count(whole, Kind::Fma, false) * 3);
    QVERIFY(count(whole, Kind::GlobalStore, true) > 0);
    for (const Kind kind : {Kind::GlobalLoad, Kind::Fma, Kind::GlobalStore}) {
      QCOMPARE(count(part, kind, true), count(whole, kind, true));
    }
  }

  void moreTilesThanThereAreIsAll() {
    TraceRequest r = request("shared", {32, 32, 64});
    r.kTiles = 1000;
    const Trace trace = traceBlock(workspace_, r);
    QCOMPARE(trace.kTiles, 2u);
    QCOMPARE(trace.kTilesTraced, 2u);
  }

  void kElementsLimitTheUntiledRungs_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"naive", "coalesced"}) QTest::newRow(id) << QString(id);
  }
  void kElementsLimitTheUntiledRungs() {
    QFETCH(QString, id);
    TraceRequest r = request(id.toStdString(), {32, 32, 100});
    const Trace whole = traceBlock(workspace_, r);
    QCOMPARE(whole.kTiles, 4u);  // slabs of 32, the last one short
    QCOMPARE(count(whole, Kind::Fma, false), std::size_t{100});
    r.kElements = 10;
    const Trace part = traceBlock(workspace_, r);
    QCOMPARE(part.kTilesTraced, 1u);
    QCOMPARE(count(part, Kind::Fma, false), std::size_t{10});
    QCOMPARE(count(part, Kind::Fma, true), std::size_t{1});
    QCOMPARE(count(part, Kind::GlobalStore, true), std::size_t{1});
    r.kTiles = 2;
    r.kElements = 0;
    QCOMPARE(count(traceBlock(workspace_, r), Kind::Fma, false), std::size_t{64});
  }

  void theSmallerLimitCounts() {
    TraceRequest r = request("warptiled", {128, 128, 128});
    r.kTiles = 4;
    r.kElements = 32;
    QCOMPARE(traceBlock(workspace_, r).kTilesTraced, 2u);
    r.kElements = 100;
    QCOMPARE(traceBlock(workspace_, r).kTilesTraced, 4u);
  }

  void aTileThatTheLimitCutsIsTracedWhole() {
    TraceRequest r = request("warptiled", {128, 128, 128});
    r.kElements = 20;
    const Trace trace = traceBlock(workspace_, r);
    QCOMPARE(trace.kTilesTraced, 2u);
    QCOMPARE(trace.intervals(), 5u);
  }

  void slabsAndDotsAreNumbered() {
    const Trace trace = traceBlock(workspace_, request("naive", {32, 32, 70}));
    std::uint32_t k = 0;
    for (const Instruction& instruction : trace.at(0, 0).instructions) {
      if (instruction.kTile == kNoTile) continue;
      QCOMPARE(instruction.kTile, k / 32);
      QCOMPARE(static_cast<std::uint32_t>(instruction.dot), k % 32);
      k += instruction.kind == Kind::Fma ? 1 : 0;
    }
    QCOMPARE(k, 70u);
  }

  // Half the words of a trace are factors of multiply-adds; analyses that only count can do
  // without.
  void operandsCanBeLeftOut() {
    TraceRequest r = request("blocktile2d", {128, 128, 16});
    const Trace with = traceBlock(workspace_, r);
    r.operands = false;
    const Trace without = traceBlock(workspace_, r);
    QVERIFY(without.memory() < with.memory());
    for (std::uint32_t interval = 0; interval < with.intervals(); ++interval) {
      const WarpInterval a = with.at(0, interval), b = without.at(0, interval);
      QCOMPARE(a.instructions.size(), b.instructions.size());
      for (std::size_t i = 0; i < a.instructions.size(); ++i) {
        QVERIFY(a.instructions[i].kind == b.instructions[i].kind);
        QCOMPARE(a.instructions[i].mask, b.instructions[i].mask);
        if (!isMemory(a.instructions[i].kind)) continue;
        for (std::uint32_t w = 0; w <= a.instructions[i].width; ++w) {
          QCOMPARE(a.payload(i, 5)[w], b.payload(i, 5)[w]);
        }
      }
    }
  }

  // One block of the largest problem: nothing as large as a matrix is ever made.
  void aHugeProblemCostsOneBlock() {
    TraceRequest r = request("warptiled", {32768, 32768, 32768});
    r.kTiles = 1;
    r.block = {255, 255};
    QVERIFY(whyNotTraceable(r).empty());
    const Trace trace = traceBlock(workspace_, r);
    QVERIFY(trace.faults.empty());
    const WarpInterval last = trace.at(3, trace.intervals() - 1);
    QCOMPARE(last.payload(last.instructions.size() - 1, 31)[0], (1u << 30) - 4);
  }
};

}  // namespace tileloom::emulator

TILELOOM_TEST(tileloom::emulator::LimitsTest, Nothing)
#include "limits_test.moc"
