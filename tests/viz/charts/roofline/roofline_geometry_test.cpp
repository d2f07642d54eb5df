// SPDX-License-Identifier: GPL-3.0-or-later
// The places of roofs, points and labels of the roofline, and the texts beside them.
#include "viz/charts/roofline/roofline_geometry.h"

#include <QtTest>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "tests/viz/roofline_points.h"
#include "viz/base/theme.h"
#include "viz/charts/label_places.h"
#include "viz/charts/roofline/roofline_table.h"
#include "viz/charts/roofline/roofline_words.h"

namespace tileloom::charts {

using model::MemoryLevel;
using model::Roof;

class RooflineGeometryTest : public QObject {
  Q_OBJECT

  static RooflineGeometry laidOut(const RooflineData& data, const QSizeF& size) {
    const Fonts fonts = Fonts::of(QFont());
    return rooflineGeometry(data, size, {fonts.body, fonts.small});
  }

  static const RooflineLabel* labelOf(const RooflinePanel& panel, int point) {
    const auto found = std::ranges::find(panel.labels, point, &RooflineLabel::point);
    return found != panel.labels.end() ? &*found : nullptr;
  }

  static void checkLabels(const RooflinePanel& panel) {
    for (std::size_t i = 0; i < panel.labels.size(); ++i) {
      const QRectF& rect = panel.labels[i].rect;
      QVERIFY(panel.plot.contains(rect));
      for (std::size_t k = 0; k < i; ++k) QVERIFY(!rect.intersects(panel.labels[k].rect));
      for (const RooflineMark& mark : panel.marks) QVERIFY(!rect.contains(mark.at));
      for (const RooflineRoof& roof : panel.roofs) {
        for (const QRectF& box : roof.covered) QVERIFY(!rect.intersects(box));
      }
    }
  }

