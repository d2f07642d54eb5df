// SPDX-License-Identifier: GPL-3.0-or-later
// The ladder's bars: where they end, what they say, what a click on them picks.
#include "viz/charts/ladder/ladder_chart.h"

#include <QSignalSpy>
#include <QToolTip>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/chart_points.h"
#include "viz/charts/ladder/ladder_bars.h"

namespace tileloom {

class LadderChartTest : public QObject {
  Q_OBJECT

  static std::vector<LadderBar> ladder() {
    std::vector<LadderBar> bars;
    for (const Stage& stage : stages()) {
      LadderBar bar{standardSubject(stage), Freshness::Recorded, {}, {}, {}};
      const double part = 0.8 * stage.rung / static_cast<double>(stages().size());
      bar.ratio = test::around(part, 0.01);
      bar.gflops = test::around(50500 * part, 0.01);
      bars.push_back(bar);
    }
    bars[7].ratio = {0.719, 0.716, 0.722};
    bars[7].gflops = {36339, 36200, 36480};
    bars[7].freshness = Freshness::Live;
    bars[6].ratio = bars[6].gflops = {};
    return bars;
  }

  // Each rung is faster than the one before it.
  static std::vector<LadderBar> measuredOn(const char* device) {
    std::vector<LadderBar> bars;
    for (const Stage& stage : stages()) {
      LadderBar bar{standardSubject(stage), Freshness::Recorded, {}, {}, device};
      const double part = 0.06 * stage.rung;
      bar.ratio = test::around(part, 0.001);
      bar.gflops = test::around(50500 * part, 0.001);
      bars.push_back(bar);
    }
    return bars;
  }

  static void fill(LadderChart& chart, const std::vector<LadderBar>& bars) {
    chart.setBars(bars, {4096, 4096, 4096}, "recorded on NVIDIA H100 80GB HBM3, 2026-11-21");
  }

  // Both ladders; neither may be drawn on the other's scale.
  static std::vector<LadderBar> both() {
    std::vector<LadderBar> bars = measuredOn("H100");
    for (const Stage& stage : tensorStages()) {
      LadderBar bar{standardSubject(stage), Freshness::Recorded, {}, {}, "H100"};
      bar.ratio = test::around(0.5 * stage.rung, 0.001);  // the last one beyond its cuBLAS
      bar.gflops = test::around(400'000 * stage.rung, 0.001);
      bars.push_back(bar);
    }
    return bars;
  }

 private slots:
  void ladders_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("narrow") << QSize(330, 900);
    QTest::newRow("usual") << QSize(700, 460);
    QTest::newRow("large") << QSize(1400, 900);
  }
  void ladders() {
    QFETCH(QSize, size);
    LadderChart chart;
    const auto bars = both();
    chart.setBars(bars, {4096, 4096, 4096}, "both", {"of FP32", "of tensor cores"});
    chart.setFigures(std::vector<LadderFigures>(bars.size()), &tensorStages().front());
    QVERIFY(test::shown(chart, size));
    QCOMPARE(chart.ladders(), 2);
    const int first = static_cast<int>(stages().size()), count = static_cast<int>(bars.size());
    double below = 0;
    for (int row = 0; row < count; ++row) {
      const auto rect = chart.barRect(row);
      QVERIFY(rect.has_value());
      QVERIFY(rect->top() >= below - 0.5);
      below = rect->bottom();
      QVERIFY(std::abs(rect->right() -
                       chart.xOf(100 * bars[static_cast<std::size_t>(row)].ratio.median, row)) <
              0.01);
      QVERIFY(chart.ladderRect(row).contains(rect->center().toPoint()));
      QCOMPARE(chart.rowAt(rect->center()), row);
    }
    // A heading, an axis and the name of the line are between them.
    QVERIFY(chart.barRect(first)->top() - chart.barRect(first - 1)->bottom() >
            4 * QFontMetricsF(chart.font()).height());
    QVERIFY(!chart.ladderRect(0).intersects(chart.ladderRect(first)));
    // The tensor ladder reaches 150 % of its cuBLAS, FP32 84 %: their lines of 100 % are two.
    QVERIFY(chart.xOf(100, first) < chart.xOf(100, 0) - 20);
    // One ladder alone has all the room, and the scale that it has beside the other one.
    const double beside = chart.xOf(50, 0);
    auto alone = bars;
    alone.resize(static_cast<std::size_t>(first));
    chart.setBars(alone, {4096, 4096, 4096}, "both");
    QCOMPARE(chart.ladders(), 1);
    QCOMPARE(chart.ladderRect(0), chart.rect());
    QVERIFY(std::abs(chart.xOf(50, 0) - beside) < 80);
    chart.setBars(bars, {4096, 4096, 4096}, "both");
    QCOMPARE(chart.ladders(), 2);
  }

