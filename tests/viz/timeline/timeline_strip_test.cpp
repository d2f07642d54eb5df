// SPDX-License-Identifier: GPL-3.0-or-later
// The strip under the loom: its rows, how it follows the instant, and its mouse actions.
#include "viz/timeline/timeline_strip.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>

#include "kernels/tile/placement.h"
#include "tests/support/test_class.h"
#include "tests/viz/painted_texts.h"
#include "tests/viz/timeline/timeline_points.h"
#include "viz/base/text/figure_text.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {

using Kind = TimelineRow::Kind;

class TimelineStripTest : public QObject {
  Q_OBJECT

  static std::unique_ptr<TimelineStrip> stripOf(const TimelineData& data) {
    auto strip = std::make_unique<TimelineStrip>();
    strip->resize(1000, strip->heightOf(TimelineRows::Condensed));
    strip->setData(data);
    return strip;
  }
  static TimelineData at(TimelineData data, double now) {
    data.now = now;
    return data;
  }
  static double placeOf(const TimelineStrip& strip) {
    return (*strip.data().now - strip.from()) / strip.length();
  }
  static std::map<Kind, int> count(const TimelineGeometry& g) {
    std::map<Kind, int> found;
    for (const TimelineRow& row : g.rows) ++found[row.kind];
    return found;
  }

 private slots:
  // The watched warp, all others, the multiplying unit, data in flight.
  void aRowForEachKind() {
    for (const char* id : {"naive", "padded", "async", "mmaring", "tma", "overlapped"}) {
      TimelineData data = test::timelineOf(id);
      data.warp = 1;
      const auto strip = stripOf(data);
      const TimelineGeometry g = strip->picture();
      auto rows = count(g);
      QCOMPARE(rows[Kind::Warp], 1);
      QCOMPARE(rows[Kind::Others], 1);
      QCOMPARE(rows[Kind::Busy] + rows[Kind::TensorCore], 1);
      QVERIFY(rows[Kind::Flight] >= 1);
      double bottom = g.plot.top();
      for (const TimelineRow& row : g.rows) {
        QVERIFY(row.rect.top() >= bottom - 1e-6);
        bottom = row.rect.bottom();
        if (row.kind == Kind::Warp) QCOMPARE(data.timeline->lanes[row.lane].number, 1u);
      }
      QVERIFY(bottom <= strip->height());
      strip->setRows(TimelineRows::Fewest);
      strip->resize(1000, strip->heightOf(TimelineRows::Fewest));
      rows = count(strip->picture());
      QCOMPARE(rows[Kind::Warp], 1);
      QCOMPARE(rows[Kind::Others] + rows[Kind::Flight], 0);
      QVERIFY(strip->heightOf(TimelineRows::Fewest) < strip->heightOf(TimelineRows::Condensed));
    }
  }

  // Shares of time, equal to those of their spans.
  void theOtherWarpsTogether() {
    const TimelineData data = test::timelineOf("padded");
    const TimelineGeometry g = stripOf(data)->picture();
    double columns = 0, spans = 0;
    for (const TimelineColumn& column : g.columns) {
      const double all =
          column.multiply + column.orders + column.moves[0] + column.moves[1] + column.moves[2];
      QVERIFY(all > -1e-9 && all < 1 + 1e-6);
      columns += all * column.rect.width() / g.plot.width() * (g.to - g.from);
    }
    int warps = 0;
    for (const timeline::Lane& lane : data.timeline->lanes) {
      if (lane.kind != timeline::LaneKind::Warp || lane.number == data.warp) continue;
      ++warps;
      for (const timeline::Span& span : lane.spans) {
        if (span.work != timeline::Work::Wait)
          spans += std::max(0.0, std::min(g.to, span.end) - std::max(g.from, span.begin));
      }
    }
    QVERIFY(warps > 1 && spans > 0);
    QVERIFY2(std::abs(columns * warps / spans - 1) < 0.01,
             qPrintable(QString("%1 %2").arg(columns * warps).arg(spans)));
    QVERIFY(g.columnAt(g.columns[5].rect.center()) == &g.columns[5]);
    QVERIFY(g.columnAt(g.plot.topLeft()) == nullptr);
  }

