// SPDX-License-Identifier: GPL-3.0-or-later
// Timestamps as a timeline. If they are those of the virtual clock, both agree.
#include "kernels/timeline/recorded/measured_lanes.h"
#include "kernels/tile/subject.h"

#include <fmt/format.h>

#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/derived.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/export.h"
#include "kernels/timeline/program.h"
#include "tests/support/stamps.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

using test::q;

class MeasuredLanesTest : public QObject {
  Q_OBJECT

  static constexpr std::uint32_t kTiles = 16;

  struct Simulated {
    const Stage* stage = nullptr;
    Problem problem;
    BlockProgram program;
    Timeline timeline;
    Measured stamps(double factor = 1) const {
      return test::syntheticStamps(timeline, program, *stage, stage->standardTile(), problem,
                                   factor);
    }
  };
  static Simulated simulated(const char* id) {
    Simulated s;
    s.stage = &test::stage(id);
    const TileShape tile = s.stage->standardTile();
    s.problem = {1024, 1024, derive(*s.stage, tile).stepK * int(kTiles)};
    emulator::Workspace workspace;
    emulator::TraceRequest request;
    request.subject() = usualSubject(*s.stage, tile);
    request.problem = s.problem;
    request.operands = false;
    s.program = programOf(emulator::traceBlock(workspace, request));
    const auto rates = *model::ratesFor("sm_90");
    const auto loop = analysis::traceLoop(workspace, usualSubject(*s.stage, tile), s.problem);
    const auto work = model::workloadOf(*s.stage, tile, s.problem, loop.totals, loop.kTiles,
                                        {1, std::nullopt}, rates.chip.machine);
    auto t =
        simulate(s.program, costsOf(*s.stage, work, s.program, rates, model::ceilingsOf({}, {})));
    if (!t) qFatal("%s", t.error().c_str());
    s.timeline = std::move(*t);
    return s;
  }

 private slots:
  void stampsOfTheClockSayWhatItSays_data() {
    QTest::addColumn<QByteArray>("id");
    for (const char* id :
         {"padded", "doublebuffered", "async", "rasterised", "tuned", "mma", "mmaring", "tma",
          "wgmma", "multistage", "overlapped", "specialised", "consumers", "persistent", "cluster"})
      QTest::addRow("%s", id) << QByteArray(id);
  }
  void stampsOfTheClockSayWhatItSays() {
    QFETCH(QByteArray, id);
    const Simulated s = simulated(id.constData());
    const auto t = timelineOf(s.stamps(), s.program);
    QVERIFY2(t, t ? "" : t.error().c_str());
    QCOMPARE(t->tileStarts.size(), std::size_t{kTiles});
    QVERIFY(t->steady());
    // The same K tiles on the predicted side; the operation that holds one back ends as regularly
    // as it begins.
    const double predicted =
        (s.timeline.tileStarts[t->steadyTo] - s.timeline.tileStarts[t->steadyFrom]) /
        (t->steadyTo - t->steadyFrom);
    QVERIFY2(std::abs(t->cyclesPerTile / predicted - 1) < 0.06,
             qPrintable(QStringLiteral("%1, not %2").arg(t->cyclesPerTile).arg(predicted)));
    Timeline same = s.timeline;  // over the same K tiles
    same.steadyFrom = t->steadyFrom, same.steadyTo = t->steadyTo;
    for (const ComparedWait& wait : compared(same, *t).waits) {
      QVERIFY(wait.stamped);
      const std::string where =
          fmt::format("waits for {}: {:.4f}, not {:.4f}", static_cast<int>(wait.on), *wait.stamped,
                      wait.predicted);
      QVERIFY2(std::abs(*wait.stamped - wait.predicted) < 0.06, where.c_str());
    }
    // Aligned at any K tile, each operation ends where it ends.
    for (const std::uint32_t tile : {0u, 3u, kTiles - 1}) {
      const auto aligned = alignedTo(s.timeline, *t, s.program, tile, tile);
      QVERIFY(aligned);
      QVERIFY(std::abs(aligned->tileStarts[tile] - t->tileStarts[tile]) <= 1);
    }
  }

  void aSlowerBlockTakesLonger() {
    const Simulated s = simulated("overlapped");
    const auto once = timelineOf(s.stamps(), s.program),
               slow = timelineOf(s.stamps(1.5), s.program);
    QVERIFY(once && slow);
    QVERIFY(std::abs(slow->cyclesPerTile / once->cyclesPerTile - 1.5) < 0.001);
    QVERIFY(std::abs(slow->waiting(On::Products) - once->waiting(On::Products)) < 0.01);
    const auto aligned = alignedTo(*once, *slow, s.program, 4, 9);
    // The program's own timeline is the predicted one here.
    const auto under = alignedTo(s.timeline, *slow, s.program, 4, 9);
    QVERIFY(!aligned && under);  // timestamps have no instructions, so nothing is aligned with them
    QVERIFY(std::abs(under->tileStarts[9] - once->tileStarts[4]) <= 1);
    for (const Lane& lane : under->lanes) {
      double now = 0;
      for (const Span& span : lane.spans) {
        QVERIFY(span.begin >= now && span.end > span.begin && span.end <= s.timeline.cycles);
        now = span.end;
      }
    }
    QVERIFY(!alignedTo(s.timeline, *slow, s.program, 4, kTiles));
  }

