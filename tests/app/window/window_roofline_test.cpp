// SPDX-License-Identifier: GPL-3.0-or-later
// The pages Roofline and Ladder in the window: traced when visible, live with the tile parameters.
#include <QSignalSpy>
#include <QToolButton>

#include "app/services/forecasts/rung_totals.h"
#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/charts/ladder/ladder_chart.h"
#include "viz/charts/roofline/roofline_chart.h"

namespace tileloom {

using test::OpenWindow;

class WindowRooflineTest : public QObject {
  Q_OBJECT

  static bool complete(const RooflineData& data) {
    return data.rungs.size() == stages().size() && data.waiting == 0 && data.present;
  }

 private slots:
  void nothingIsTracedOutOfSight() {
    OpenWindow w;
    QVERIFY(w.ready());
    QTest::qWait(100);
    QVERIFY(w.window.view<RooflineChart>()->data().rungs.empty());
    w.key(Qt::Key_R);
    QCOMPARE(w.window.currentPage(), std::string_view("roofline"));
    QTRY_VERIFY(complete(w.window.view<RooflineChart>()->data()));
  }

  void thePresentTileMovesWithTheParameters() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setProblem({4096, 4096, 4096});
    w.key(Qt::Key_R);
    const auto& data = w.window.view<RooflineChart>()->data();
    QTRY_VERIFY(complete(data) && data.problem.m == 4096);
    QVERIFY(data.present->tile == w.explorer().tile());
    QVERIFY(data.present->gflops.known());  // recorded
    QVERIFY(data.rungs[13].traffic.sharedBytes < data.rungs[4].traffic.sharedBytes);
    const auto before = data.present->traffic;
    const TileShape moved = w.explorer().tile().with(Parameter::BK, 8);
    w.explorer().setTile(moved);
    QTRY_VERIFY(data.present->tile == moved);
    QVERIFY(!(data.present->traffic == before));
    QCOMPARE(data.rungs[7].traffic.sharedBytes, before.sharedBytes);
  }

