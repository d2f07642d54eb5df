// SPDX-License-Identifier: GPL-3.0-or-later
// Where roofs, points and labels of the roofline stand, and what is said beside them.
#include "viz/charts/roofline_geometry.h"

#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/viz/roofline_points.h"
#include "viz/base/theme.h"
#include "viz/charts/label_places.h"
#include "viz/charts/roofline_table.h"
#include "viz/charts/roofline_words.h"

namespace tileloom::charts {

using model::MemoryLevel;
using model::Roof;

class RooflineGeometryTest : public QObject {
  Q_OBJECT

  static RooflineGeometry laidOut(const RooflineData& data, const QSizeF& size) {
    const Fonts fonts = Fonts::of(QFont());
    return rooflineGeometry(data, size, {fonts.body, fonts.small});
  }

 private slots:
  void pointsStandAtTheirValues() {
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      const RooflineGeometry g = laidOut(data, {900, 420});
      QVERIFY(!g.marks.empty());
      for (const RooflineMark& mark : g.marks) {
        const RooflinePoint& p =
            mark.point < 0 ? *data.present : data.rungs[std::size_t(mark.point)];
        QVERIFY(g.plot.contains(mark.at));
        QVERIFY(std::abs(g.x.valueAt(mark.at.x()) / *p.traffic.intensity(mark.level) - 1) < 1e-6);
        QVERIFY(std::abs(g.y.valueAt(mark.at.y()) / p.gflops.median - 1) < 1e-6);
      }
      const std::size_t points = data.rungs.size() + 1;
      QCOMPARE(g.marks.size(), level == RooflineLevel::All ? 3 * points : points);
    }
  }

  // A roof is bandwidth times intensity up to the pipes' ceiling; only those of the level are
  // drawn.
  void roofsAreWhereTheyBind() {
    RooflineData data = test::roofline();
    for (const RooflineLevel level : kRooflineLevels) {
      data.level = level;
      const RooflineGeometry g = laidOut(data, {900, 420});
      QCOMPARE(g.roofs.size(), std::size_t(level == RooflineLevel::All ? 4 : 2));
      for (const RooflineRoof& roof : g.roofs) {
        const double ceiling = *ceilingOf(data.ceilings, roof.roof);
        for (const QPointF& end : {roof.line.p1(), roof.line.p2()}) {
          const double y = g.y.valueAt(end.y());
          const double want = roof.roof == Roof::Fma ? ceiling : ceiling * g.x.valueAt(end.x());
          QVERIFY(std::abs(y / want - 1) < 1e-6);
        }
        QVERIFY2(!roof.text.isEmpty(), name(roof.roof).data());
      }
    }
    data.ceilings.l2GBs = {};
    data.level = RooflineLevel::L2;
    QCOMPARE(laidOut(data, {900, 420}).roofs.size(), std::size_t{1});
  }