  void headsOfLadders() {
    QVERIFY(charts::ladderHeading(Format::Fp32).contains("FP32"));
    for (const Format its : {Format::Bf16, Format::Fp16}) {
      const QString name =
          QString::fromUtf8(rowOf(its).name.data(), qsizetype(rowOf(its).name.size()));
      QVERIFY(charts::ladderHeading(its).contains(name + " with FP32 sums"));
      QVERIFY(charts::referenceText(its).contains("cublasGemmEx (" + name));
    }
    QVERIFY(!charts::referenceText(Format::Fp32).contains("GemmEx"));
    charts::LadderState state;
    state.problem = {64, 64, 64};
    state.source = "all";
    state.sources = {"one", "other"};
    QCOMPARE(charts::ladderCaption(state, Ladder::Tensor), "64x64x64 · other");
    QCOMPARE(charts::ladderCaption(state), "64x64x64 · all");
    const auto ladders = charts::laddersOf(both());
    QCOMPARE(ladders.size(), std::size_t{2});
    QCOMPARE(ladders[1].first, static_cast<int>(stages().size()));
    QCOMPARE(ladders[1].count, static_cast<int>(tensorStages().size()));
    QCOMPARE(charts::laddersOf({}).size(), std::size_t{1});
    // Bars of two ladders are not compared.
    for (const auto& setback : charts::setbacksOf(both()))
      QVERIFY(setback.row != static_cast<int>(stages().size()));
  }

  void barsEndAtTheirValue_data() {
    QTest::addColumn<QSize>("size");
    QTest::newRow("narrow") << QSize(330, 520);
    QTest::newRow("usual") << QSize(700, 420);
    QTest::newRow("flat") << QSize(1200, 260);
  }
  void barsEndAtTheirValue() {
    QFETCH(QSize, size);
    LadderChart chart;
    auto bars = ladder();
    bars[4].ratio = {1.31, 1.30, 1.32};  // beyond cuBLAS
    fill(chart, bars);
    QVERIFY(test::shown(chart, size));
    const QFontMetricsF metrics(chart.font());
    double below = 0;
    for (int row = 0; row < static_cast<int>(bars.size()); ++row) {
      const auto rect = chart.barRect(row);
      const auto& bar = bars[static_cast<std::size_t>(row)];
      QCOMPARE(rect.has_value(), bar.ratio.known());
      if (!rect) continue;
      QVERIFY(std::abs(rect->right() - chart.xOf(100 * bar.ratio.median)) < 0.01);
      QVERIFY(rect->top() > below);
      below = rect->bottom();
      // The number at its end stays inside.
      QVERIFY(rect->right() + metrics.horizontalAdvance(charts::barText(bar)) < size.width());
    }
    QVERIFY(chart.xOf(100) < size.width());
  }

  // The cuBLAS line crosses no number, at any width and share.
  void numbersKeepClearOfTheLine() {
    for (const QSize& size :
         {QSize(520, 260), QSize(650, 240), QSize(700, 420), QSize(1200, 300)}) {
      for (double share = 0.02; share < 1.2; share += 0.07) {
        LadderChart chart;
        auto bars = ladder();
        for (std::size_t i = 0; i < bars.size(); ++i)
          bars[i].ratio = test::around(share + 0.002 * static_cast<double>(i), 0.01);
        fill(chart, bars);
        QVERIFY(test::shown(chart, size));
        for (int row = 0; row < static_cast<int>(bars.size()); ++row) {
          const QRectF number = chart.numberRect(row);
          QVERIFY(QRectF(chart.rect()).contains(number));
          QVERIFY2(number.right() < chart.xOf(100) || number.left() > chart.xOf(100),
                   qPrintable(QString("%1 at %2 pixels").arg(share).arg(size.width())));
          // Nor does the end of its bar.
          const QRectF bar = *chart.barRect(row);
          QVERIFY(number.left() > bar.right() || number.right() < bar.right());
        }
      }
    }
  }