  // The baseline of a comparison is marked: a rung, or a further point at another tile.
  void theBaselineIsMarked() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_R);
    const auto& data = w.window.view<RooflineChart>()->data();
    QTRY_VERIFY(complete(data));
    QVERIFY(!data.baseline);
    const Stage& other = test::stage("blocktile2d");
    w.explorer().pin(standardSubject(other));
    QTRY_COMPARE(data.baseline, std::optional(other.rung - 1));
    QCOMPARE(data.rungs.size(), stages().size());
    const TileShape tile = w.explorer().tile().with(Parameter::BK, 8);
    w.explorer().pin(usualSubject(w.explorer().stage(), tile));
    QTRY_VERIFY(data.baseline == static_cast<int>(stages().size()));
    QVERIFY(data.point(*data.baseline).tile == tile);
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!data.baseline && data.rungs.size() == stages().size());
  }

  // The speeds are those of the chosen format.
  void speedsOfTheChosenFormat() {
    OpenWindow w;
    QVERIFY(w.ready());
    const Stage& mma = test::stage("mma");
    w.explorer().setStage(mma);
    w.explorer().setHalves(Format::Fp16);
    w.key(Qt::Key_R);
    const auto& data = w.window.view<RooflineChart>()->data();
    const auto recorded = [&](Format format) {
      return runs::recordedRun({&mma, mma.standardTile(), format}, w.explorer().problem(), {})
          ->gflops.median;
    };
    QVERIFY(recorded(Format::Fp16) != recorded(Format::Bf16));
    QTRY_VERIFY(data.present && data.present->format == Format::Fp16);
    QTRY_COMPARE(data.present->gflops.median, recorded(Format::Fp16));
    QTRY_VERIFY(!data.rungs.empty());
    QVERIFY(data.rungs.front().rung() == &mma);
    QCOMPARE(data.rungs.front().gflops.median, recorded(Format::Fp16));
  }

  void levelsAreButtonsToo() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_R);
    auto* shared = w.window.findChild<QToolButton*>("roofline2");
    QVERIFY(shared != nullptr && shared->isChecked());  // where the ladder climbs
    w.window.view<RooflineChart>()->setLevel(RooflineLevel::Dram);
    QVERIFY(!shared->isChecked());
    shared->click();
    QVERIFY(w.window.view<RooflineChart>()->level() == RooflineLevel::Shared);
    w.window.view<RooflineChart>()->setFocus();
    w.key(Qt::Key_Right);
    QVERIFY(w.window.view<RooflineChart>()->level() == RooflineLevel::All && !shared->isChecked());
  }

  static void checkLabels(const charts::RooflinePanel& panel, const QString& level) {
    const auto where = [&](const auto& label) {
      return QString("%1: %2 %3").arg(level, label.number, label.text);
    };
    int crossings = 0;
    for (const auto& label : panel.labels) {
      QVERIFY2(panel.plot.contains(label.rect), qPrintable(where(label)));
      for (const auto& mark : panel.marks) {
        const double radius = mark.radius;
        const QRectF ring(mark.at - QPointF(radius, radius), QSizeF(2 * radius, 2 * radius));
        QVERIFY2(!label.rect.intersects(ring), qPrintable(where(label)));
      }
      for (const auto& other : panel.labels) {
        if (&other == &label) continue;
        QVERIFY2(!label.rect.intersects(other.rect), qPrintable(where(label)));
        QPointF at;
        const auto meets = label.leader.intersects(other.leader, &at);
        crossings += meets == QLineF::BoundedIntersection ? 1 : 0;
        // No line crosses the name of another one.
        for (const QLineF& diagonal : {QLineF(other.rect.topLeft(), other.rect.bottomRight()),
                                       QLineF(other.rect.bottomLeft(), other.rect.topRight())})
          QVERIFY2(label.leader.intersects(diagonal, &at) != QLineF::BoundedIntersection,
                   qPrintable(where(label) + " through " + other.text));
      }
    }
    QVERIFY2(crossings == 0,
             qPrintable(QString("%1: %2 lines cross").arg(level).arg(crossings / 2)));
  }

  // With the shipped recordings, in the sizes that the chart has in a window of 1280x720, 1920x1080
  // and 3840x2160, alone on a screen, and in its pictures.
  void labelsDoNotTangle_data() {
    QTest::addColumn<QSizeF>("size");
    for (const QSizeF& size : {QSizeF(760, 190), QSizeF(1280, 330), QSizeF(1300, 240),
                               QSizeF(1900, 900), QSizeF(1200, 900), QSizeF(3200, 620)})
      QTest::addRow("%.0f x %.0f", size.width(), size.height()) << size;
  }
  void labelsDoNotTangle() {
    QFETCH(QSizeF, size);
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setProblem({4096, 4096, 4096});
    w.key(Qt::Key_R);
    const auto* chart = w.window.view<RooflineChart>();
    QTRY_VERIFY(complete(chart->data()) && chart->data().problem.m == 4096);
    RooflineData data = chart->data();
    const Fonts fonts = Fonts::of(chart->font());
    for (const RooflineLevel level : kRooflineLevels) {
      data.level = level;
      const auto g = charts::rooflineGeometry(data, size, {fonts.body, fonts.small});
      checkLabels(g, nameOf(level).data());
      if (g.inset) checkLabels(*g.inset, nameOf(level).data());
      // Each rung has its name or its number, except where the window is very low.
      if (size.height() < 240) continue;
      for (const auto& mark : g.marks) {
        const auto& panel =
            mark.elsewhere ? static_cast<const charts::RooflinePanel&>(*g.inset) : g;
        const bool labelled =
            std::ranges::any_of(panel.labels, [&](const auto& l) { return l.point == mark.point; });
        QVERIFY2(!mark.main || labelled,
                 qPrintable(QString("%1: point %2").arg(nameOf(level).data()).arg(mark.point)));
      }
    }
  }

  void theLadderHasItsColumns() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setProblem({4096, 4096, 4096});
    w.key(Qt::Key_L);
    const LadderChart& chart = *w.window.view<LadderChart>();
    QTRY_VERIFY(
        chart.figures().size() == everyStage().size() &&
        std::ranges::all_of(chart.figures(), [](const LadderFigures& f) { return f.traced; }));
    QCOMPARE(chart.figures()[7].registers, 165);
    QVERIFY(!chart.figures()[0].conflictShare && chart.figures()[2].conflictShare);
    QVERIFY(*chart.figures()[0].sharedIntensity < 0.02);  // a line for each lane
    QVERIFY(chart.columns().size() >= 7);
    QCOMPARE(chart.ladders(), 2);
    for (int row = 0; row < static_cast<int>(everyStage().size()); ++row) {
      double right = chart.xOf(100, row);
      for (const charts::PlacedColumn& column : chart.columns()) {
        const QRectF cell = chart.cellRect(row, column);
        QVERIFY(cell.left() >= right - 1 && cell.right() <= chart.width());
        right = cell.right();
      }
    }
  }

  // Both ladders are there, and that of the present rung is in sight in a low half of the window.
  void thePresentLadderIsInSight() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_L);
    const LadderChart& chart = *w.window.view<LadderChart>();
    w.explorer().setStage(tensorStages().back());
    const auto seen = [&chart](int row) {
      const auto bar = chart.barRect(row);
      const QWidget* room = chart.parentWidget();  // of the scroll area
      return bar && room->rect().contains(chart.mapTo(room, bar->center().toPoint()));
    };
    const int last = static_cast<int>(everyStage().size()) - 1;
    QTRY_VERIFY_WITH_TIMEOUT(seen(last), 20000);
    w.explorer().setStage(stages().front());
    QTRY_VERIFY_WITH_TIMEOUT(seen(0), 20000);
    // The roofline has the rungs and roofs of only one ladder.
    w.key(Qt::Key_R);
    const RooflineChart& roofline = *w.window.view<RooflineChart>();
    QTRY_COMPARE(roofline.data().rungs.size(), stages().size());
    QVERIFY(roofline.data().ladder == Ladder::Fp32);
    w.explorer().setStage(tensorStages().front());
    QTRY_COMPARE(roofline.data().rungs.size(), tensorStages().size());
    QVERIFY(roofline.data().ladder == Ladder::Tensor &&
            roofline.data().present->predicted == std::nullopt);
  }

  // The service itself: repeated requests are traced once, and an illegal tile is not traced.
  void totalsAreRemembered() {
    RungTotals totals;
    QSignalSpy changed(&totals, &RungTotals::changed);
    const Stage& stage = test::stage("warptiled");
    const Problem problem{512, 512, 512};
    QVERIFY(!totals.of({standardSubject(stage), problem}) && totals.busy());
    QVERIFY(!totals.of({standardSubject(stage), problem}));
    QTRY_VERIFY(!totals.busy());
    QCOMPARE(changed.size(), 1);
    emulator::Workspace workspace;
    emulator::TraceRequest request{{standardSubject(stage), problem}};
    QVERIFY(totals.of({standardSubject(stage), problem}) ==
            analysis::gridTotals(workspace, request));
    QVERIFY(
        !totals.of({usualSubject(stage, stage.standardTile().with(Parameter::BM, 13)), problem}));
    QVERIFY(!totals.busy());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowRooflineTest, Window)
#include "window_roofline_test.moc"
