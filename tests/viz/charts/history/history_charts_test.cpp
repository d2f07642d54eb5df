// SPDX-License-Identifier: GPL-3.0-or-later
// The history: what joins and what does not, what the words say, and what mouse and keys do.
#include "viz/charts/history/history_charts.h"

#include <QSignalSpy>
#include <QToolButton>
#include <QToolTip>
#include <QtTest>

#include "kernels/runs/counters.h"
#include "kernels/tile/parameters.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/chart_points.h"
#include "viz/charts/history/history_bins.h"
#include "viz/charts/history/history_moves.h"
#include "viz/charts/history/history_words.h"

namespace tileloom {

using test::around;
using test::measured;
using test::moves;

class HistoryChartsTest : public QObject {
  Q_OBJECT

  static QImage grabbed(HistoryCharts& charts) {
    QTest::qWait(20);  // the replot is queued
    return charts.grab().toImage();
  }

  static int pixelsOf(const QImage& image, const QRectF& where, const QColor& color) {
    int found = 0;
    const QRect area = where.toAlignedRect().intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
      for (int x = area.left(); x <= area.right(); ++x) {
        if (image.pixelColor(x, y) == color) ++found;
      }
    }
    return found;
  }

  // A thin line is smoothed, so that none of its pixels has its colour to the full.
  static int darkPixels(const QImage& image, const QRectF& where) {
    int found = 0;
    const QRect area = where.toAlignedRect().intersected(image.rect());
    for (int y = area.top(); y <= area.bottom(); ++y) {
      for (int x = area.left(); x <= area.right(); ++x) {
        if (image.pixelColor(x, y).lightness() < 128) ++found;
      }
    }
    return found;
  }

  static QRectF near(const QPointF& at, double reach) {
    return {at.x() - reach, at.y() - reach, 2 * reach, 2 * reach};
  }

 private slots:
  // Large numbers of tensor rungs are in TFLOP/s, on the axis as in words, and name their cuBLAS.
  void tensorRungsHaveTheirUnit() {
    HistoryPoint p = measured();
    p.format = Format::Bf16;
    p.gflops = {436497, 435000, 438000};
    p.cublas = {760123, 760000, 761000};
    QCOMPARE(charts::sampleOf(p, HistoryPanel::Speed)->value, 436.497);
    QCOMPARE(*charts::referenceOf(p, HistoryPanel::Speed), 760.123);
    const charts::Headline headline = charts::headlineOf(p, HistoryPanel::Speed);
    QCOMPARE(headline.value, QStringLiteral("436.5"));
    QCOMPARE(headline.unit, QStringLiteral("TFLOP/s"));
    QVERIFY(headline.notes.contains(QStringLiteral("cublasGemmEx 760.1")));
    QCOMPARE(charts::panelTitle(HistoryPanel::Speed, p.format), QStringLiteral("Speed, TFLOP/s"));
    QCOMPARE(charts::panelTitle(HistoryPanel::Ratio, p.format),
             QStringLiteral("Share of cublasGemmEx in bf16, %"));
    QCOMPARE(charts::panelTitle(HistoryPanel::Speed), QStringLiteral("Speed, GFLOP/s"));
    HistoryPoint other = p;
    other.format = Format::Fp16;
    QVERIFY(charts::joined(p, p) && !charts::joined(p, other));
  }

  // The baseline is a line across, on an axis that includes it.
  void theBaselineIsALineAcross() {
    HistoryCharts view;
    view.resize(900, 500);
    view.setPoints(moves(6));
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    const QImage alone = grabbed(view);
    HistoryPoint baseline = measured();
    baseline.gflops = around(3 * baseline.gflops.median, 0.01);
    view.setBaseline(baseline);
    QVERIFY(view.baseline().has_value());
    const auto before = view.markAt(HistoryPanel::Speed, 0);
    const QImage beside = grabbed(view);
    QVERIFY(beside != alone);
    const auto after = view.markAt(HistoryPanel::Speed, 0);
    // The marks make room above them.
    QVERIFY(before && after);
    view.setBaseline(std::nullopt);
    QCOMPARE(grabbed(view), alone);
  }

