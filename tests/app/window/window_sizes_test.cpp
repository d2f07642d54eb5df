// SPDX-License-Identifier: GPL-3.0-or-later
// Speed over size in the window: predicted when visible, follows the tile parameters, and its sizes
// can be clicked.
#include <QToolButton>

#include "app/services/services.h"
#include "app/session/session.h"
#include "kernels/runs/recordings.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/charts/sizes/size_chart.h"

namespace tileloom {

using test::OpenWindow;

class WindowSizesTest : public QObject {
  Q_OBJECT

 private slots:
  void itComesWhenItIsInSight() {
    OpenWindow w;
    QVERIFY(w.ready());
    const SizeChart& chart = *w.window.view<SizeChart>();
    QTest::qWait(400);
    QVERIFY(chart.data().points.empty());
    w.key(Qt::Key_N);
    QCOMPARE(w.window.currentPage(), std::string_view("sizes"));
    QTRY_VERIFY(!chart.data().points.empty());
    const SizeData& data = chart.data();
    QCOMPARE(data.points.front().size, kSmallestSize);
    QCOMPARE(data.points.back().size, 8192);
    QCOMPARE(data.blocksPerSm, 3);
    // The shipped runs of this tile, and cuBLAS beside them.
    QVERIFY(data.runs.size() >= 3);
    for (const SizeRun& run : data.runs) {
      const auto* recorded = runs::recordedRun(data, {run.size, run.size, run.size});
      QVERIFY(recorded != nullptr && run.freshness == Freshness::Recorded);
      QCOMPARE(run.gflops.median, recorded->gflops.median);
    }
    QVERIFY(data.cublas.size() >= 3);
  }

  void itFollowsTheParametersAndGivesItsSizesAway() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_N);
    SizeChart& chart = *w.window.view<SizeChart>();
    QTRY_VERIFY(!chart.data().points.empty());
    const auto before = chart.data().points;
    // A size in between: the line moves, and the size is one of the points.
    const auto& g = chart.geometryOfCurves();
    test::clickAt(chart, QPointF(g.xOf(3584), g.shares.center().y()).toPoint());
    const int size = w.explorer().problem().m;
    QVERIFY(size % 128 == 0 && std::abs(size - 3584) <= 128);
    QVERIFY(w.explorer().problem() == (Problem{size, size, size}));
    QTRY_COMPARE(chart.data().presentSize().value_or(0), size);
    QVERIFY(!chart.data().points.empty());  // the curve is not recomputed for that
    w.explorer().setProblem({3000, 3000, 3000});
    QTRY_VERIFY(std::ranges::find(chart.data().points, 3000, &model::SizePoint::size) !=
                chart.data().points.end());
    // Another tile, another curve: until it arrives the old one is not shown as its own.
    const TileShape moved = w.explorer().tile().with(Parameter::BK, 8);
    w.explorer().setTile(moved);
    QTRY_VERIFY(chart.data().tile == moved && !chart.data().points.empty());
    QVERIFY(!(chart.data().points == before));
  }

  // An illegal tile has no curve: that of the last legal one stays, under its name.
  void anIllegalTileKeepsTheLastCurve() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_N);
    SizeChart& chart = *w.window.view<SizeChart>();
    QTRY_VERIFY(!chart.data().points.empty());
    const SizeData before = chart.data();
    w.explorer().setTile(before.tile.with(Parameter::BM, 0).with(Parameter::BN, 7));
    w.window.page("sizes")->prepare();
    QTest::qWait(300);
    QVERIFY(chart.data().tile == before.tile && chart.data().points == before.points);
    w.explorer().setTile(before.tile.with(Parameter::BK, 8));
    QTRY_VERIFY(chart.data().tile[Parameter::BK] == 8 && !chart.data().points.empty());
    QVERIFY(!(chart.data().points == before.points));
  }

  // A tile with an unknown kernel says so.
  void whatCannotBePredictedSaysWhy() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_N);
    SizeChart& chart = *w.window.view<SizeChart>();
    QTRY_VERIFY(!chart.data().points.empty());
    // A legal tile that no shipped run has, on a machine without a compiler.
    const Stage& stage = test::stage("async");
    QVERIFY(w.pick(stage));
    const Lab& lab = w.window.services().lab;
    std::optional<TileShape> odd;
    for (const int bk : {4, 8, 16, 32}) {
      for (const int stages : {2, 3, 4, 5}) {
        const TileShape tile = stage.standardTile()
                                   .with(Parameter::BK, bk)
                                   .with(Parameter::STAGES, stages)
                                   .with(Parameter::BM, 64);
        if (!odd && !firstViolation(stage, tile, lab.arch()) &&
            !lab.kernelOf(usualSubject(stage, tile)))
          odd = tile;
      }
    }
    QVERIFY(odd.has_value());
    w.explorer().setTile(*odd);
    QTRY_VERIFY(chart.data().tile == *odd);
    QVERIFY2(chart.data().trouble.contains("registers"), qPrintable(chart.data().trouble));
    QVERIFY(chart.data().points.empty());
    QVERIFY(chart.accessibleDescription().contains("registers"));
  }

  void theSpanIsPartOfTheSession() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_N);
    SizeChart& chart = *w.window.view<SizeChart>();
    auto* button = w.window.findChild<QToolButton*>("sizes4096");
    QVERIFY(button != nullptr);
    button->click();
    QCOMPARE(chart.data().to, 4096);
    Session session;
    w.window.page("sizes")->save(session);
    QVERIFY(session.sizes == SizeSpan::To4096);
    session.sizes = SizeSpan::To16384;
    w.window.page("sizes")->restore(session);
    QCOMPARE(chart.data().to, 16384);
    QVERIFY(w.window.findChild<QToolButton*>("sizes16384")->isChecked());
    QTRY_VERIFY(!chart.data().points.empty());
    QCOMPARE(chart.data().points.back().size, 16384);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSizesTest, Window)
#include "window_sizes_test.moc"
