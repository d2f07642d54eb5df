// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of lanes and spans: rows one below the other, boxes within them and in order, and a
// pixel finds the cycle that is drawn there.
#include "viz/timeline/timeline_geometry.h"

#include <QtTest>
#include <map>

#include "tests/support/test_class.h"
#include "tests/viz/timeline/timeline_points.h"

namespace tileloom {

using timeline::LaneKind;

class TimelineGeometryTest : public QObject {
  Q_OBJECT

  static TimelineInput input(const QSizeF& size, double from, double to) {
    TimelineInput in;
    in.canvas = QRectF(QPointF(0, 0), size);
    in.from = from;
    in.to = to;
    return in;
  }

 private slots:
  void everyLaneHasItsRow_data() {
    QTest::addColumn<QSizeF>("size");
    for (const char* id : {"naive", "shared", "padded", "async", "mmaring"}) {
      QTest::addRow("%s large", id) << QSizeF(1200, 460);
      QTest::addRow("%s low", id) << QSizeF(620, 150);
    }
  }
  void everyLaneHasItsRow() {
    QFETCH(QSizeF, size);
    const QByteArray id = QByteArray(QTest::currentDataTag()).split(' ').front();
    const TimelineData data = test::timelineOf(std::string_view(id.constData(), id.size()));
    const double least = TimelineGeometry::leastHeight(data, 15, 20);
    size.setHeight(std::max(size.height(), least));
    const TimelineGeometry g(input(size, 0, data.usualEnd), data);
    std::size_t warps = 0, flights = 0;
    double bottom = g.plot.top();
    for (const TimelineRow& row : g.rows) {
      QVERIFY(row.rect.top() >= bottom - 1e-6);
      QVERIFY(row.rect.height() >= 3.99);
      bottom = row.rect.bottom();
      warps += row.kind == TimelineRow::Kind::Warp;
      flights += row.kind == TimelineRow::Kind::Flight;
    }
    QVERIFY2(bottom <= size.height() - 15, qPrintable(QString::number(bottom)));
    std::size_t lanes = 0, ways = 0;
    for (const timeline::Lane& lane : data.timeline->lanes) {
      lanes += lane.kind == LaneKind::Warp;
      ways += lane.kind == LaneKind::Flight;
    }
    QCOMPARE(warps, lanes);
    QCOMPARE(flights * 2, ways);  // A and B share a row
    QVERIFY(g.legend.top() >= bottom);
  }

  // At every zoom: boxes of a lane are in order, within the plot, without overlap; joined ones
  // account for all of their used time.
  void boxesAreInOrder_data() {
    QTest::addColumn<double>("from");
    QTest::addColumn<double>("to");
    QTest::newRow("launch") << 0.0 << 40000.0;
    QTest::newRow("K tiles") << 0.0 << 13000.0;
    QTest::newRow("one") << 5000.0 << 8000.0;
    QTest::newRow("instructions") << 6000.0 << 6060.0;
    QTest::newRow("beyond") << 900000.0 << 900100.0;
  }
  void boxesAreInOrder() {
    QFETCH(double, from);
    QFETCH(double, to);
    const TimelineData data = test::timelineOf("async");
    const TimelineGeometry g(input({1000, 400}, from, to), data);
    std::map<std::uint32_t, double> ends;
    std::size_t joined = 0;
    for (const TimelineBox& box : g.boxes) {
      QVERIFY(box.rect.left() >= g.plot.left() - 1e-6 && box.rect.right() <= g.plot.right() + 1e-6);
      const auto before = ends.find(box.lane);
      if (before != ends.end()) QVERIFY(box.rect.left() >= before->second - 1e-6);
      ends[box.lane] = box.rect.right();
      const TimelineRow* row = g.rowOf(box.lane);
      QVERIFY(row != nullptr && row->rect.contains(box.rect.center()));
      if (!box.joined()) continue;
      ++joined;
      float shares = 0;
      for (const float share : box.shares) shares += share;
      QVERIFY(shares > 0 && shares < 1.001F);
      QVERIFY(box.rect.width() < 5.1);
    }
    if (to - from > 30000) QVERIFY(joined > 20);
    if (to - from < 100) QCOMPARE(joined, std::size_t(0));
  }