  // Each move says what it was, and moves of one tile parameter are one run.
  void movesAreNamed() {
    std::vector<HistoryPoint> points{measured()};
    const auto move = [&points](auto&& change) {
      HistoryPoint p = points.back();
      change(p);
      points.push_back(p);
    };
    move([](HistoryPoint& p) { p.tile = p.tile.with(Parameter::BK, 8); });
    move([](HistoryPoint& p) { p.tile = p.tile.with(Parameter::BK, 32); });
    move([](HistoryPoint& p) { p.tile = p.tile.with(Parameter::TN, 8); });
    move([](HistoryPoint& p) { p.tile = p.tile.with(Parameter::BM, 64).with(Parameter::WM, 32); });
    move([](HistoryPoint& p) { p.problem = {2048, 2048, 2048}; });
    move([](HistoryPoint&) {});
    points.push_back(measured("padded"));
    QStringList names;
    for (int i = 0; i < static_cast<int>(points.size()); ++i) names += charts::moveText(points, i);
    QCOMPARE(names, (QStringList{"start", "BK 8", "BK 32", "TN 8", "2 parameters", "2048", "again",
                                 "rung 9"}));
    const auto runs = charts::moveRuns(points, 0, 7);
    QCOMPARE(runs.size(), std::size_t{7});
    QCOMPARE(runs[1].first, 1);
    QCOMPARE(runs[1].last, 2);
    QCOMPARE(runs[1].full, "BK 8 → 32");
    QCOMPARE(runs[1].brief, "BK");
    QCOMPARE(runs[2].full, "TN 8");
    int next = 0;
    for (const auto& run : runs) {
      QCOMPARE(run.first, next);
      next = run.last + 1;
    }
    QCOMPARE(next, 8);
  }

  // The word beside a figure is the figure's origin, not that of other marks.
  void headersSayWhereTheirFigureComesFrom() {
    HistoryPoint p = measured();
    p.freshness = Freshness::Recorded;
    QCOMPARE(charts::originWord(p, HistoryPanel::Speed), "recorded");
    p.gflops = p.ratio = {};
    QCOMPARE(charts::originWord(p, HistoryPanel::Speed), "");
    QCOMPARE(charts::headlineOf(p, HistoryPanel::Ratio).notes.front(), "not measured");
    p.forecast = Forecast{34100, 30800, 37200, "instruction issue"};
    QCOMPARE(charts::originWord(p, HistoryPanel::Speed), "predicted");
    QCOMPARE(charts::originWord(p, HistoryPanel::Ratio), "");
    const auto speed = charts::headlineOf(p, HistoryPanel::Speed);
    QCOMPARE(speed.value, "≈34,100");
    QCOMPARE(speed.notes, (QStringList{"predicted: 30,800 to 37,200", "not measured"}));
    p.note = "wrong result at row 3, column 5";  // trouble comes first
    QVERIFY(charts::headlineOf(p, HistoryPanel::Speed).trouble);
  }

  void gapsAndJoints() {
    const HistoryPoint a = measured();
    QVERIFY(charts::joined(a, a));
    HistoryPoint b = a;
    b.freshness = Freshness::Recorded;
    QVERIFY(!charts::joined(a, b));
    QVERIFY(!charts::joined(a, measured("vectorized")));
    b = a;
    b.problem.k = 2048;
    QVERIFY(!charts::joined(a, b));
    b = a;
    b.device = "another";
    QVERIFY(!charts::joined(a, b));
    b = a;
    b.gflops = {};
    QVERIFY(!charts::sampleOf(b, HistoryPanel::Speed));
    b.registers = -1;
    QVERIFY(!charts::sampleOf(b, HistoryPanel::Registers));
    b.blocks = 0;
    QVERIFY(!charts::sampleOf(b, HistoryPanel::Occupancy));
    QCOMPARE(charts::sampleOf(a, HistoryPanel::Occupancy)->value, 18.75);
    QCOMPARE(charts::sampleOf(a, HistoryPanel::Ratio)->value, 100 * 36339.0 / 50545);
  }