  void labelsNeverOverlap_data() {
    QTest::addColumn<QSizeF>("size");
    for (const QSizeF& size : {QSizeF(300, 200), QSizeF(470, 250), QSizeF(740, 260),
                               QSizeF(980, 420), QSizeF(1500, 700)}) {
      QTest::addRow("%.0f x %.0f", size.width(), size.height()) << size;
    }
  }
  void labelsNeverOverlap() {
    QFETCH(QSizeF, size);
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      const RooflineGeometry g = laidOut(data, size);
      for (std::size_t i = 0; i < g.labels.size(); ++i) {
        const QRectF& rect = g.labels[i].rect;
        QVERIFY(g.plot.contains(rect));
        for (std::size_t k = 0; k < i; ++k) QVERIFY(!rect.intersects(g.labels[k].rect));
        for (const RooflineMark& mark : g.marks) QVERIFY(!rect.contains(mark.at));
        for (const RooflineRoof& roof : g.roofs) {
          for (const QRectF& box : roof.covered) QVERIFY(!rect.intersects(box));
        }
      }
      // Where there is room each rung that has a mark has its label or its number in the mark, and
      // the present tile always has one.
      if (size.width() >= 740) {
        for (const RooflineMark& mark : g.marks) {
          const bool labelled = std::ranges::any_of(
              g.labels, [&mark](const auto& l) { return l.point == mark.point; });
          QVERIFY2(!mark.main || labelled || mark.numbered,
                   qPrintable(QString::number(mark.point)));
        }
      }
      QVERIFY(std::ranges::any_of(g.labels, [](const auto& l) { return l.point < 0; }));
    }
  }

  // A number stands in a mark only where no other mark covers it, and then not before its label.
  void numbersStandInFreeMarks() {
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      const RooflineGeometry g = laidOut(data, {1280, 720});
      const Fonts fonts = Fonts::of(QFont());
      const QFontMetricsF metrics(numberFont(fonts.small));
      int numbered = 0;
      for (const RooflineMark& mark : g.marks) {
        if (!mark.numbered) continue;
        ++numbered;
        QVERIFY(metrics.horizontalAdvance("14") < 2 * mark.radius);
        for (const RooflineMark& other : g.marks) {
          // The present tile lies over the mark of its rung.
          if (&other == &mark || (mark.point < 0 && other.at == mark.at)) continue;
          QVERIFY(QLineF(other.at, mark.at).length() > mark.radius + other.radius);
        }
        for (const RooflineLabel& label : g.labels) {
          if (label.point == mark.point && mark.main) QVERIFY(label.number.isEmpty());
        }
      }
      QVERIFY2(numbered >= 4, nameOf(level).data());
      for (const RooflineLabel& label : g.labels) {
        const auto mark = std::ranges::find_if(
            g.marks, [&](const auto& m) { return m.point == label.point && m.main; });
        if (!mark->numbered)
          QCOMPARE(label.number, QString::number(data.point(label.point).stage->rung));
      }
      // With all levels the shapes of the marks are explained.
      QCOMPARE(g.keys.size(), std::size_t(level == RooflineLevel::All ? 3 : 0));
      for (const RooflineKey& key : g.keys) QVERIFY(QRectF(0, 0, 1280, 720).contains(key.rect));
    }
  }

  // No decade stands empty: the axes end where the points and the roofs do.
  void axesAreTight() {
    for (const RooflineLevel level : {RooflineLevel::Shared, RooflineLevel::Dram}) {
      RooflineData data = test::roofline();
      data.level = level;
      const RooflineGeometry g = laidOut(data, {1280, 720});
      double left = g.plot.right(), low = g.plot.top();
      for (const RooflineMark& mark : g.marks) {
        left = std::min(left, mark.at.x());
        low = std::max(low, mark.at.y());
      }
      for (const RooflineRoof& roof : g.roofs) left = std::min(left, roof.line.x1());
      QVERIFY(left - g.plot.left() < 0.1 * g.plot.width());
      QVERIFY(g.plot.bottom() - low < 0.1 * g.plot.height());
      QVERIFY(g.y.at(66000) - g.plot.top() < 40);  // one line of text above the highest roof
    }
  }

  void aPresentTileWithoutASpeedIsALine() {
    RooflineData data = test::roofline();
    data.present->gflops = {};
    RooflineGeometry g = laidOut(data, {900, 420});
    QVERIFY(!g.presentGuide.isNull());
    const double intensity = *data.present->traffic.intensity(MemoryLevel::Dram);
    QVERIFY(std::abs(g.x.valueAt(g.presentGuide.x1()) / intensity - 1) < 1e-6);
    QVERIFY(std::ranges::none_of(g.marks, [](const auto& m) { return m.point < 0; }));
    // What is foretold stands where it is foretold, with its range.
    data.present->predicted = runs::Interval{40000, 35000, 45000};
    g = laidOut(data, {900, 420});
    QVERIFY(g.presentGuide.isNull());
    const auto mark = std::ranges::find(g.marks, -1, &RooflineMark::point);
    QVERIFY(mark != g.marks.end() && mark->predicted);
    QVERIFY(std::abs(g.y.valueAt(mark->range.y1()) / 35000 - 1) < 1e-6);
    QVERIFY(std::abs(g.y.valueAt(mark->range.y2()) / 45000 - 1) < 1e-6);
  }

  void theNearestPointIsMeant() {
    const RooflineData data = test::roofline();
    const RooflineGeometry g = laidOut(data, {980, 420});
    for (const RooflineMark& mark : g.marks) {
      if (mark.point == 0) QCOMPARE(g.pointAt(mark.at + QPointF(4, 3)).value_or(-9), 0);
    }
    for (const RooflineLabel& label : g.labels)
      QCOMPARE(g.pointAt(label.rect.center()).value_or(-9), label.point);
    QVERIFY(!g.pointAt(g.plot.bottomRight() - QPointF(5, 5)));
  }

  void words() {
    const RooflineData data = test::roofline();
    QCOMPARE(roofText(data.ceilings, Roof::Dram), "DRAM 2.83 TB/s");
    QCOMPARE(roofText(data.ceilings, Roof::Fma), "FMA pipes 66.0 TFLOP/s");
    QCOMPARE(boundsSentence(data), "at least 2.08 ms: the FMA pipes; 94.9 µs: DRAM");
    QVERIFY(rooflineCaption(data).contains("roofs recorded on NVIDIA H100"));
    const QString tip = pointToolTip(data, data.rungs[7], false);
    QVERIFY2(tip.contains("rung 8: warp tiling") && tip.contains("BM=128") &&
                 tip.contains("TFLOP/s recorded") && tip.contains("FLOP/B, DRAM"),
             qPrintable(tip));
    QVERIFY(pointToolTip(data, data.rungs[0], false).contains("0.015"));
  }

  void tables() {
    const RooflineData data = test::roofline();
    const auto json = nlohmann::json::parse(rooflineJson(data).toStdString());
    const std::size_t rungs = stages().size();
    QCOMPARE(json["points"].size(), rungs + 1);
    QVERIFY(json["points"][rungs]["present"] == true && json["points"][0]["rung"] == 1);
    QVERIFY(json["points"][0]["l1_intensity"] < 0.02);
    QVERIFY(json["ceilings"]["origin"] == "recorded");
    const QList<QByteArray> lines = rooflineCsv(data).split('\n');
    QCOMPARE(std::size_t(lines.size()), rungs + 3);  // heads, rungs, the present tile, nothing
    QVERIFY(lines[0].startsWith("stage,rung,present,tile,"));
    QVERIFY(lines[8].startsWith("warptiled,8,no,\"BM=128,"));
  }

  void nothingKnownStaysQuiet() {
    RooflineData data;
    const RooflineGeometry g = laidOut(data, {400, 300});
    QVERIFY(g.marks.empty() && g.labels.empty());
    QVERIFY(boundFacts(data).empty());
    QVERIFY(rooflineCsv(data).isEmpty());
  }
};

}  // namespace tileloom::charts

TILELOOM_TEST(tileloom::charts::RooflineGeometryTest, Widgets)
#include "roofline_geometry_test.moc"