  void lanesAreWarpsDataAndProducts() {
    const Simulated s = simulated("overlapped");
    const auto t = timelineOf(s.stamps(), s.program);
    QVERIFY(t);
    std::size_t flights = 0, products = 0, warps = 0;
    for (const Lane& lane : t->lanes) {
      for (const Span& span : lane.spans) {
        if (lane.kind == LaneKind::Flight) {
          ++flights;
          QVERIFY(span.work == Work::Flight);
        } else if (lane.kind == LaneKind::TensorCore) {
          ++products;
          QVERIFY(span.work == Work::Product);
        }
      }
      if (lane.kind == LaneKind::Warp) QCOMPARE(lane.number, std::uint32_t(warps++));
    }
    QCOMPARE(warps, s.program.warps.size());
    QCOMPARE(flights,
             std::size_t{2 * kTiles});  // one TMA load of A and TMA loads of B for each K tile
    QCOMPARE(products, std::size_t{2 * kTiles});  // a group for each warpgroup
    const auto& asker = t->lanes[*t->laneOfWarp(0)].spans;
    QVERIFY(std::ranges::any_of(asker, [](const Span& x) { return x.work == Work::Box; }));
    QVERIFY(std::ranges::any_of(asker, [](const Span& x) { return x.work == Work::Product; }));
  }

  void copiesAreOnTheirWay() {
    const Simulated s = simulated("async");
    const auto t = timelineOf(s.stamps(), s.program);
    QVERIFY(t);
    for (const analysis::Matrix matrix : {analysis::Matrix::A, analysis::Matrix::B}) {
      std::vector<std::uint32_t> brought;
      for (const Lane& lane : t->lanes) {
        if (lane.kind != LaneKind::Flight || lane.matrix != matrix) continue;
        for (const Span& span : lane.spans) {
          brought.push_back(span.kTile);
          QVERIFY(span.matrix == matrix);
        }
      }
      std::ranges::sort(brought);
      QCOMPARE(brought.size(), std::size_t{kTiles});
      for (std::uint32_t k = 0; k < kTiles; ++k) QCOMPARE(brought[k], k);
    }
    // Each lane of A is followed by one of B: views draw them as one row.
    for (std::size_t i = 0; i < t->lanes.size(); ++i) {
      if (t->lanes[i].kind != LaneKind::Flight || t->lanes[i].matrix != analysis::Matrix::A)
        continue;
      QVERIFY(i + 1 < t->lanes.size() && t->lanes[i + 1].kind == LaneKind::Flight &&
              t->lanes[i + 1].matrix == analysis::Matrix::B);
    }
  }

  void whatIsLostEndsTheTimeline() {
    const Simulated s = simulated("overlapped");
    Measured m = s.stamps();
    m.full = true;
    std::erase_if(m.warps[3],
                  [](const Stamp& x) { return x.kTile != emulator::kNoTile && x.kTile > 6; });
    const auto t = timelineOf(m, s.program);
    QVERIFY(t);
    QCOMPARE(t->tileStarts.size(), std::size_t{7});
    QVERIFY(!t->steady());
  }

  void whatDoesNotFitIsSaid() {
    const Simulated s = simulated("overlapped");
    Measured warps = s.stamps(), lines = s.stamps();
    warps.warps.pop_back();
    for (auto& warp : lines.warps)
      for (Stamp& stamp : warp) stamp.line = 1;
    for (const Measured* m : {&warps, &lines}) {
      const auto t = timelineOf(*m, s.program);
      QVERIFY(!t);
      QVERIFY(!t.error().empty() && !t.error().ends_with('.'));
    }
  }

  void aTraceHasBoth() {
    const Simulated s = simulated("async");
    const auto t = timelineOf(s.stamps(), s.program);
    QVERIFY(t);
    const std::string caption = captionOf(s.stamps());
    QCOMPARE(q(caption),
             QStringLiteral("timestamped on no GPU, a test, 2026-01-02, timestamps cost 2.0 %"));
    const auto json = nlohmann::json::parse(chromeTrace(s.timeline, "async", &*t, caption));
    std::array<std::size_t, 2> spans{};
    QStringList names;
    for (const auto& event : json["traceEvents"]) {
      if (event["ph"] == "X") ++spans[event["pid"].get<std::size_t>()];
      if (event["name"] == "process_name") names += q(event["args"]["name"].get<std::string>());
    }
    QVERIFY(spans[0] > 0 && spans[1] > 0);
    QCOMPARE(names.size(), 2);
    QVERIFY(names[0].contains(QStringLiteral("predicted")));
    QVERIFY(names[1].endsWith(q(caption)));
    QCOMPARE(q(json["otherData"]["origin"].get<std::string>()),
             QStringLiteral("predicted and measured"));
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::MeasuredLanesTest, Nothing)
#include "measured_lanes_test.moc"