  void axesHoldTheirValues() {
    auto points = moves(6);
    for (const HistoryPanel panel : kHistoryPanels) {
      const auto range = charts::valueRange(points, panel);
      for (const auto& p : points) {
        const auto s = charts::sampleOf(p, panel);
        QVERIFY(s->low >= range.low && s->high <= range.high);
      }
    }
    QVERIFY(charts::valueRange(points, HistoryPanel::Speed).high > 50545);
    QVERIFY(charts::valueRange(points, HistoryPanel::Ratio).high >= 100);
    QVERIFY(charts::valueRange(points, HistoryPanel::Registers).high < charts::kMostRegisters);
    points[2].registers = 240;  // near the ceiling, which is then visible
    QVERIFY(charts::valueRange(points, HistoryPanel::Registers).high > charts::kMostRegisters);
  }

  void windowScrollsAndFollows() {
    charts::HistoryWindow w;
    w.setWidth(200);  // 20 moves
    w.setCount(100);
    QVERIFY(w.follows());
    QCOMPARE(w.high(), 100.5);
    QCOMPARE(w.capacity(), 20);
    w.scroll(-30);
    QVERIFY(!w.follows());
    QCOMPARE(w.high(), 70.5);
    w.setCount(101);  // a new move does not pull the older ones away
    QCOMPARE(w.high(), 70.5);
    w.scroll(-1000);
    QCOMPARE(w.low(), 0.5);
    w.scroll(1000);
    QVERIFY(w.follows());
    QCOMPARE(w.last(), 100);
    w.reveal(3);
    QVERIFY(w.low() < 4 && w.high() > 4);
    w.followLatest();
    QCOMPARE(w.high(), 101.5);
  }

  void windowZooms() {
    charts::HistoryWindow w;
    w.setWidth(200);
    w.setCount(400);
    QVERIFY(w.hasMore());
    w.zoomToAll();
    QCOMPARE(w.first(), 0);
    QCOMPARE(w.last(), 399);
    QVERIFY(!w.hasMore());
    w.setCount(420);  // all stays all
    QCOMPARE(w.capacity(), 420);
    w.zoomAsUsual();
    QCOMPARE(w.capacity(), 20);
    w.scroll(-100);
    const double before = (w.high() - 310) / w.capacity();
    w.zoom(2, 310);  // the move under the mouse stays under it
    QCOMPARE(w.capacity(), 40);
    QVERIFY(std::abs((w.high() - 310) / w.capacity() - before) < 1e-9);
    w.zoom(1e9, 310);
    QCOMPARE(w.capacity(), 420);
    for (int i = 0; i < 60; ++i) w.zoom(0.7, 100);
    QCOMPARE(w.capacity(), 3);
    w.centre(200);
    QVERIFY(w.low() < 200 && w.high() > 200);
  }

  // A drag is a series of changes of one tile parameter; repeats belong to it.
  void dragsAreFound() {
    auto points = moves(6);
    const auto move = [&points](std::size_t i, Parameter parameter, int by) {
      for (std::size_t k = i; k < points.size(); ++k) points[k].tile[parameter] += by;
    };
    move(1, Parameter::BK, 8);
    move(2, Parameter::BK, 8);
    move(3, Parameter::TM, 4);  // another tile parameter: a new drag
    move(4, Parameter::TM, -2);
    points[5].freshness = Freshness::Recorded;
    QVERIFY((charts::sameDrag(points) == std::vector<bool>{false, true, true, false, true, false}));
    move(3, Parameter::BN, 64);  // two tile parameters at once: another tile was chosen
    QVERIFY(!charts::sameDrag(points)[3]);
  }