  // The K tile of the warp, as the loom names it, beside the one that is multiplied.
  void bothKTilesAreNamed() {
    TimelineData data = test::timelineOf("overlapped");
    data.warp = 2;
    QVERIFY(turnText(data).isEmpty());
    data.turn = 3;
    // wgmma are asynchronous: the tensor cores may still multiply an earlier one.
    QCOMPARE(turnText(data), QString("warp 2 issues for K tile 4; the tensor cores may be behind"));
    TimelineData fma = test::timelineOf("warptiled");
    fma.turn = 3;
    QCOMPARE(turnText(fma), QString("warp 0 is at K tile 4"));
    // A comparison says how much a K tile of each side is.
    QVERIFY(!timelineFigure(fma).contains("multiply-adds"));
    fma.title = QStringLiteral("8 warp tiling");
    const QString work = figures::grouped(fma.timeline->blocks * 128.0 * 128 * 16);
    QVERIFY2(timelineFigure(fma).contains("in which the SM does " + work + " multiply-adds"),
             qPrintable(timelineFigure(fma)));
    const auto strip = stripOf(at(data, data.usualEnd * 0.4));
    data.turn.reset();
    const auto without = stripOf(at(data, data.usualEnd * 0.4));
    QVERIFY(strip->grab().toImage() != without->grab().toImage());
    data.turn = 29;
    data.passedOver = true;
    QCOMPARE(turnText(data), QString("K tile 30 is skipped: one like it is shown"));
  }

  // Without playing only the instant moves, until it would leave.
  void itStaysAtRest() {
    const TimelineData data = test::timelineOf("async");
    const auto strip = stripOf(at(data, 5000));
    const double from = strip->from(), length = strip->length();
    QVERIFY(std::abs(placeOf(*strip) - 0.4) < 1e-6);
    strip->setData(at(data, from + 0.9 * length));
    QCOMPARE(strip->from(), from);
    strip->setData(at(data, from + 1.3 * length));
    QVERIFY(std::abs(placeOf(*strip) - 0.4) < 1e-6);
    strip->setData(at(data, 0));
    QCOMPARE(strip->from(), 0.0);  // nothing before the launch
  }

  // Playing scrolls it, by small steps.
  void itFollowsPlaying() {
    const TimelineData data = test::timelineOf("padded");
    const auto strip = stripOf(at(data, 5000));
    strip->setPlaying(true);
    const double step = strip->length() / 200;
    double now = 5000, before = strip->from();
    for (int i = 0; i < 300; ++i) {
      strip->setData(at(data, now += step));
      QVERIFY(strip->from() >= before && strip->from() - before < 3 * step);
      before = strip->from();
    }
    QVERIFY(strip->from() > 20000);
    QVERIFY(std::abs(placeOf(*strip) - 0.6) < 0.05);
    // With reduced motion it turns pages instead.
    strip->setStill(true);
    int turns = 0;
    for (int i = 0; i < 200; ++i) {
      strip->setData(at(data, now += step));
      if (strip->from() != before) {
        ++turns;
        QVERIFY(strip->from() - before > 0.5 * strip->length());
      }
      before = strip->from();
    }
    QCOMPARE(turns, 1);
  }

  // With another timeline the instant stays in place.
  void anotherTimeline() {
    const TimelineData data = test::timelineOf("padded");
    const auto strip = stripOf(at(data, 30000));
    strip->setData(at(data, strip->from() + 0.7 * strip->length()));
    TimelineData slow = test::timelineOf("padded", 500);
    const double length = strip->length();
    strip->setData(at(slow, 35000));
    QVERIFY(std::abs(placeOf(*strip) - 0.7) < 1e-6);
    QCOMPARE(strip->length(), length);  // slower memory takes longer on the same scale
  }

