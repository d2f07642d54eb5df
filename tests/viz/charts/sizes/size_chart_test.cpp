// SPDX-License-Identifier: GPL-3.0-or-later
// The size chart: the places of its curves and points, and what mouse and keys do.
#include "viz/charts/sizes/size_chart.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/size_points.h"
#include "viz/charts/sizes/size_words.h"

namespace tileloom {

using charts::SizeGeometry;

class SizeChartTest : public QObject {
  Q_OBJECT

  static SizeGeometry laidOut(const SizeData& data, const QSizeF& size = {1000, 320}) {
    return charts::sizeGeometry(data, size, Fonts::of(QFont()));
  }

 private slots:
  void curvesStandAtTheirValues_data() {
    QTest::addColumn<QSizeF>("size");
    for (const QSizeF& size :
         {QSizeF(320, 180), QSizeF(700, 190), QSizeF(1300, 240), QSizeF(1900, 900)})
      QTest::addRow("%.0f x %.0f", size.width(), size.height()) << size;
  }
  void curvesStandAtTheirValues() {
    QFETCH(QSizeF, size);
    const SizeData data = test::sizeData();
    const SizeGeometry g = laidOut(data, size);
    const QRectF all(QPointF(0, 0), size);
    QVERIFY(all.contains(g.speed) && all.contains(g.shares) && all.contains(g.legend));
    QVERIFY(!g.speed.intersects(g.shares) && !g.speed.intersects(g.legend));
    QCOMPARE(g.predicted.size(), qsizetype(data.points.size()));
    for (qsizetype i = 0; i < g.predicted.size(); ++i) {
      const auto& p = data.points[std::size_t(i)];
      QVERIFY(g.speed.adjusted(-1, -1, 1, 1).contains(g.predicted[i]));
      QVERIFY(std::abs(g.sizeAt(g.predicted[i].x()) - p.size) < 1e-6);
      QVERIFY(std::abs(g.predicted[i].y() - g.yOf(p.gflops)) < 1e-9);
      QVERIFY(g.shares.adjusted(-1, -1, 1, 1).contains(g.tiles[i]));
      QVERIFY(g.shares.adjusted(-1, -1, 1, 1).contains(g.waves[i]));
    }
    for (std::size_t i = 0; i < data.runs.size(); ++i)
      QVERIFY(std::abs(g.yOf(data.runs[i].gflops.median) - g.runs[i].y()) < 1e-9);
    QCOMPARE(g.cublas.size(), qsizetype(4));
    QVERIFY(g.present && std::abs(*g.present - g.xOf(4096)) < 1e-9);
    // Numbers of an axis keep apart.
    for (std::size_t i = 1; i < g.xTicks.size(); ++i)
      QVERIFY(g.xTicks[i].at - g.xTicks[i - 1].at > 30);
    QVERIFY(g.yTicks.size() >= 2);
  }

  // On the same axes, which hold both; exports have it, too.
  void theBaseline() {
    SizeData data = test::sizeData();
    SizeBaseline baseline{.name = "7 autotuned", .points = data.points, .runs = data.runs};
    for (auto& p : baseline.points) p.gflops *= 2;
    for (auto& run : baseline.runs) run.gflops.median *= 2;
    data.baseline = baseline;
    const SizeGeometry g = laidOut(data);
    QCOMPARE(g.baseline.size(), g.predicted.size());
    QCOMPARE(g.baselineRuns.size(), baseline.runs.size());
    for (qsizetype i = 0; i < g.baseline.size(); ++i) {
      QVERIFY(g.speed.adjusted(-1, -1, 1, 1).contains(g.baseline[i]));
      QVERIFY(std::abs(g.baseline[i].x() - g.predicted[i].x()) < 1e-9);
      QVERIFY(g.baseline[i].y() <= g.predicted[i].y());
    }
    QVERIFY(charts::sizeToolTip(data, 4096).contains("baseline: measured"));
    QVERIFY(charts::sizeCsv(data).startsWith("size,"));
    QVERIFY(charts::sizeCsv(data).contains("baseline_measured_gflops"));
    QVERIFY(charts::sizeJson(data).contains("baseline_gflops"));
    data.baseline.reset();
    QVERIFY(!charts::sizeCsv(data).contains("baseline"));
  }