  // Each move is in one bin, none holds moves that may not be joined, and the median is one.
  void binsLoseNothing() {
    for (const int count : {1, 5, 25, 100, 400}) {
      const auto points = test::drags(count);
      for (const int most : {1, 3, 7, 40}) {
        const auto bins = charts::binsOf(points, 0, count - 1, most, [](const HistoryPoint& p) {
          return std::optional(p.gflops.median);
        });
        int next = 0;
        for (const charts::HistoryBin& bin : bins) {
          QCOMPARE(bin.first, next);
          QVERIFY(bin.last - bin.first < most);
          for (int i = bin.first; i <= bin.last; ++i) {
            const HistoryPoint& p = points[static_cast<std::size_t>(i)];
            QVERIFY(p.gflops.median >= bin.low && p.gflops.median <= bin.high);
            QVERIFY(charts::joined(points[static_cast<std::size_t>(bin.first)], p));
          }
          QVERIFY(bin.median >= bin.low && bin.median <= bin.high);
          next = bin.last + 1;
        }
        QCOMPARE(next, count);
      }
    }
  }

  // Every move can be reached by scrolling and by hovering, however many there are.
  void allMovesCanBeReached() {
    for (const int count : {25, 100, 400}) {
      HistoryCharts charts;
      charts.setPoints(test::drags(count));
      QVERIFY(test::shown(charts, {1280, 250}));
      QVERIFY(charts.overviewStrip().has_value() == !charts.showsAll());
      QVERIFY(charts.markAt(HistoryPanel::Speed, count - 1));
      charts.setFocus();
      QTest::keyClick(&charts, Qt::Key_Home);
      QVERIFY(charts.markAt(HistoryPanel::Speed, 0));
      QTest::keyClick(&charts, Qt::Key_End);
      charts.showAll(true);
      QVERIFY(!charts.overviewStrip());
      for (int i = 0; i < count; ++i) {
        const auto at = charts.markAt(HistoryPanel::Speed, i);
        QVERIFY(at);
        QCOMPARE(charts.columnAt(*at), i);
      }
      auto* all = charts.findChild<QToolButton*>("all");
      QVERIFY(all->isVisible() && all->isChecked());
      QTest::mouseClick(all, Qt::LeftButton);
      QVERIFY(!charts.showsAll());
    }
  }