  void wordsOfBars() {
    const auto bars = ladder();
    QCOMPARE(charts::barText(bars[7]), "71.9 %   36.3 TFLOP/s");
    QCOMPARE(charts::barText(bars[6]), "not measured");
    LadderChart chart;
    fill(chart, bars);
    std::vector<LadderFigures> figures(bars.size());
    figures[7].mainLoop = "main loop rewritten";
    chart.setFigures(std::move(figures), nullptr);
    QVERIFY(test::shown(chart, {700, 420}));
    const auto rect = chart.barRect(7);
    test::hoverAt(chart, rect->center());
    QTRY_VERIFY(QToolTip::text().contains("rung 8: warp tiling"));
    QVERIFY(QToolTip::text().contains("36,339 GFLOP/s"));
    QVERIFY(QToolTip::text().contains("live"));
    QVERIFY(QToolTip::text().contains("main loop rewritten"));
  }

  void clickPicksTheRung() {
    LadderChart chart;
    const auto bars = ladder();
    fill(chart, bars);
    QVERIFY(test::shown(chart, {700, 420}));
    const Stage* last = nullptr;
    int count = 0;
    connect(&chart, &LadderChart::picked, &chart, [&](const Stage* stage) {
      last = stage;
      ++count;
    });
    for (int row = 0; row < static_cast<int>(bars.size()); ++row) {
      const auto rect = chart.barRect(row);
      if (!rect) continue;
      test::clickAt(chart, rect->center());
      QCOMPARE(last, bars[static_cast<std::size_t>(row)].rung());
    }
    QCOMPARE(count, static_cast<int>(bars.size()) - 1);  // one is not measured
    test::clickAt(chart, {20, 5});                       // the caption
    QCOMPARE(count, static_cast<int>(bars.size()) - 1);  // one is not measured
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(last, bars[1].rung());
    QVERIFY(chart.accessibleDescription().contains("rung 2"));
  }

  // A rung counts as slower than the one before it only where the figures leave no doubt.
  void slowerRungsAreFound() {
    auto bars = measuredOn("H100");
    QVERIFY(charts::setbacksOf(bars).empty());
    const auto slower = [&bars](std::size_t i, double part, double spread) {
      bars[i].gflops = test::around(bars[i - 1].gflops.median * part, spread);
      bars[i].ratio = test::around(bars[i - 1].ratio.median * part, spread);
    };
    slower(6, 0.972, 0.001);
    auto found = charts::setbacksOf(bars);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(found[0].row, 6);
    QCOMPARE(found[0].before, 5);
    QVERIFY(std::abs(found[0].share - 0.028) < 1e-6);
    QCOMPARE(charts::setbackText(bars, found[0]), "2.8 % slower than rung 6");
    bars[6].device = "H200";  // not the same device
    QVERIFY(charts::setbacksOf(bars).empty());
    bars[6].device = "H100";
    slower(6, 0.995, 0.01);  // the intervals overlap
    QVERIFY(charts::setbacksOf(bars).empty());
    slower(6, 0.9, 0.03);  // noisy
    QVERIFY(charts::setbacksOf(bars).empty());
    slower(6, 0.972, 0.001);
    bars[6].ratio = test::around(bars[5].ratio.median * 1.01, 0.001);  // the clock was lower
    QVERIFY(charts::setbacksOf(bars).empty());
    // The other way round: more GFLOP/s by a higher clock, but a smaller share.
    bars[6].gflops = test::around(bars[5].gflops.median * 1.01, 0.001);
    bars[6].ratio = test::around(bars[5].ratio.median * 0.99, 0.001);
    found = charts::setbacksOf(bars);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(charts::setbackText(bars, found[0]), "1.0 % slower than rung 6 against cuBLAS");
    slower(6, 0.972, 0.001);
    bars[5].gflops = bars[5].ratio = {};  // nothing to compare with
    QVERIFY(charts::setbacksOf(bars).empty());
  }