  // Measurements have their speed beside them, clear of marks and curves, and nothing is cut off.
  void measuredSizesHaveTheirSpeed() {
    for (const QSizeF& size : {QSizeF(1300, 300), QSizeF(1900, 900)}) {
      const SizeData data = test::sizeData();
      const SizeGeometry g = laidOut(data, size);
      QCOMPARE(g.labels.size(), data.runs.size());
      for (std::size_t i = 0; i < g.labels.size(); ++i) {
        const auto& label = g.labels[i];
        QVERIFY(g.speed.contains(label.rect));
        for (const QPointF& run : g.runs) QVERIFY(!label.rect.contains(run));
        for (const QPointF& at : g.predicted) QVERIFY(!label.rect.contains(at));
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!label.rect.intersects(g.labels[k].rect));
      }
      QVERIFY(g.sharesLegend.top() >= g.speed.bottom() - 0.01);
      QVERIFY(g.sharesLegend.bottom() <= g.shares.top() + 0.01);
    }
    QVERIFY(laidOut(test::sizeData(), {700, 150}).sharesLegend.isEmpty());
  }

  void aSlowRungIsNotSquashed() {
    SizeData data = test::sizeData();
    for (auto& p : data.points) p.gflops = 480, p.gflopsHigh = 500, p.gflopsLow = 450;
    data.runs.clear();
    const SizeGeometry g = laidOut(data);
    QVERIFY(g.cublasBeyond && g.cublas.isEmpty());
    QVERIFY(g.top < 1000);
  }

  // A pixel holds several sizes: the multiple of the tile is meant, not the one after it.
  void whatIsMeant() {
    const SizeData data = test::sizeData();
    const SizeGeometry g = laidOut(data, {760, 300});
    const auto spot = charts::spotAt(data, g, {g.xOf(3200.5), g.shares.center().y()});
    QVERIFY(spot.has_value());
    QCOMPARE(spot->size, 3200);
    const auto run = charts::spotAt(data, g, g.runs[0] + QPointF(2, 2));
    QVERIFY(run && run->isRun);
    QCOMPARE(run->size, 2048);
    QVERIFY(!charts::spotAt(data, g, {2, 2}));
    // A size that is not a cube has no place on the axis.
    SizeData flat = data;
    flat.present = {4096, 2048, 4096};
    QVERIFY(!laidOut(flat).present);
  }