  void theStripScrolls() {
    HistoryCharts charts;
    charts.setPoints(test::drags(400));
    QVERIFY(test::shown(charts, {1280, 260}));
    const QRectF strip = *charts.overviewStrip();
    QVERIFY(QRectF(charts.rect()).contains(strip));
    QVERIFY(strip.contains(*charts.overviewFrame()));
    QVERIFY(charts.overviewFrame()->right() > strip.right() - 2);  // the latest
    QSignalSpy asked(&charts, &HistoryCharts::restoreAsked);
    test::clickAt(charts, strip.center());
    QVERIFY(!charts.followsLatest());
    QVERIFY(std::abs(charts.overviewFrame()->center().x() - strip.center().x()) < 3);
    QVERIFY(charts.markAt(HistoryPanel::Speed, 200));
    QVERIFY(asked.isEmpty());
    // A drag along it goes on scrolling.
    QTest::mousePress(&charts, Qt::LeftButton, {}, strip.center().toPoint());
    QMouseEvent move(QEvent::MouseMove, strip.topLeft(), charts.mapToGlobal(strip.topLeft()),
                     Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(&charts, &move);
    QTest::mouseRelease(&charts, Qt::LeftButton, {}, strip.topLeft().toPoint());
    QVERIFY(charts.markAt(HistoryPanel::Speed, 0));
    // Ctrl and the wheel zoom.
    const QPointF at = *charts.markAt(HistoryPanel::Speed, 5);
    QWheelEvent wheel(at, charts.mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::ControlModifier,
                      Qt::NoScrollPhase, false);
    const double before = charts.overviewFrame()->width();
    QApplication::sendEvent(&charts, &wheel);
    QVERIFY(charts.overviewFrame()->width() > before);
    QTest::keyClick(&charts, Qt::Key_0);
    QVERIFY(std::abs(charts.overviewFrame()->width() - before) < 1);
  }

  void countersStandBesideWhatWasPredicted() {
    using runs::Counter;
    HistoryPoint p = measured();
    QVERIFY(!charts::referenceOf(p, HistoryPanel::Occupancy));
    p.counters.set(Counter::AchievedOccupancy, 0.1734);
    // Occupancy never appears alone.
    QVERIFY(!charts::toolTipOf(p, 0).contains("achieved"));
    p.counters.set(Counter::InstructionsPerCycle, 3.044);
    p.counters.set(Counter::FmaPipe, 0.657);
    p.counters.set(Counter::SmBusy, 0.877);
    p.counters.set(Counter::DramBytes, 405135616);
    p.counters.set(Counter::L2Bytes, 4343986368);
    p.counters.set(Counter::SharedStoreWavefronts, 84192112);
    p.counters.set(Counter::SharedStoreConflicts, 50637680);
    QCOMPARE(charts::headlineOf(p, HistoryPanel::Occupancy).notes,
             (QStringList{"3 blocks, 12 of 64 warps",
                          "17.3 % achieved at 3.04 instructions per cycle"}));
    const auto reference = charts::referenceOf(p, HistoryPanel::Occupancy);
    QVERIFY(reference && std::abs(*reference - 17.34) < 1e-9);
    const QString tip = charts::toolTipOf(p, 0);
    for (const char* part : {"FMA pipe 65.7 %", "SMs busy 87.7 %", "DRAM 405 MB", "L2 4.34 GB",
                             "60.1 % of store wavefronts due to bank conflicts"}) {
      QVERIFY2(tip.contains(part), qPrintable(tip));
    }
    QVERIFY2(!tip.contains("load wavefronts"), qPrintable(tip));  // not counted
  }

  void wordsSayWhatIsKnown() {
    HistoryPoint p = measured();
    auto speed = charts::headlineOf(p, HistoryPanel::Speed);
    QCOMPARE(speed.value, "36,339");
    QCOMPARE(speed.unit, "GFLOP/s");
    QCOMPARE(speed.notes[0], "± 0.4 %");
    QVERIFY(!speed.trouble);
    p.gflops = around(36339, 0.05);
    speed = charts::headlineOf(p, HistoryPanel::Speed);
    QCOMPARE(speed.notes[0], "± 5.0 %, noisy");
    QVERIFY(speed.trouble);
    QCOMPARE(charts::headlineOf(p, HistoryPanel::Registers).notes, QStringList{"no spill"});
    p.spillBytes = 96;
    QCOMPARE(charts::headlineOf(p, HistoryPanel::Registers).notes, QStringList{"spills 96 bytes"});
    QVERIFY(charts::headlineOf(p, HistoryPanel::Registers).trouble);
    const auto occupancy = charts::headlineOf(p, HistoryPanel::Occupancy);
    QCOMPARE(occupancy.value, "18.8");
    QCOMPARE(occupancy.notes, (QStringList{"3 blocks, 12 of 64 warps", "limited by registers"}));
    p.freshness = Freshness::Recorded;
    p.note = "wrong result at row 3, column 5";
    p.mainLoop = "main loop rewritten";
    const QString tip = charts::toolTipOf(p, 11);
    for (const char* part :
         {"move 12", "rung 8: warp tiling", "BM=128 BN=128", "4096", "36,339 GFLOP/s", "noisy",
          "recorded on NVIDIA H100 80GB HBM3, 2026-11-21", "168 registers", "spills 96 bytes",
          "main loop rewritten", "occupancy 18.8 %", "limited by registers",
          "wrong result at row 3, column 5"}) {
      QVERIFY2(tip.contains(part), qPrintable(tip));
    }
    p.freshness = Freshness::Stale;
    QVERIFY(charts::toolTipOf(p, 0).contains("stale"));
    const std::vector<HistoryPoint> mixed{measured(), p};
    QCOMPARE(charts::freshnessText(mixed, HistoryPanel::Speed), "live + stale");
  }

  void clickAsksForTheTile_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("stacked") << QSize(330, 520);
    QTest::newRow("low") << QSize(330, 300);
    QTest::newRow("square") << QSize(700, 420);
    QTest::newRow("flat") << QSize(1200, 260);
  }
  void clickAsksForTheTile() {
    QFETCH(QSize, size);
    HistoryCharts charts;
    charts.setPoints(moves(9));
    QVERIFY(test::shown(charts, size));
    QSignalSpy asked(&charts, &HistoryCharts::restoreAsked);
    for (const HistoryPanel panel : kHistoryPanels) {
      for (const int index : {0, 4, 8}) {
        const auto at = charts.markAt(panel, index);
        QVERIFY(at && QRectF(charts.rect()).contains(*at));
        test::clickAt(charts, *at);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.takeFirst()[0].toInt(), index);
      }
    }
    test::clickAt(charts, {3, 3});
    QVERIFY(asked.empty());
  }

  void hoverTellsThePoint() {
    HistoryCharts charts;
    charts.setPoints(moves(9));
    QVERIFY(test::shown(charts, {700, 420}));
    QSignalSpy hovered(&charts, &HistoryCharts::hovered);
    test::hoverAt(charts, *charts.markAt(HistoryPanel::Registers, 2));
    QTRY_COMPARE(hovered.size(), 1);
    QCOMPARE(hovered.takeFirst()[0].toInt(), 2);
    QCOMPARE(charts.shown(), 2);
    QVERIFY(QToolTip::text().startsWith("move 3, rung 8"));
    QVERIFY(charts.accessibleDescription().startsWith("move 3 of 9"));
    test::leave(charts);
    QCOMPARE(hovered.takeFirst()[0].toInt(), -1);
    QCOMPARE(charts.shown(), 8);
    charts.setCurrent(5);
    QCOMPARE(charts.shown(), 5);
  }

  void keysMoveAndRestore() {
    HistoryCharts charts;
    charts.setPoints(moves(300));
    QVERIFY(test::shown(charts, {330, 520}));
    QSignalSpy asked(&charts, &HistoryCharts::restoreAsked);
    QTest::keyClick(&charts, Qt::Key_Left);
    QTest::keyClick(&charts, Qt::Key_Left);
    QTest::keyClick(&charts, Qt::Key_Right);
    QTest::keyClick(&charts, Qt::Key_Return);
    QCOMPARE(asked.takeFirst()[0].toInt(), 298);
    QVERIFY(charts.accessibleDescription().startsWith("move 299 of 300"));
    QVERIFY(!charts.markAt(HistoryPanel::Speed, 0));
    QTest::keyClick(&charts, Qt::Key_Home);
    QVERIFY(charts.markAt(HistoryPanel::Speed, 0));
    QVERIFY(!charts.followsLatest());
    QTest::keyClick(&charts, Qt::Key_End);
    QVERIFY(charts.followsLatest());
    QCOMPARE(charts.shown(), 299);
  }

  void dragAndWheelGoBackAndTheButtonForth() {
    HistoryCharts charts;
    charts.setPoints(moves(300));
    QVERIFY(test::shown(charts, {330, 520}));
    auto* latest = charts.findChild<QToolButton*>("latest");
    QVERIFY(!latest->isVisible());
    QSignalSpy asked(&charts, &HistoryCharts::restoreAsked);
    const QPoint from = charts.markAt(HistoryPanel::Speed, 285)->toPoint();
    const QPoint to = from + QPoint(100, 0);
    QTest::mousePress(&charts, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, to, charts.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&charts, &move);
    QTest::mouseRelease(&charts, Qt::LeftButton, {}, to);
    QVERIFY2(asked.empty(), "a drag is not a click");
    QVERIFY(!charts.followsLatest());
    QVERIFY(latest->isVisible());
    QVERIFY(!charts.markAt(HistoryPanel::Speed, 299));
    // The pressed point is still under the mouse.
    QVERIFY(std::abs(charts.markAt(HistoryPanel::Speed, 285)->x() - to.x()) < 1.5);
    QTest::mouseClick(latest, Qt::LeftButton);
    QVERIFY(charts.followsLatest());
    QVERIFY(charts.markAt(HistoryPanel::Speed, 299));
    test::wheelAt(charts, from, 1);
    QVERIFY(!charts.followsLatest());
    test::wheelAt(charts, from, -1);
    QVERIFY(charts.followsLatest());
  }

  // Filled, hollow and crossed marks differ in their middle and their rim alone.
  void freshnessLooksDifferent() {
    const Theme theme = Theme::make(false);
    HistoryCharts charts;
    charts.setPalette(theme.palette());
    auto points = moves(3);
    points[1].freshness = Freshness::Recorded;
    points[2].freshness = Freshness::Stale;
    for (auto& p : points) p.gflops = {36000, 36000, 36000};
    charts.setPoints(points);
    QVERIFY(test::shown(charts, {700, 420}));
    const QImage image = grabbed(charts);
    const auto ink = [&](int i) {
      return pixelsOf(image, near(*charts.markAt(HistoryPanel::Speed, i), 5), theme.accent);
    };
    const auto middle = [&](int i) {
      return image.pixelColor(charts.markAt(HistoryPanel::Speed, i)->toPoint());
    };
    QVERIFY(ink(0) > 15);
    QCOMPARE(middle(0), theme.accent);
    QCOMPARE(middle(1), theme.panel);
    QVERIFY(ink(1) < ink(0));
    QCOMPARE(ink(2), 0);
    QVERIFY(middle(2) != theme.panel);
  }

  // Between two marks runs per line only if they belong together.
  void linesStopAtGaps() {
    const Theme theme = Theme::make(false);
    const auto inkBetween = [&](const std::vector<HistoryPoint>& points) {
      HistoryCharts charts;
      charts.setPalette(theme.palette());
      charts.setPoints(points);
      if (!test::shown(charts, {700, 420})) return -1;
      const QImage image = grabbed(charts);
      const QPointF a = *charts.markAt(HistoryPanel::Registers, 0);
      const QPointF b = *charts.markAt(HistoryPanel::Registers, 1);
      // Half way is the line of a new rung, which is not one of these.
      return darkPixels(image, QRectF(a + QPointF(8, -4), (a + b) / 2 + QPointF(-10, 4)));
    };
    auto points = moves(2);
    QVERIFY(inkBetween(points) > 10);
    points[1].freshness = Freshness::Recorded;
    QCOMPARE(inkBetween(points), 0);
    points[1] = measured("vectorized");
    QCOMPARE(inkBetween(points), 0);
  }

  void spillsAreHatched() {
    const Theme theme = Theme::make(false);
    HistoryCharts charts;
    charts.setPalette(theme.palette());
    auto points = moves(4);
    points[2].spillBytes = 96;
    charts.setPoints(points);
    QVERIFY(test::shown(charts, {700, 420}));
    const QImage image = grabbed(charts);
    const auto hatch = [&](int i) {
      const QPointF at = *charts.markAt(HistoryPanel::Registers, i);
      int reddish = 0;
      for (int y = 5; y < 60; ++y) {
        for (int x = -5; x <= 5; ++x) {
          const QColor c = image.pixelColor(at.toPoint() + QPoint(x, y));
          if (c.red() > c.green() + 60) ++reddish;
        }
      }
      return reddish;
    };
    QVERIFY(hatch(2) > 30);
    QCOMPARE(hatch(1), 0);
  }

  void emptyPanelsHaveNoMarks() {
    HistoryCharts charts;
    QVERIFY(test::shown(charts, {330, 520}));
    QCOMPARE(charts.shown(), -1);
    QCOMPARE(charts.accessibleDescription(), charts::emptyHistorySentence());
    const QImage empty = grabbed(charts);
    QSignalSpy asked(&charts, &HistoryCharts::restoreAsked);
    for (const int key : {Qt::Key_Left, Qt::Key_Right, Qt::Key_Home, Qt::Key_Return}) {
      QTest::keyClick(&charts, static_cast<Qt::Key>(key));
    }
    QVERIFY(asked.empty());
    auto points = moves(2);
    for (auto& p : points) p.gflops = p.cublas = p.ratio = {};
    charts.setPoints(points);
    QVERIFY(grabbed(charts) != empty);
    QVERIFY(!charts.markAt(HistoryPanel::Speed, 1));
    QVERIFY(charts.markAt(HistoryPanel::Registers, 1));
    QCOMPARE(charts::headlineOf(points[0], HistoryPanel::Speed).value, "–");
    charts.setPoints({});
    QVERIFY(grabbed(charts) == empty);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::HistoryChartsTest, Widgets)
#include "history_charts_test.moc"
