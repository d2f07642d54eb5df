// SPDX-License-Identifier: GPL-3.0-or-later
// Between two tiles of C: how long the tensor cores are idle in T10 to T13, how C is stored, and
// what a timestamped block says about the same place.
#include "kernels/timeline/seam.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>

#include <QFile>
#include <QtTest>
#include <map>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/base/plain_text.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/recorded/measured_seam.h"
#include "kernels/timeline/recorded/shipped_stamps.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class SeamTest : public QObject {
  Q_OBJECT

  static constexpr Problem kProblem{4096, 4096, 4096};

  struct Simulated : Subject {
    BlockProgram program;
    Timeline timeline;
    Seam seam;
  };
  std::map<std::string, Simulated> made_;
  emulator::Workspace workspace_;

  const Simulated& of(const char* id) {
    if (const auto found = made_.find(id); found != made_.end()) return found->second;
    Simulated s;
    s.subject() = standardSubject(test::stage(id));
    const auto request = betweenTiles(s, kProblem);
    if (!request) qFatal("%s", request.error().c_str());
    s.program = programOf(emulator::traceBlock(workspace_, *request));
    const auto rates = *model::ratesFor("sm_90");
    const auto loop = analysis::traceLoop(workspace_, s, kProblem);
    const auto work = model::workloadOf(*s.rung(), s.tile, kProblem, loop.totals, loop.kTiles,
                                        {1, std::nullopt}, rates.chip.machine);
    auto t =
        simulate(s.program, costsOf(*s.rung(), work, s.program, rates, model::ceilingsOf({}, {})));
    if (!t) qFatal("%s", t.error().c_str());
    s.timeline = std::move(*t);
    const auto seam = seamOf(s.timeline);
    if (!seam) qFatal("%s does not reach its second tile", id);
    s.seam = *seam;
    return made_.emplace(id, std::move(s)).first->second;
  }
  static std::vector<Span> spansOf(const Timeline& t, LaneKind kind) {
    std::vector<Span> all;
    for (const Lane& lane : t.lanes) {
      if (lane.kind == kind) all.insert(all.end(), lane.spans.begin(), lane.spans.end());
    }
    return all;
  }
  static void addStages() {
    QTest::addColumn<QByteArray>("id");
    for (const char* id : {"persistent", "cluster", "stored", "hopper"})
      QTest::newRow(id) << QByteArray(id);
  }

 private slots:
  // Warps that store C themselves keep the tensor cores waiting; TMA stores do so for a short
  // while, and stores that overlap the next tile's wgmma hardly at all.
  void eachRungIdlesLess() {
    const double warps = of("persistent").seam.idle(), boxes = of("stored").seam.idle(),
                 behind = of("hopper").seam.idle();
    QCOMPARE(of("cluster").seam.idle(), warps);
    QVERIFY2(warps > 1000 && warps < 2500, qPrintable(QString::number(warps)));
    QVERIFY2(boxes > 50 && boxes < 0.5 * warps, qPrintable(QString::number(boxes)));
    QVERIFY2(behind < boxes, qPrintable(QString::number(behind)));
    QVERIFY(of("persistent").seam.behind < 0.5);
    QVERIFY(of("stored").seam.behind > of("persistent").seam.behind);
    QVERIFY(of("hopper").seam.behind > 0.95);
    // The time of a tile beyond that of its K tiles is the idle time of the tensor cores.
    for (const char* id : {"persistent", "stored"}) {
      const Timeline& t = of(id).timeline;
      const std::uint32_t each = t.tilesPerWalk;
      const double longer = t.tileStarts[each + 3] - t.tileStarts[each - 1] - 4 * t.cyclesPerTile;
      QVERIFY2(std::abs(longer - of(id).seam.idle()) < 0.3 * t.cyclesPerTile,
               qPrintable(QString::number(longer)));
    }
  }

  // K tiles repeat in both tiles as they do in one.
  void theSteadyStateIsThatOfOneTile_data() { addStages(); }
  void theSteadyStateIsThatOfOneTile() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    QVERIFY(s.timeline.steady());
    QCOMPARE(s.timeline.cyclesPerTile, 1024.0);
    QCOMPARE(s.timeline.tileStarts.size(), std::size_t{2 * s.timeline.tilesPerWalk});
    QVERIFY(s.timeline.steadyTo < s.timeline.tilesPerWalk);
    QVERIFY(s.seam.from < s.seam.last && s.seam.next < s.seam.to);
  }

  // The producer runs ahead: the first loads of the next tile are in flight before C has been
  // stored.
  void theProducerRunsOn_data() { addStages(); }
  void theProducerRunsOn() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    double asked = 1e18;
    for (const Span& span : spansOf(s.timeline, LaneKind::Flight)) {
      if (span.kTile >= s.timeline.tilesPerWalk) asked = std::min(asked, span.begin);
    }
    QVERIFY(asked < s.seam.last && asked < s.seam.left);
  }

  // A stage is filled again only when its wgmma are complete, across the seam, too.
  void stagesGoRound_data() { addStages(); }
  void stagesGoRound() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    const auto stages = static_cast<std::uint32_t>(s.tile[Parameter::STAGES]);
    std::map<std::uint32_t, double> done, asked;
    for (const Span& span : spansOf(s.timeline, LaneKind::TensorCore))
      done[span.kTile] = std::max(done[span.kTile], span.end);
    for (const Span& span : spansOf(s.timeline, LaneKind::Flight)) {
      const auto [at, isNew] = asked.try_emplace(span.kTile, span.begin);
      if (!isNew) at->second = std::min(at->second, span.begin);
    }
    QCOMPARE(asked.size(), std::size_t{2 * s.timeline.tilesPerWalk});
    double before = 0;
    for (const auto& [tile, at] : asked) {
      QVERIFY(at >= before);
      before = at;
      if (tile >= stages) QVERIFY(at >= done[tile - stages]);
    }
  }

  void noLaneDoesTwoThingsAtATime_data() { addStages(); }
  void noLaneDoesTwoThingsAtATime() {
    QFETCH(QByteArray, id);
    for (const Lane& lane : of(id).timeline.lanes) {
      for (std::size_t i = 1; i < lane.spans.size(); ++i)
        QVERIFY(lane.spans[i].begin >= lane.spans[i - 1].end);
    }
  }

  // All of both tiles' C is stored, at 64 bytes per cycle.
  void allOfCLeaves_data() { addStages(); }
  void allOfCLeaves() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    std::map<std::uint32_t, double> cycles;
    for (const Span& span : spansOf(s.timeline, LaneKind::Leaving))
      cycles[span.kTile] += span.end - span.begin;
    QCOMPARE(cycles.size(), std::size_t{2});
    const double bytes = 2.0 * s.tile[Parameter::BM] * s.tile[Parameter::BN];
    for (const auto& [tile, sum] : cycles) QVERIFY(std::abs(sum - bytes / 64) < 1);
  }

  // One instruction for each pair of accumulators, once per tile.
  void sumsAreConverted_data() { addStages(); }
  void sumsAreConverted() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    const int pairs =
        s.tile[Parameter::BM] * s.tile[Parameter::BN] / (128 * s.tile[Parameter::CONSUMERS]) / 2;
    for (std::size_t w = 0; w < s.program.warps.size(); ++w) {
      std::uint32_t converted = 0;
      for (const Operation& op : s.program.warps[w].operations)
        converted += op.work == Work::Convert ? op.issues : 0;
      const bool multiplies = w < 4 * static_cast<std::size_t>(s.tile[Parameter::CONSUMERS]);
      QCOMPARE(converted, multiplies ? 2 * static_cast<std::uint32_t>(pairs) : 0u);
    }
  }

  void whereThereIsNothing() {
    const auto why = [](const char* id, const Problem& problem) {
      const Stage& stage = test::stage(id);
      const auto request = betweenTiles(standardSubject(stage), problem);
      return request ? std::string() : request.error();
    };
    QVERIFY(why("consumers", kProblem).find("persistent, cluster, stored, hopper") !=
            std::string::npos);
    QVERIFY(why("persistent", {1024, 1024, 4096}).find("larger M or N") != std::string::npos);
    // 2 waves of 132 blocks and no more: T13 splits the second one along K.
    QVERIFY(why("hopper", {2304, 2304, 4096}).find("larger M or N") != std::string::npos);
    QVERIFY(why("stored", {4096, 4096, 256}).find("K = 256") != std::string::npos);
    QVERIFY(why("hopper", {4096, 4096, 0}).find("K = 0") != std::string::npos);
    for (const char* id : {"persistent", "hopper"}) QCOMPARE(why(id, {8192, 8192, 8192}), "");
    // One tile has no seam.
    QVERIFY(!seamOf(Timeline()));
  }

  // The nearest larger size with a gap between two tiles.
  void aSizeWithSomething() {
    const auto size = [](const char* id, const Problem& problem) {
      const Stage& stage = test::stage(id);
      return sizeWithSeam(standardSubject(stage), problem);
    };
    QVERIFY(size("hopper", {2048, 2048, 2048}) == (Problem{4096, 4096, 4096}));
    QVERIFY(size("hopper", {4096, 4096, 4096}) == (Problem{4096, 4096, 4096}));
    QVERIFY(size("stored", {4096, 4096, 256}) == (Problem{16384, 16384, 1024}));
    // It is not persistent at any size.
    QVERIFY(!size("consumers", {2048, 2048, 2048}));
  }

  void shares() {
    QCOMPARE(idleShare(0, 1024, 64), 0.0);
    QCOMPARE(idleShare(1024, 1024, 63), 1.0 / 64);
    QCOMPARE(idleShare(0, 0, 0), 0.0);
  }

  // Shipped timestamps have several tiles of one block: the same place, measured. The cycles were
  // read from the files by other means.
  void measured_data() {
    QTest::addColumn<QByteArray>("id");
    QTest::addColumn<double>("idle");
    QTest::newRow("persistent") << QByteArray("persistent") << 2312.0;
    QTest::newRow("cluster") << QByteArray("cluster") << 2534.0;
    QTest::newRow("stored") << QByteArray("stored") << 1564.0;
    QTest::newRow("hopper") << QByteArray("hopper") << 354.0;
  }
  void measured() {
    QFETCH(QByteArray, id);
    QFETCH(double, idle);
    const Simulated& s = of(id);
    const auto stamps = shippedStamps(usualSubject(*s.rung(), s.tile), kProblem, "sm_90");
    QVERIFY(stamps);
    const auto laid = besideAtSeam(*stamps, s.program, s.timeline);
    QVERIFY2(laid, laid ? "" : laid.error().c_str());
    const auto whole = seamOf(laid->whole), aligned = seamOf(laid->aligned);
    QVERIFY(whole && aligned);
    QCOMPARE(whole->idle(), idle);
    QVERIFY(std::abs(aligned->idle() - idle) < 1e-6);
    QCOMPARE(laid->tile, s.timeline.tilesPerWalk - 1);
    QCOMPARE(laid->under, laid->tile);
    QCOMPARE(laid->whole.tileStarts.size(), s.timeline.tileStarts.size());
    QVERIFY(!laid->comparison);
    // The remaining timestamps are of the launched problem.
    QVERIFY(laid->measured.problem == kProblem);
  }

  // The table of docs/design/05-timeline.md agrees with the clock and with the first gap in the
  // timestamps.
  void theTableOfTheDocument_data() { addStages(); }
  void theTableOfTheDocument() {
    QFETCH(QByteArray, id);
    const Simulated& s = of(id);
    const auto stamps = shippedStamps(usualSubject(*s.rung(), s.tile), kProblem, "sm_90");
    QVERIFY(stamps);
    const auto laid = besideAtSeam(*stamps, s.program, s.timeline);
    QVERIFY(laid);
    const auto whole = [](double v) { return grouped(std::uint64_t(v + 0.5)); };
    const std::string row =
        fmt::format("| {} `{}` | {} | {} · ", rungLabel(*s.rung()), s.rung()->id,
                    whole(s.seam.idle()), whole(seamOf(laid->whole)->idle()));
    QFile file(TILELOOM_SOURCE_DIR "/docs/design/05-timeline.md");
    QVERIFY(file.open(QIODevice::ReadOnly));
    QVERIFY2(file.readAll().contains(row.c_str()), row.c_str());
  }

  // For a block with one tile no timestamp reaches a second one.
  void stampsOfOneTile() {
    const Stage& stage = test::stage("consumers");
    const auto stamps = shippedStamps(standardSubject(stage), kProblem, "sm_90");
    QVERIFY(stamps && !cutAtSeam(*stamps, 8));
    const Stage& stays = test::stage("persistent");
    const auto more = shippedStamps(standardSubject(stays), kProblem, "sm_90");
    QVERIFY(more && !cutAtSeam(*more, 0) && !cutAtSeam(*more, 65));
    const auto part = cutAtSeam(*more, 8);
    QVERIFY(part);
    QCOMPARE(part->problem.k, 2 * 8 * 64);
    for (const auto& warp : part->warps) {
      std::uint32_t latest = 0;
      for (const Stamp& stamp : warp) {
        if (stamp.kTile == emulator::kNoTile) continue;
        QVERIFY(stamp.kTile >= latest && stamp.kTile < 16);
        latest = stamp.kTile;
      }
    }
  }

  // A table counts K tiles within each tile of C, and names that.
  void exported() {
    const std::string table = spanTable(of("hopper").timeline);
    QVERIFY(
        table.starts_with("lane,begin,end,what,k_tile,dot,line,first_instruction,"
                          "instructions,tile\n"));
    QVERIFY(table.find("\"C leaves\",") != std::string::npos);
    const std::string trace = chromeTrace(of("stored").timeline, "stored");
    for (const char* part : {"\"C leaves\"", "\"tile\":1", "TMA store C"})
      QVERIFY2(trace.find(part) != std::string::npos, part);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::SeamTest, Nothing)
#include "seam_test.moc"