  void aClickTakesTheSize() {
    SizeChart chart;
    chart.setData(test::sizeData());
    QVERIFY(test::shown(chart, {1000, 320}));
    QSignalSpy picked(&chart, &SizeChart::picked);
    const SizeGeometry& g = chart.geometryOfCurves();
    test::clickAt(chart, QPointF(g.xOf(2048), g.runs[0].y()).toPoint());
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked.takeFirst()[0].toInt(), 2048);
    test::clickAt(chart, QPointF(g.xOf(3584), g.shares.center().y()).toPoint());
    QCOMPARE(picked.size(), 1);
    QCOMPARE(picked.takeFirst()[0].toInt() % 128, 0);
    test::clickAt(chart, {3, 3});
    QCOMPARE(picked.size(), 0);
    // Up and down through whole tiles, right through all sizes.
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_Up);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(picked.takeFirst()[0].toInt(), 4224);
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(picked.takeFirst()[0].toInt(), 4225);
    QVERIFY2(chart.accessibleDescription().contains("M = N = K = 4,225: 34 × 34 blocks"),
             qPrintable(chart.accessibleDescription()));
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Down);
    QTest::keyClick(&chart, Qt::Key_Return);
    QCOMPARE(picked.takeFirst()[0].toInt(), 4096);
  }

  // A run outside of the band says so, and that few runs of its size are known.
  void beyondTheBand() {
    SizeData data = test::sizeData();
    QVERIFY(!charts::beyondBand(data, data.runs[1]));
    QCOMPARE(charts::runLabels(data, data.runs[1]), QStringList("38,138"));
    data.knownRuns = 6591;
    const auto& last = data.points.back();
    data.runs.push_back({8192, data.device, test::around(1.15 * last.gflops, 0.01),
                         Freshness::Recorded, 0.967, 73});
    const SizeRun& run = data.runs.back();
    QVERIFY(std::abs(*charts::beyondBand(data, run) - 0.15) < 1e-9);
    const QStringList labels = charts::runLabels(data, run);
    QVERIFY2(labels.first().endsWith(
                 ", 15 % above the prediction: only 73 of 6,591 known runs are of this size"),
             qPrintable(labels.first()));
    const QString tip = charts::sizeToolTip(data, 8192);
    for (const char* part : {"an SM was busy 96.7 % of the time, counted",
                             "15 % above the prediction, outside of its band",
                             "only 73 of the 6,591 known runs on NVIDIA H100 80GB HBM3"})
      QVERIFY2(tip.contains(part), qPrintable(tip));
    // The fullest label that fits is beside the mark.
    const Fonts fonts = Fonts::of(QFont());
    const auto wide = charts::sizeGeometry(data, {1500, 500}, fonts);
    QVERIFY(std::ranges::any_of(wide.labels,
                                [](const auto& l) { return l.text.contains("known runs"); }));
    data.runs.back().alike = 3000;  // not few
    QVERIFY(!charts::sizeToolTip(data, 8192).contains("runs known"));
  }

  // Without a prediction there are no shares: measured speeds use the room, and no empty axis is
  // below them.
  void measuredSpeedsAlone() {
    SizeData data = test::sizeData();
    const Fonts fonts = Fonts::of(QFont());
    const auto both = charts::sizeGeometry(data, {900, 420}, fonts);
    QVERIFY(both.shares.height() > 20 && !both.shareTicks.empty());
    data.points.clear();
    data.waiting = false;
    data.trouble = "No prediction.";
    const auto alone = charts::sizeGeometry(data, {900, 420}, fonts);
    QVERIFY(alone.speed.height() > both.speed.height() + 20);
    QVERIFY(alone.shareTicks.empty() && alone.sharesLegend.isEmpty());
    data.waiting = true;  // the curve will follow: nothing jumps when it does
    QCOMPARE(charts::sizeGeometry(data, {900, 420}, fonts).speed.height(), both.speed.height());
  }

  void words() {
    const SizeData data = test::sizeData();
    const QString tip = charts::sizeToolTip(data, 4096);
    for (const char* part :
         {"M = N = K = 4,096: 32 × 32 blocks, 1,024 in all, 2.59 waves of 396 blocks",
          "tiles used 100", "waves used 86.2 %", "predicted ",
          "measured 38,138 GFLOP/s ± 1.0 %, live",
          "cuBLAS in FP32 (pedantic): 51,162 GFLOP/s, the median of all runs"})
      QVERIFY2(tip.contains(part), qPrintable(tip));
    QCOMPARE(charts::sizeSource(data),
             "predicted for NVIDIA H100 80GB HBM3; live and recorded on NVIDIA H100 80GB HBM3");
    SizeData none;
    none.trouble = "No registers.";
    QCOMPARE(charts::emptySizeSentence(none), "No registers.");
    none.trouble.clear();
    none.waiting = true;
    QVERIFY(charts::emptySizeSentence(none).startsWith("Predicting"));
    QVERIFY(charts::sizeAdvice(none).isEmpty());
    QVERIFY(charts::sizeAdvice(data).startsWith("4,096: tiles 100"));
  }

  void tables() {
    const SizeData data = test::sizeData();
    const QList<QByteArray> lines = charts::sizeCsv(data).trimmed().split('\n');
    QCOMPARE(lines.size(), qsizetype(data.points.size()) + 1);  // the heads
    const auto columns = lines[0].count(',');
    for (const QByteArray& line : lines) QCOMPARE(line.count(','), columns);
    const auto all = nlohmann::json::parse(charts::sizeJson(data).toStdString());
    QCOMPARE(QString::fromStdString(all["schema"]), QString("tileloom.sizes/1"));
    const auto at =
        std::ranges::find_if(all["points"], [](const auto& p) { return p["size"] == 4096; });
    QVERIFY(at != all["points"].end());
    QCOMPARE((*at)["blocks"].get<int>(), 1024);
    QCOMPARE((*at)["measured_gflops"].get<double>(), 38138.0);
    QVERIFY((*at)["measured_standing"] == "live");
    QVERIFY(charts::sizeCsv({}).isEmpty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::SizeChartTest, Widgets)
#include "size_chart_test.moc"
