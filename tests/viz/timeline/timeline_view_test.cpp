// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline with the mouse: wheel, drag, click, double click; and its words.
#include "viz/timeline/timeline_view.h"

#include <QSignalSpy>
#include <QWheelEvent>
#include <QtTest>
#include <algorithm>

#include "tests/support/test_class.h"
#include "tests/viz/timeline/timeline_points.h"
#include "viz/base/text/figure_text.h"
#include "viz/timeline/timeline_words.h"

namespace tileloom {

class TimelineViewTest : public QObject {
  Q_OBJECT

  static void turn(TimelineView& view, const QPointF& at, int notches) {
    QWheelEvent event(at, view.mapToGlobal(at), {}, {0, notches * 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&view, &event);
  }
  static std::unique_ptr<TimelineView> viewOf(const char* id) {
    auto view = std::make_unique<TimelineView>();
    view->resize(1000, 360);
    view->setData(test::timelineOf(id));
    return view;
  }

 private slots:
  void theWheelZoomsAboutThePointer() {
    const auto view = viewOf("padded");
    QSignalSpy changed(view.get(), &TimelineView::spanChanged);
    const QPointF at(640, 200);
    const double cycle = view->picture().cycleAt(at.x());
    const double length = view->picture().to - view->picture().from;
    turn(*view, at, 2);
    QCOMPARE(changed.count(), 1);
    QVERIFY(std::abs(view->picture().cycleAt(at.x()) - cycle) < 2);
    QVERIFY(std::abs((view->picture().to - view->picture().from) * 1.25 * 1.25 / length - 1) <
            0.01);
    // No closer than some instructions, no farther than the launch.
    for (int i = 0; i < 60; ++i) turn(*view, at, 2);
    QVERIFY(view->shown().to - view->shown().from >= 40);
    QVERIFY(view->shown().to - view->shown().from <= 43);
    for (int i = 0; i < 60; ++i) turn(*view, at, -2);
    QCOMPARE(view->shown().from, 0);
    QVERIFY(view->shown().to >= view->data().timeline->cycles);
  }

  void draggingMovesAndADoubleClickGoesBack() {
    const auto view = viewOf("async");
    view->setSpan(CycleSpan{4000, 6000});
    QTest::mousePress(view.get(), Qt::LeftButton, {}, {500, 150});
    QMouseEvent move(QEvent::MouseMove, QPointF(400, 150), view->mapToGlobal(QPointF(400, 150)),
                     Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(view.get(), &move);
    QVERIFY(view->shown().from > 4100 && view->shown().to - view->shown().from <= 2001);
    QSignalSpy picked(view.get(), &TimelineView::picked);
    QTest::mouseRelease(view.get(), Qt::LeftButton, {}, {400, 150});
    QCOMPARE(picked.count(), 0);  // it was a drag
    QTest::mouseDClick(view.get(), Qt::LeftButton, {}, {500, 150});
    QVERIFY(!view->span());
    QCOMPARE(view->shown(), usualSpan(view->data()));
  }

  // A click goes to the instruction; on a stall, to the one that cannot be issued.
  void aClickPicksAnInstruction() {
    const auto view = viewOf("padded");
    QSignalSpy picked(view.get(), &TimelineView::picked);
    const TimelineGeometry& g = view->picture();
    int tried = 0;
    for (const TimelineBox& box : g.boxes) {
      const timeline::Lane& lane = view->data().timeline->lanes[box.lane];
      if (lane.kind != timeline::LaneKind::Warp || box.joined() || box.rect.width() < 6) continue;
      QTest::mouseClick(view.get(), Qt::LeftButton, {}, box.rect.center().toPoint());
      const auto& span = lane.spans[box.first];
      const auto& meant = span.work == timeline::Work::Wait ? lane.spans[box.first + 1] : span;
      QCOMPARE(picked.count(), 1);
      QCOMPARE(picked.front().at(0).toInt(), int(lane.number));
      QCOMPARE(picked.front().at(1).toInt(), int(meant.first));
      picked.clear();
      if (++tried == 30) break;
    }
    QCOMPARE(tried, 30);
  }

  void words() {
    TimelineData data = test::timelineOf("padded");
    QCOMPARE(timelineFigure(data),
             QString::fromUtf8("≈ 9,774 cycles from one K tile of 16 to the next"));
    QVERIFY(timelineFacts(data).contains("3 blocks share the SM"));
    QVERIFY(timelineFacts(data).contains("predicted for H100"));
    data.guessed = true;
    QVERIFY(timelineFacts(data).contains("(estimated)"));
    data.varies = 900;
    QVERIFY2(timelineFigure(data).contains(", on average over "), qPrintable(timelineFigure(data)));
    QVERIFY(timelineFigure(data).endsWith("as with the usual latency"));
    QVERIFY(timelineSentence(data).contains("memory takes 0 to 900 cycles longer"));
    data.varies = 0;
    data.delay = 500;
    QVERIFY(timelineFigure(data).endsWith("as without the delay"));
    data.usualCycles *= 0.8;
    QVERIFY(timelineFigure(data).contains("25 % more"));
    data.usualCycles *= 1.6;
    QVERIFY(timelineFigure(data).contains("less than without"));
    QVERIFY(timelineSentence(data).contains("memory takes 500 cycles longer"));
    auto one = *data.timeline;
    one.tileStarts.resize(1);
    data.timeline = std::make_shared<const timeline::Timeline>(one);
    QVERIFY(timelineFigure(data).endsWith("which has one K tile"));
    data.timeline.reset();
    data.trouble = "Nothing.";
    QCOMPARE(timelineSentence(data), QString("Nothing."));
    QVERIFY(timelineFacts(data).isEmpty());
  }

  // Every kind of span has a tool tip.
  void everySpanHasWords() {
    for (const char* id : {"naive", "padded", "async", "mmaring"}) {
      const TimelineData data = test::timelineOf(id);
      for (std::uint32_t lane = 0; lane < data.timeline->lanes.size(); ++lane) {
        const auto& spans = data.timeline->lanes[lane].spans;
        for (std::uint32_t s = 0; s < spans.size(); s += 37) {
          const QString text = spanText(data, {lane, s});
          QVERIFY2(text.contains("cycles, from ") && text.size() > 30, qPrintable(text));
          QVERIFY(!boxWords(data, spans[s]).isEmpty());
        }
      }
    }
    for (std::size_t w = 0; w < timeline::kWorks; ++w) {
      timeline::Span span;
      span.work = static_cast<timeline::Work>(w);
      span.on = timeline::On::Phase;
      for (const QString& words : boxWords(TimelineData(), span)) QVERIFY(!words.isEmpty());
    }
  }

  // K tiles are named from the place between two tiles of C, C has a lane, and the headline says
  // how long the tensor cores are idle.
  void betweenTwoTiles() {
    TimelineData data = test::timelineOf("persistent", 0, true);
    QVERIFY(data.seam && data.timeline->tilesPerWalk > 4);
    const std::uint32_t each = data.timeline->tilesPerWalk;
    QCOMPARE(tileName(data, each - 1), QString("tile 1, last K tile"));
    QCOMPARE(tileName(data, each - 3), QString("tile 1, last K tile but 2"));
    QCOMPARE(tileName(data, each), QString("tile 2, K tile 1"));
    QCOMPARE(shortTileName(data, each + 2), QString("3"));
    const QString idle = figures::grouped(data.seam->idle());
    QVERIFY2(timelineFigure(data).contains("idle ≈ " + idle + " cycles between two tiles"),
             qPrintable(timelineFigure(data)));
    QVERIFY2(timelineFacts(data).contains("of a tile's time at K = 4,096"),
             qPrintable(timelineFacts(data)));
    // The axis is that of shortened tiles: 4,096 elements of K are 64 K tiles.
    QVERIFY2(
        timelineFacts(data).contains(QString("drawn of tiles with %1 of 64 K tiles").arg(each)),
        qPrintable(timelineFacts(data)));
    TimelineView view;
    view.resize(1100, 400);
    view.setData(data);
    QVERIFY(view.shown().from > 0);
    const TimelineGeometry& g = view.picture();
    QVERIFY(g.idle.width() > 20 && g.plot.contains(g.idle.center()));
    QCOMPARE(std::ranges::count_if(
                 g.rows, [](const TimelineRow& r) { return r.kind == TimelineRow::Kind::Leaving; }),
             1);
    for (std::uint32_t lane = 0; lane < data.timeline->lanes.size(); ++lane) {
      const auto& spans = data.timeline->lanes[lane].spans;
      for (std::uint32_t s = 0; s < spans.size(); s += 7) {
        const QString text = spanText(data, {lane, s});
        QVERIFY2(text.contains("cycles, from "), qPrintable(text));
        // Counted across tiles they would be ambiguous.
        if (spans[s].work == timeline::Work::Product)
          QVERIFY2(text.contains("tile 1, last K tile") || text.contains("tile 2, K tile "),
                   qPrintable(text));
      }
    }
    // The timestamped timeline says so, and is below on the same axis.
    makeRoomForMeasured(data);
    const TimelineData below = measuredData(data);
    QVERIFY(below.seam && timelineFigure(below).startsWith("2,312 cycles between two tiles"));
    QCOMPARE(usualSpan(below), usualSpan(data));
    QVERIFY(idleWords(below).contains("2,312") && idleWords(data).contains(idle));
  }

  void withoutATimeline() {
    TimelineView view;
    view.resize(400, 200);
    TimelineData data;
    data.trouble = "There is nothing to show.";
    view.setData(data);
    QVERIFY(!view.grab().isNull());
    turn(view, {200, 100}, 3);
    QTest::mouseClick(&view, Qt::LeftButton, {}, {200, 100});
    QCOMPARE(view.accessibleDescription(), data.trouble);
  }

  // The timestamped timeline says so, and the axis is the predicted one.
  void measuredBeneathPredicted() {
    TimelineData data = test::timelineOf("overlapped");
    QVERIFY(data.beside != nullptr);
    TimelineView above, beneath;
    for (TimelineView* view : {&above, &beneath}) view->resize(1000, 360);
    above.setData(data);
    beneath.setData(measuredData(data));
    const TimelineData& m = beneath.data();
    QVERIFY(m.measured && m.ready());
    QVERIFY(timelineFigure(m).endsWith("cycles per K tile, predicted 1,024"));
    QVERIFY(!timelineFigure(m).contains("≈"));
    const auto cost = QString::fromStdString(timeline::costOf(m.beside->measured));
    for (const QString& part : {QStringLiteral("timestamped on H100, one block"), cost})
      QVERIFY2(timelineFacts(m).contains(part), qPrintable(timelineFacts(m)));
    QVERIFY(timelineFacts(data).startsWith("predicted for "));
    QVERIFY(sharesText(m).contains("timed (predicted)") && sharesText(m).contains("wgmma"));
    // As a table if it fits, else as a line above the lanes.
    QVERIFY(!beneath.picture().shares.isEmpty());
    QVERIFY(beneath.picture().shares.top() >= beneath.picture().plot.bottom());
    TimelineView low;
    low.setData(beneath.data());
    low.resize(1000, low.minimumSizeHint().height());
    QVERIFY(low.picture().shares.isEmpty());
    QVERIFY(low.picture().header.height() > beneath.picture().header.height());
    QCOMPARE(beneath.shown(), above.shown());
    QCOMPARE(beneath.picture().plot.left(), above.picture().plot.left());
    QCOMPARE(beneath.picture().plot.right(), above.picture().plot.right());
    QCOMPARE(beneath.picture().xOf(1000), above.picture().xOf(1000));
    // Aligned where the wait for a K tile ends, at most a K tile before it is multiplied.
    const double meeting = data.timeline->tileStarts[data.beside->under];
    QVERIFY(std::abs(m.timeline->tileStarts[data.beside->tile] - meeting) <
            data.timeline->cyclesPerTile);
    // No row for what timestamps do not show.
    for (const TimelineRow& row : beneath.picture().rows)
      QVERIFY(row.kind != TimelineRow::Kind::Busy);
    bool told = false;
    for (const TimelineBox& box : beneath.picture().boxes) {
      const QString text = spanText(m, {box.lane, box.first});
      QVERIFY2(text.endsWith(", timestamped") && !text.contains(", predicted"), qPrintable(text));
      told |= text.contains("waits for wgmma");
    }
    QVERIFY(told);
    // A click on a timestamp does nothing: it belongs to no instruction of the trace.
    QSignalSpy picked(&beneath, &TimelineView::picked);
    for (const TimelineBox& box : beneath.picture().boxes)
      QTest::mouseClick(&beneath, Qt::LeftButton, {}, box.rect.center().toPoint());
    QCOMPARE(picked.count(), 0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::TimelineViewTest, Widgets)
#include "timeline_view_test.moc"