  void cyclesAndPixels() {
    const TimelineData data = test::timelineOf("padded");
    const TimelineGeometry g(input({1000, 400}, 1000, 21000), data);
    QCOMPARE(g.xOf(1000), g.plot.left());
    QCOMPARE(g.xOf(21000), g.plot.right());
    QCOMPARE(g.cycleAt(g.xOf(7777)), 7777.0);
    for (const TimelineTile& tile : g.tiles) {
      QVERIFY(tile.left < tile.right);
      QVERIFY(tile.left >= g.plot.left() && tile.right <= g.plot.right());
    }
    QVERIFY(!g.tiles.empty());
    double before = -1;
    for (const TimelineTick& tick : g.ticks) {
      QCOMPARE(tick.x, g.xOf(tick.cycle));
      QVERIFY(tick.cycle > before);
      before = tick.cycle;
    }
    QVERIFY(g.ticks.size() > 3 && g.ticks.size() < 14);
  }

  // The pointer finds what is drawn there, and nothing outside the plot.
  void spots() {
    const TimelineData data = test::timelineOf("padded");
    const TimelineGeometry g(input({1000, 400}, 0, 20000), data);
    int found = 0;
    for (const TimelineBox& box : g.boxes) {
      const auto spot = g.spotAt(data, box.rect.center());
      QVERIFY(spot.has_value());
      QCOMPARE(spot->lane, box.lane);
      if (!box.joined() && box.rect.width() > 3) {
        QCOMPARE(spot->span, box.first);
        QVERIFY(g.rectOf(data, *spot).contains(box.rect.center()));
        ++found;
      }
    }
    QVERIFY(found > 50);
    QVERIFY(!g.spotAt(data, {2, g.plot.center().y()}));
    QVERIFY(!g.spotAt(data, {g.plot.center().x(), g.header.top()}));
    QVERIFY(!g.spotAt({}, g.plot.center()));
  }

  // Arrows end where a stall ends, in the lane of the stalled warp.
  void arrows() {
    const TimelineData data = test::timelineOf("padded");
    const TimelineGeometry g(input({1000, 400}, 0, 20000), data);
    const std::uint32_t lane = *data.timeline->laneOfWarp(1);
    const auto arrows = g.arrows(data, lane, 0, 20000);
    QVERIFY(!arrows.empty());
    for (const TimelineArrow& arrow : arrows) {
      QVERIFY(g.rowOf(lane)->rect.contains(QPointF(arrow.to.x(), arrow.to.y())));
      QVERIFY(arrow.from.x() <= arrow.to.x() + 1e-6);
      QVERIFY(std::abs(arrow.from.y() - arrow.to.y()) > 1);
      bool sleepEnds = false;
      for (const timeline::Span& span : data.timeline->lanes[lane].spans)
        sleepEnds = sleepEnds || (span.work == timeline::Work::Wait &&
                                  std::abs(g.xOf(span.end) - arrow.to.x()) < 1e-6);
      QVERIFY(sleepEnds);
    }
    QVERIFY(g.arrows(data, lane, 50000, 60000).empty());
  }

  void spansOfCycles() {
    QCOMPARE(cyclesText({12, 3456}), std::string("12:3456"));
    QCOMPARE(*parseCycles("12:3456"), (CycleSpan{12, 3456}));
    for (const char* wrong :
         {"", "12", "12:", ":5", "5:5", "9:2", "-1:4", "1:2:3", "1:99999999999", "a:b", "1: 2"}) {
      const auto parsed = parseCycles(wrong);
      QVERIFY2(!parsed && parsed.error().find("0:12000") != std::string::npos, wrong);
    }
    const TimelineData data = test::timelineOf("padded");
    QCOMPARE(usualSpan(data).from, 0);
    QCOMPARE(usualSpan(data).to, int(std::ceil(data.timeline->tileStarts[kTilesShown])));
    QCOMPARE(usualSpan({}), (CycleSpan{0, 1}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineGeometryTest, Nothing)
#include "timeline_geometry_test.moc"