  // What differs is counted or recorded, and never called a cause.
  void slowerRungsSayWhatDiffers() {
    auto bars = measuredOn("H100");
    for (const std::size_t i : {std::size_t{6}, std::size_t{11}, std::size_t{12}}) {
      bars[i].gflops = test::around(bars[i - 1].gflops.median * 0.95, 0.001);
      bars[i].ratio = test::around(bars[i - 1].ratio.median * 0.95, 0.001);
    }
    const auto found = charts::setbacksOf(bars);
    QCOMPARE(found.size(), std::size_t{3});
    QCOMPARE(charts::setbackFacts(bars, {}, found[0]),
             QStringList{"its default tile has BK 16 instead of 8"});
    QCOMPARE(charts::setbackFacts(bars, {}, found[1]),
             QStringList{"its default tile has WM 64 instead of 32, WNITER 4 instead of 2, TM 8 "
                         "instead of 4, and STAGES=3 added"});
    QCOMPARE(charts::setbackFacts(bars, {}, found[2]),
             QStringList{"the default tile is the same, with GROUP=16 added"});
    std::vector<LadderFigures> figures(bars.size());
    figures[10] = {.registers = 123,
                   .occupancy = 0.25,
                   .conflictShare = 0.0,
                   .fastest = FastestTile{{}, bars[10].gflops.median * 1.1, 300}};
    figures[11] = {.registers = 245,
                   .occupancy = 0.125,
                   .conflictShare = 0.12,
                   .fastest = FastestTile{{}, bars[10].gflops.median * 1.1 * 1.015, 80}};
    const QString all = charts::setbackSentence(bars, figures, found[1]);
    for (const char* fact :
         {"Rung 12 is 5.0 % slower than rung 11",
          "its fastest recorded tile is 1.5 % faster than rung 11's (80 of its tiles are recorded, "
          "and 300 of rung 11)",
          "occupancy 12.5 % instead of 25.0 %, with 245 registers per thread instead of 123",
          "bank conflicts 12.0 % of the wavefronts instead of 0.0 %"})
      QVERIFY2(all.contains(fact), qPrintable(all));
    QVERIFY(!all.contains("because"));
    // Equal numbers of tiles are not mentioned.
    figures[11].fastest->tiles = 300;
    QVERIFY(!charts::setbackSentence(bars, figures, found[1]).contains("tiles are recorded"));
  }

  // Rung 9 has the tile of rung 8 and PAD, and assigns its loads to other lanes, which is not a
  // tile parameter.
  void lanesThatAreAssignedDifferentlyAreSaid() {
    auto bars = measuredOn("H100");
    bars[8].gflops = test::around(bars[7].gflops.median * 0.95, 0.001);
    bars[8].ratio = test::around(bars[7].ratio.median * 0.95, 0.001);
    const auto found = charts::setbacksOf(bars);
    QCOMPARE(found.size(), std::size_t{1});
    QCOMPARE(charts::setbackFacts(bars, {}, found[0]),
             (QStringList{"the default tile is the same, with PAD=4 added",
                          "its lanes are assigned differently to the loads of A"}));
  }

  void slowerRungsAreMarked() {
    auto bars = measuredOn("H100");
    bars[6].gflops = test::around(bars[5].gflops.median * 0.9, 0.001);
    bars[6].ratio = test::around(bars[5].ratio.median * 0.9, 0.001);
    for (const QSize& size : {QSize(330, 560), QSize(700, 420), QSize(1200, 420)}) {
      LadderChart chart;
      fill(chart, bars);
      chart.setFigures(std::vector<LadderFigures>(bars.size()), nullptr);
      QVERIFY(test::shown(chart, size));
      QVERIFY(!chart.setbackRect(5));
      const auto lack = chart.setbackRect(6);
      QVERIFY(lack);
      QVERIFY(std::abs(lack->left() - chart.barRect(6)->right()) < 0.01);
      QVERIFY(std::abs(lack->right() - chart.barRect(5)->right()) < 0.01);
      QCOMPARE(chart.footer().size(), 1);
      QVERIFY2(chart.footer().front().contains("10.0 %"), qPrintable(chart.footer().front()));
      QVERIFY(
          QFontMetricsF(Fonts::of(chart.font()).small).horizontalAdvance(chart.footer().front()) <
          size.width());
    }
  }

  void recordedBarsAreLighter() {
    const Theme theme = Theme::make(false);
    LadderChart chart;
    chart.setPalette(theme.palette());
    const auto bars = ladder();
    fill(chart, bars);
    QVERIFY(test::shown(chart, {700, 420}));
    QTest::qWait(20);
    const QImage image = chart.grab().toImage();
    const auto lightness = [&](int row) {
      return image.pixelColor(chart.barRect(row)->center().toPoint()).lightness();
    };
    QVERIFY(lightness(7) < 90);   // filled with the accent
    QVERIFY(lightness(5) > 150);  // a tint of it, not hollow
    QVERIFY(lightness(5) < theme.panel.lightness() - 30);
  }

  void emptyLadderStaysQuiet() {
    LadderChart chart;
    chart.setBars({}, {}, {});
    QVERIFY(test::shown(chart, {330, 300}));
    QSignalSpy picked(&chart, &LadderChart::picked);
    test::clickAt(chart, {100, 150});
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QVERIFY(picked.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LadderChartTest, Widgets)
#include "ladder_chart_test.moc"