 private slots:
  // The baseline has its name beside it, even where other rungs are numbers only.
  void theBaselineIsNamed() {
    for (const int baseline : {0, 5, 12}) {
      RooflineData data = test::roofline();
      data.baseline = baseline;
      for (const QSizeF size : {QSizeF(900, 420), QSizeF(560, 320)}) {
        const RooflineGeometry g = laidOut(data, size);
        const RooflineLabel* label = labelOf(g, baseline);
        if (label == nullptr && g.inset) label = labelOf(*g.inset, baseline);
        QVERIFY2(label != nullptr, qPrintable(QString::number(baseline)));
        QVERIFY2(label->text.startsWith("baseline"), qPrintable(label->text));
        checkLabels(g);
      }
    }
  }

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
      checkLabels(g);
      if (g.inset) checkLabels(*g.inset);
      // With enough room each rung with a mark has its label, here or in the inset.
      if (size.width() >= 740) {
        for (const RooflineMark& mark : g.marks) {
          const RooflinePanel& panel =
              mark.elsewhere ? static_cast<const RooflinePanel&>(*g.inset) : g;
          QVERIFY2(!mark.main || labelOf(panel, mark.point) != nullptr,
                   qPrintable(QString::number(mark.point)));
          QVERIFY(!mark.elsewhere || labelOf(g, mark.point) == nullptr);
        }
      }
      QVERIFY(labelOf(g, -1) != nullptr || labelOf(*g.inset, -1) != nullptr);
    }
  }

  // Crowded points are apart in an inset: its frame in the chart holds what it shows, its axes are
  // true, and it covers no mark, no roof and not its own frame.
  void crowdedPointsAreEnlarged_data() {
    QTest::addColumn<QSizeF>("size");
    for (const QSizeF& size :
         {QSizeF(760, 220), QSizeF(1200, 520), QSizeF(1300, 240), QSizeF(1900, 900)})
      QTest::addRow("%.0f x %.0f", size.width(), size.height()) << size;
  }
  void crowdedPointsAreEnlarged() {
    QFETCH(QSizeF, size);
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      RooflineGeometry g = laidOut(data, size);
      QVERIFY2(g.inset.has_value(), nameOf(level).data());
      const RooflineInset& inset = *g.inset;
      QVERIFY(QRectF(QPointF(0, 0), size).contains(inset.outer));
      QVERIFY(inset.outer.contains(inset.plot) && inset.outer.contains(inset.titleRect));
      QVERIFY(g.plot.contains(inset.frame));
      QVERIFY(!inset.outer.intersects(inset.frame));
      QCOMPARE(inset.guides.size(), std::size_t{2});
      QVERIFY(std::abs(g.x.valueAt(inset.frame.left()) / inset.x.low - 1) < 1e-6);
      QVERIFY(std::abs(g.y.valueAt(inset.frame.top()) / inset.y.high - 1) < 1e-6);
      // It is larger than what it enlarges, mostly in the crowded direction.
      QVERIFY(inset.plot.height() > 1.5 * inset.frame.height());
      QVERIFY(inset.xTicks.size() >= 2 && inset.yTicks.size() >= 2);
      for (const RooflineMark& mark : inset.marks) {
        const RooflinePoint& p = data.point(mark.point);
        QVERIFY(inset.plot.contains(mark.at));
        QVERIFY(std::abs(inset.x.valueAt(mark.at.x()) / *p.traffic.intensity(mark.level) - 1) <
                1e-6);
        QVERIFY(std::abs(inset.y.valueAt(mark.at.y()) / p.gflops.median - 1) < 1e-6);
      }
      for (const RooflineRoof& roof : inset.roofs) {
        const double x = inset.x.valueAt(roof.line.p1().x());
        const double y = inset.y.valueAt(roof.line.p1().y());
        const double ceiling = *ceilingOf(data.ceilings, roof.roof);
        QVERIFY(std::abs(y / (roof.roof == Roof::Fma ? ceiling : ceiling * x) - 1) < 1e-6);
        QVERIFY(inset.plot.adjusted(-1, -1, 1, 1).contains(roof.line.p2()));
      }
      for (const RooflineMark& mark : g.marks) QVERIFY(!inset.outer.contains(mark.at));
      for (const RooflineRoof& roof : g.roofs)
        QVERIFY(!inset.outer.contains(roof.line.pointAt(0.5)) &&
                !inset.outer.contains(roof.line.p2()));
      // A point is found in both.
      const RooflineMark& any = inset.marks.front();
      QVERIFY(g.pointAt(any.at).has_value());
    }
  }

  // All marks of one kind look alike; the present tile alone is larger.
  void marksLookAlike() {
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      RooflineGeometry g = laidOut(data, {1280, 720});
      for (const RooflinePanel* panel :
           {static_cast<RooflinePanel*>(&g), static_cast<RooflinePanel*>(&*g.inset)}) {
        for (const RooflineMark& mark : panel->marks)
          QCOMPARE(mark.radius, mark.point < 0 ? kPresentRadius : kMarkRadius);
        for (const RooflineLabel& label : panel->labels)
          QCOMPARE(label.number, QString::number(data.point(label.point).rung()->rung));
      }
      // With all levels the shapes of the marks are explained.
      QCOMPARE(g.keys.size(), std::size_t(level == RooflineLevel::All ? 3 : 0));
      for (const RooflineKey& key : g.keys) QVERIFY(QRectF(0, 0, 1280, 720).contains(key.rect));
    }
  }

  // Points that are apart need no inset.
  void fewPointsStayInOneChart() {
    RooflineData data = test::roofline();
    data.rungs.resize(4);
    data.present.reset();
    data.level = RooflineLevel::Shared;
    QVERIFY(!laidOut(data, {1280, 720}).inset);
  }

  // An axis of less than a decade has ticks in equal steps.
  void narrowAxesHaveTicks() {
    RooflineData data = test::roofline();
    data.level = RooflineLevel::Shared;
    const RooflineGeometry g = laidOut(data, {1280, 720});
    QVERIFY(g.inset && g.inset->yTicks.size() >= 3);
    QStringList words;
    for (const RooflineTick& tick : g.inset->yTicks) words += tick.text;
    QVERIFY2(words.contains("40 TFLOP/s"), qPrintable(words.join(", ")));
    for (std::size_t i = 1; i < g.inset->yTicks.size(); ++i)
      QVERIFY(g.inset->yTicks[i - 1].at - g.inset->yTicks[i].at > 14);
    QVERIFY(g.inset->title.startsWith("rungs ") && g.inset->title.endsWith("enlarged"));
  }

  // Many decades in a narrow chart: each second or third one has its number.
  void numbersOfTicksHaveRoom() {
    for (const RooflineLevel level : kRooflineLevels) {
      RooflineData data = test::roofline();
      data.level = level;
      for (const double width : {520, 560, 640, 760, 1280}) {
        for (const double scale : {1, 2}) {
          QFont font;
          font.setPointSizeF(scale * font.pointSizeF());
          const Fonts fonts = Fonts::of(font);
          const QFontMetricsF metrics(fonts.small);
          const RooflineGeometry g =
              rooflineGeometry(data, {width, 400}, {fonts.body, fonts.small});
          const auto check = [&](const RooflinePanel& panel) {
            QVERIFY(panel.xTicks.size() > 1 && panel.yTicks.size() > 1);
            for (std::size_t i = 1; i < panel.xTicks.size(); ++i) {
              const RooflineTick &a = panel.xTicks[i - 1], &b = panel.xTicks[i];
              const double wide =
                  metrics.horizontalAdvance(a.text) + metrics.horizontalAdvance(b.text);
              QVERIFY2(b.at - a.at > wide / 2 + 3, qPrintable(a.text + " beside " + b.text));
            }
            for (std::size_t i = 1; i < panel.yTicks.size(); ++i)
              QVERIFY(panel.yTicks[i - 1].at - panel.yTicks[i].at >= metrics.height());
          };
          check(g);
          if (g.inset) check(*g.inset);
        }
      }
    }
  }

  // No decade is empty: the axes end at the points and the roofs.
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
    QCOMPARE(g.presentGuides.size(), std::size_t{1});
    const double intensity = *data.present->traffic.intensity(MemoryLevel::Dram);
    QVERIFY(std::abs(g.x.valueAt(g.presentGuides.front().line.x1()) / intensity - 1) < 1e-6);
    QVERIFY(std::ranges::none_of(g.marks, [](const auto& m) { return m.point < 0; }));
    data.level = RooflineLevel::All;  // at each level it has another one
    const auto guides = laidOut(data, {900, 420}).presentGuides;
    QCOMPARE(guides.size(), std::size_t{3});
    QVERIFY(guides[0].line.x1() != guides[1].line.x1());
    data.level = RooflineLevel::Dram;
    // A prediction is at its predicted place, with its range.
    data.present->predicted = runs::Interval{40000, 35000, 45000};
    g = laidOut(data, {900, 420});
    QVERIFY(g.presentGuides.empty());
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
    QCOMPARE(roofTexts(data, Roof::Dram), QStringList({"DRAM 2.83 TB/s", "DRAM"}));
    QCOMPARE(roofTexts(data, Roof::Fma), QStringList({"FMA pipes 66.0 TFLOP/s", "FMA pipes"}));
    QCOMPARE(boundsSentence(data), "at least 2.08 ms: the FMA pipes; 94.9 µs: DRAM");
    QVERIFY(rooflineCaption(data).contains("roofs recorded on NVIDIA H100"));
    const QString tip = pointToolTip(data, data.rungs[7], false);
    QVERIFY2(tip.contains("rung 8: warp tiling") && tip.contains("BM=128") &&
                 tip.contains("TFLOP/s recorded") && tip.contains("FLOP/B, DRAM"),
             qPrintable(tip));
    QVERIFY(pointToolTip(data, data.rungs[0], false).contains("0.015"));
  }

  // Rungs with wgmma are above the rate of mma.sync: it does not limit them, and does not look as
  // if it did.
  void mmaSyncLimitsSomeRungsOnly() {
    RooflineData data = test::tensorRoofline();
    for (const RooflineLevel level : kRooflineLevels) {
      data.level = level;
      const RooflineGeometry g = laidOut(data, {900, 420});
      const auto at = [&g](Roof roof) {
        const auto found = std::ranges::find(g.roofs, roof, &RooflineRoof::roof);
        return found == g.roofs.end() ? nullptr : &*found;
      };
      const RooflineRoof* some = at(Roof::MmaSync);
      const RooflineRoof* all = at(Roof::Tensor);
      QVERIFY(some != nullptr && all != nullptr);
      QCOMPARE(all->line.p2().x(), g.plot.right());
      double last = 0;
      for (const RooflineMark& mark : g.marks) {
        const bool warpgroups = data.point(mark.point).traffic.warpgroups;
        if (!warpgroups) last = std::max(last, mark.at.x());
        QVERIFY(mark.at.y() > (warpgroups ? all : some)->line.p2().y());
      }
      QVERIFY(some->line.p2().x() > last && some->line.p2().x() < last + 40);
    }
    QVERIFY(roofTexts(data, Roof::MmaSync).front().contains("limits T1 to T4 only"));
    const QString highest = roofTexts(data, Roof::Tensor).front();
    QVERIFY2(highest.startsWith("wgmma 1.07") || highest.startsWith("wgmma 1,07"),
             qPrintable(highest));
    QVERIFY(highest.contains("T5 to T13: computed, 2,048 multiply-adds per cycle and SM at 1,980"));
    // Without a mark below it the line is useless.
    std::erase_if(data.rungs, [](const RooflinePoint& p) { return !p.traffic.warpgroups; });
    for (const RooflineRoof& roof : laidOut(data, {900, 420}).roofs)
      QVERIFY(roof.roof != Roof::MmaSync);
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