  void aClickAndADragSeek() {
    const TimelineData data = test::timelineOf("padded");
    const auto strip = stripOf(at(data, 20000));
    QSignalSpy sought(strip.get(), &TimelineStrip::sought);
    const TimelineGeometry g = strip->picture();
    const auto x = static_cast<int>(g.plot.center().x());
    QTest::mousePress(strip.get(), Qt::LeftButton, {}, {x, 40});
    QCOMPARE(sought.count(), 1);
    QVERIFY(std::abs(sought.takeFirst().at(0).toDouble() - g.cycleAt(x)) < 2);
    const double from = strip->from();
    for (const int to : {int(g.plot.right()) - 2, int(g.plot.right()) + 400}) {
      QMouseEvent move(QEvent::MouseMove, QPointF(to, 40), strip->mapToGlobal(QPointF(to, 40)),
                       Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(strip.get(), &move);
      QCOMPARE(sought.count(), 1);
      const double cycle = sought.takeFirst().at(0).toDouble();
      QVERIFY(cycle <= g.to + 2 && cycle > g.cycleAt(x));  // beyond its end, the end
      strip->setData(at(data, cycle));
      QCOMPARE(strip->from(), from);  // the strip does not move during the drag
    }
    QTest::mouseRelease(strip.get(), Qt::LeftButton, {}, {int(g.plot.right()) + 400, 40});
    QVERIFY(strip->from() > from);
    // A click on the names seeks nothing.
    QTest::mouseClick(strip.get(), Qt::LeftButton, {}, {20, 40});
    QCOMPARE(sought.count(), 0);
    QSignalSpy opened(strip.get(), &TimelineStrip::opened);
    QTest::mouseDClick(strip.get(), Qt::LeftButton, {}, {x, 40});
    QCOMPARE(opened.count(), 1);
  }

  // What was painted piece by piece is what is there: no seam, and nothing painted again.
  void scrollingShowsTheSame() {
    const TimelineData data = test::timelineOf("padded");
    const auto strip = stripOf(at(data, 20000));
    const TimelineGeometry g = strip->picture();
    const QImage first = strip->grab().toImage();
    strip->setPlaying(true);
    strip->setData(at(data, strip->from() + 0.7 * strip->length()));
    const QImage later = strip->grab().toImage();
    const double pixels = g.plot.width() / strip->length();
    const int moved = qRound(strip->from() * pixels) - qRound(g.from * pixels);
    QVERIFY(moved > 3);
    // A row of pixels through the watched warp, away from the instants and the frame.
    int y = 0;
    for (const TimelineRow& row : g.rows) {
      if (row.kind == Kind::Warp) y = qRound(row.rect.center().y());
    }
    int same = 0, compared = 0;
    for (int x = int(g.plot.left()) + 4; x + moved < int(g.plot.right()) - 4; ++x) {
      ++compared;
      same += later.pixel(x, y) == first.pixel(x + moved, y);
    }
    QVERIFY2(same > compared * 97 / 100, qPrintable(QString("%1 of %2").arg(same).arg(compared)));
  }

  // Words move with their boxes and K tiles, and stay within the visible part of these.
  void wordsAreWhole() {
    int inBoxes = 0;
    for (const char* id : {"warptiled", "async", "overlapped"}) {
      const TimelineData data = test::timelineOf(id);
      const auto strip = stripOf(data);
      int inside = 0;
      for (int i = 1; i < 40; ++i) {
        strip->setData(at(data, data.timeline->cycles * 0.02 * i));
        const TimelineGeometry g = strip->picture();
        test::TextRecorder recorder(strip->size());
        recorder.record(*strip);
        const auto& texts = recorder.texts();
        const double instant = g.xOf(*strip->data().now);
        for (std::size_t t = 0; t < texts.size(); ++t) {
          const QRectF& ink = texts[t].ink;
          if (ink.right() < g.plot.left()) continue;  // a row's name, or the cycle
          ++inside;
          inBoxes += ink.top() > g.plot.top() ? 1 : 0;
          QVERIFY2(ink.left() >= g.plot.left() && ink.right() <= g.plot.right() + 1 &&
                       texts[t].hidden == 0,
                   qPrintable(texts[t].text));
          // The predicted figure at the end of the axis keeps its place.
          QVERIFY2(instant < ink.left() - 2 || instant > ink.right() + 2 ||
                       texts[t].text.contains("predicted"),
                   qPrintable(texts[t].text));
          for (std::size_t other = 0; other < t; ++other)
            QVERIFY2(test::overlapOf(texts[t], texts[other]).isEmpty(),
                     qPrintable(texts[t].text + " over " + texts[other].text));
        }
      }
      QVERIFY(inside > 40);
    }
    QVERIFY(inBoxes > 10);
  }

  void nothingToShow() {
    TimelineStrip strip;
    strip.resize(600, 80);
    QVERIFY(!strip.grab().isNull());
    TimelineData data;
    data.trouble = "The block is being recorded.";
    strip.setData(data);
    QSignalSpy sought(&strip, &TimelineStrip::sought);
    QTest::mouseClick(&strip, Qt::LeftButton, {}, {300, 40});
    QCOMPARE(sought.count(), 0);
    QVERIFY(!strip.grab().isNull());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineStripTest, Widgets)
#include "timeline_strip_test.moc"
