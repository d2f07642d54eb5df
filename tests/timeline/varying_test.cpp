// SPDX-License-Identifier: GPL-3.0-or-later
// The effect of a varying latency on kernels with and without warp specialisation: the table of
// docs/design/05-timeline.md and the text of its example.
#include <QFile>
#include <QtTest>
#include <algorithm>
#include <array>
#include <map>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/run.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/parameters.h"
#include "kernels/timeline/clock.h"
#include "kernels/timeline/program.h"
#include "kernels/timeline/seam.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::timeline {

class VaryingTest : public QObject {
  Q_OBJECT

  static constexpr std::array kIds{"multistage", "overlapped", "consumers"};
  static constexpr int kStages = 3;

  struct Subject {
    BlockProgram program;
    Costs costs;
  };
  std::map<std::string_view, Subject> subjects_;

  const Subject& subject(std::string_view id) {
    const auto [entry, isNew] = subjects_.try_emplace(id);
    if (!isNew) return entry->second;
    const Stage& stage = test::stage(id);
    const TileShape tile = stage.standardTile().with(Parameter::STAGES, kStages);
    constexpr Problem kProblem{4096, 4096, 4096};
    emulator::Workspace workspace;
    const auto request = oneTile(usualSubject(stage, tile), kProblem, true).value();
    entry->second.program = programOf(emulator::traceBlock(workspace, request));
    const auto rates = *model::ratesFor("sm_90");
    const auto loop = analysis::traceLoop(workspace, usualSubject(stage, tile), kProblem);
    const auto work = model::workloadOf(stage, tile, kProblem, loop.totals, loop.kTiles,
                                        {1, std::nullopt}, rates.chip.machine);
    entry->second.costs =
        costsOf(stage, work, entry->second.program, rates, model::ceilingsOf({}, {}));
    return entry->second;
  }
  Timeline timelineOf(std::string_view id, double delay, double varies) {
    const Subject& s = subject(id);
    Costs costs = s.costs;
    costs.delay = delay;
    costs.varies = varies;
    auto t = simulate(s.program, costs);
    if (!t) qFatal("%s", t.error().c_str());
    return std::move(*t);
  }
  double cycles(std::string_view id, double delay, double varies) {
    return timelineOf(id, delay, varies).cyclesPerTile;
  }

  // When each K tile is requested, and when all of it has arrived.
  static std::map<std::uint32_t, std::pair<double, double>> flights(const Timeline& t) {
    std::map<std::uint32_t, std::pair<double, double>> found;
    for (const Lane& lane : t.lanes) {
      if (lane.kind != LaneKind::Flight) continue;
      for (const Span& span : lane.spans) {
        const auto [entry, isNew] = found.try_emplace(span.kTile, span.begin, span.end);
        entry->second.first = std::min(entry->second.first, span.begin);
        entry->second.second = std::max(entry->second.second, span.end);
      }
    }
    return found;
  }

 private slots:
  // Enough K tiles for an average.
  void sixtyKTiles() {
    const Timeline t = timelineOf("overlapped", 0, 3000);
    QCOMPARE(t.tileStarts.size(), std::size_t{64});
    QCOMPARE(t.steadyTo - t.steadyFrom, 60u);
  }

  void theTableOfTheDocuments() {
    QFile file(QStringLiteral(TILELOOM_SOURCE_DIR "/docs/design/05-timeline.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(file.readAll());
    const qsizetype head = text.indexOf(QStringLiteral("| varies by |"));
    QVERIFY(head > 0);
    int rows = 0;
    for (const QString& line : text.mid(head).split(QLatin1Char('\n')).mid(2)) {
      if (!line.startsWith(QLatin1Char('|'))) break;
      QList<double> cells;
      for (const QString& cell : line.split(QLatin1Char('|'), Qt::SkipEmptyParts))
        cells += QString(cell).remove(QLatin1Char(',')).trimmed().toDouble();
      QCOMPARE(cells.size(), 8);
      for (int i = 0; i < 3; ++i) {
        QCOMPARE(qRound(cycles(kIds[std::size_t(i)], 0, cells[0])), qRound(cells[1 + i]));
        QCOMPARE(qRound(cycles(kIds[std::size_t(i)], cells[4], 0)), qRound(cells[5 + i]));
      }
      ++rows;
    }
    QCOMPARE(rows, 7);
  }

  // Warp specialisation is as good as the better one of two orders without it, whichever that is.
  void rolesNeedNotChoose() {
    int v1Better = 0, v2Better = 0;
    for (int varies = 0; varies <= 4000; varies += 250) {
      const double v1 = cycles("multistage", 0, varies), v2 = cycles("overlapped", 0, varies);
      const double roles = cycles("consumers", 0, varies);
      QVERIFY2(roles <= 1.003 * std::min(v1, v2), qPrintable(QString::number(varies)));
      QVERIFY2(roles >= 0.975 * std::min(v1, v2), qPrintable(QString::number(varies)));
      ++(v1 < v2 ? v1Better : v2Better);
    }
    QVERIFY(v1Better > 4 && v2Better > 4);
  }

  // A warp that both waits for TMA loads and issues them waits for a free stage only when the next
  // K tile has arrived; a producer does not wait for that.
  void whoHoldsRequestsBack() {
    const auto before = [this](std::string_view id) {
      const auto tiles = flights(timelineOf(id, 0, 3000));
      int found = 0;
      for (const auto& [tile, times] : tiles) {
        if (tile < kStages) continue;  // prefetched before the loop
        if (times.first < tiles.at(tile - kStages + 1).second) ++found;
      }
      return found;
    };
    QCOMPARE(before("overlapped"), 0);
    QVERIFY(before("multistage") > 20);
    QVERIFY(before("consumers") > 20);
  }
};

}  // namespace tileloom::timeline

TILELOOM_TEST(tileloom::timeline::VaryingTest, Nothing)
#include "varying_test.moc"
