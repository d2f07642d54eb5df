// SPDX-License-Identifier: GPL-3.0-or-later
// The page Waits with the mouse, in words, and as a picture.
#include "viz/waits/waits_view.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "viz/waits/waits_geometry.h"
#include "viz/waits/waits_words.h"

namespace tileloom {

class WaitsViewTest : public QObject {
  Q_OBJECT

  static WaitsData dataOf(std::string_view id, std::string_view without = {}) {
    const auto r = test::recorded({.stage = id, .kTiles = 8});
    WaitsData data;
    const auto facts = std::make_shared<const WaitFacts>(waitFacts(r->trace));
    data.facts = facts;
    data.without = omissionNamed(*facts, without);
    if (data.without) data.sleepers = analysis::sleepersOf(r->trace, facts->graph, data.without);
    return data;
  }

  // A timeline in which the producer waits 900 of 1,000 cycles of each K tile, and warp 0 of the
  // consumers 300.
  static timeline::Timeline timelineFor(const WaitsData& data) {
    timeline::Timeline t;
    t.tileStarts = {0, 1000, 2000, 3000, 4000, 5000, 6000};
    t.steadyFrom = 2, t.steadyTo = 5, t.cyclesPerTile = 1000;
    const auto lane = [&](std::uint32_t warp, std::uint16_t line, double cycles) {
      timeline::Lane its;
      its.number = warp;
      for (int tile = 0; tile < 6; ++tile) {
        // The wait itself, then the stall, which has the line of the next operation.
        timeline::Span word;
        word.begin = 1000 * tile + 40;
        word.end = 1000 * tile + 50;
        word.work = timeline::Work::WaitBarrier;
        word.line = line;
        its.spans.push_back(word);
        timeline::Span span;
        span.begin = 1000 * tile + 50;
        span.end = span.begin + cycles;
        span.on = timeline::On::Phase;
        span.kTile = static_cast<std::uint32_t>(tile);
        span.line = static_cast<std::uint16_t>(line + 1);
        its.spans.push_back(span);
      }
      t.lanes.push_back(its);
    };
    for (const analysis::WaitPoint& point : data.facts->graph.points) {
      if (point.name == "empty")
        lane(point.waiters[0].warps.front(), point.waiters[0].lines.front(), 900);
      if (point.name == "full") {
        for (const std::uint32_t warp : point.waiters[0].warps)
          lane(warp, point.waiters[0].lines.front(), warp == 0 ? 300 : 100);
      }
    }
    return t;
  }

 private slots:
  // From that height on every box has both of its lines, and boxes do not overlap.
  void eachBoxHasRoom() {
    const Fonts fonts = Fonts::of(test::goldenFont());
    const double both = 2 * QFontMetricsF(fonts.small).height();
    for (const char* id : {"warptiled", "specialised", "stored"}) {
      const WaitsData data = dataOf(id);
      for (const double width : {420.0, 600.0, 900.0, 1400.0}) {
        const double height = WaitsGeometry::wholeHeight(data, width, fonts);
        QVERIFY2(height > 100 && height < 1000, qPrintable(QString::number(height)));
        const WaitsGeometry g(data, QRectF(0, 0, width, height), fonts);
        for (const WaitsBox& box : g.boxes) {
          const bool bar = box.rect.width() > 0.9 * (width - 20);  // a barrier of the whole block
          QVERIFY(bar || box.rect.height() >= both);
          QVERIFY(QRectF(0, 0, width, height).contains(box.rect));
          for (const WaitsBox& other : g.boxes)
            QVERIFY(&other == &box || !other.rect.intersects(box.rect));
        }
      }
    }
  }

  void words() {
    WaitsData data = dataOf("consumers");
    QVERIFY2(waitsSentence(data).startsWith("Waits between warps in the 8 recorded K tiles"),
             qPrintable(waitsSentence(data)));
    addCycles(data, timelineFor(data));
    QCOMPARE(data.cyclesPerTile, 1000.0);
    QCOMPARE(
        waitsSentence(data),
        QString("Predicted, as shares of each warp's own time, 1,000 cycles per K tile: producer "
                "waits 90 % for a phase of empty, consumers 0 wait 15 % for a phase of full."));
    QVERIFY2(poolSentence(data)
                 .remove(QChar(0x2060))
                 .startsWith("Registers per thread: all 384 threads start with 168; "
                             "then consumers 0 take 240, consumers 1 take 240 and "
                             "producer keeps 24."),
             qPrintable(poolSentence(data)));
  }

  // Measured shares come before predicted ones, and each says which it is.
  void measuredSharesComeFirst() {
    WaitsData data = dataOf("consumers");
    addCycles(data, timelineFor(data));
    timeline::Comparison c;
    c.timed = true, c.sampledOn = "H100";
    c.waits = {{timeline::On::Products, timeline::Who::Multiply, 0.97, 0.436, 0.004, 0.454},
               {timeline::On::Phase, timeline::Who::Bring, 0.769, 0.551, std::nullopt, 0.414}};
    data.measured = c;
    QVERIFY2(waitsSentence(data).startsWith(
                 "Timed on a GPU: warps that multiply wait 43.6 % for their wgmma (sampled: "
                 "45.4 %); warps that load wait 55.1 % for an empty stage (sampled: 41.4 %). "
                 "Predicted, as shares"),
             qPrintable(waitsSentence(data)));
    data.measured->timed = false;
    for (auto& wait : data.measured->waits) wait.timed.reset();
    QVERIFY2(waitsSentence(data).startsWith(
                 "Sampled on a GPU: warps that multiply wait 45.4 % for their wgmma; warps"),
             qPrintable(waitsSentence(data)));
  }

  // Counts are of the recording, and cycles of a K tile: both are said.
  void countsSayWhatTheyCount() {
    WaitsData data = dataOf("mmaring");
    addCycles(data, timelineFor(data));
    const WaitsGeometry g(data, QRectF(0, 0, 900, 400), Fonts::of(test::goldenFont()));
    QVERIFY(std::ranges::any_of(g.boxes, [](const WaitsBox& box) {
      return box.detail.contains(QStringLiteral("× in ")) &&
             box.detail.contains(QStringLiteral("recorded K tiles"));
    }));
    QVERIFY(waitsNote(data).contains("together, not per K tile"));
  }

  // Reason 3 for warp specialisation: a wait for all wgmma leaves the tensor cores idle.
  void whyTheTensorCoresStandStill() {
    WaitsData v1 = dataOf("multistage"), v2 = dataOf("overlapped");
    QVERIFY(v1.facts->waitsForAll && !v2.facts->waitsForAll);
    for (WaitsData* data : {&v1, &v2}) addCycles(*data, timelineFor(*data));
    v1.standstill =
        timeline::Standstill{141, {{timeline::On::Warps, 100}, {timeline::On::Nothing, 41}}};
    v2.standstill = timeline::Standstill{};
    QVERIFY2(waitsSentence(v1).startsWith(
                 "Predicted: the tensor cores are idle for 141 of 1,000 cycles per K tile (14 %), "
                 "since wait_products(0) leaves no wgmma in flight; of these, warps wait 100 for "
                 "other warps and 41 not at all. Predicted, as shares of each"),
             qPrintable(waitsSentence(v1)));
    QVERIFY2(waitsSentence(v2).startsWith("Predicted: the tensor cores are never idle. "),
             qPrintable(waitsSentence(v2)));
    QCOMPARE(standstillText(v1), QString("idle 141 of 1,000 cycles"));
    QCOMPARE(standstillText(v2), QString("never idle"));
  }

  // The length of each wait is on its arrow even in a low window.
  void cyclesStandOnArrows() {
    for (const char* id : {"consumers", "specialised", "multistage"}) {
      WaitsData data = dataOf(id);
      addCycles(data, timelineFor(data));
      const WaitsGeometry g(data, QRectF(0, 0, 640, 190), Fonts::of(test::goldenFont()));
      QVERIFY(g.compact);
      for (const WaitsLine& line : g.lines) {
        if (line.brief.isEmpty()) continue;
        QVERIFY2(line.label.isValid(), qPrintable(QStringLiteral("%1: %2").arg(id, line.words)));
        QVERIFY2(line.words.contains(line.brief), qPrintable(line.words));
      }
    }
  }

  void deadlockInWords() {
    const WaitsData data = dataOf("specialised", "empty");
    QVERIFY(data.deadlock());
    const QString text = waitsSentence(data);
    QVERIFY2(text.startsWith("Deadlock without arrivals at empty: "), qPrintable(text));
    QVERIFY2(text.contains("at empty[0], phase 0: lacks 1 of 1 arrival"), qPrintable(text));
    QVERIFY2(text.contains("phase 1: lacks 1 of 1 arrival"), qPrintable(text));
    QVERIFY(!omissionNamed(*data.facts, "nothing of this kind"));
    for (const analysis::LeftOut& what : data.facts->omissions)
      QCOMPARE(omissionNamed(*data.facts, omissionName(data.facts->graph, what)),
               std::optional(what));
  }

  // The page shows the emulator's fault even if the replay does not find it.
  void aFaultIsSaid() {
    WaitsData data = dataOf("consumers");
    WaitFacts facts = *data.facts;
    facts.fault = "deadlock: thread 37";
    data.facts = std::make_shared<const WaitFacts>(facts);
    QCOMPARE(waitsSentence(data), QString("deadlock: thread 37."));
  }

  // All boxes are in the picture and without overlap, for every rung and size.
  void boxesStandApart_data() {
    QTest::addColumn<QString>("id");
    for (const Stage* stage : everyStage())
      QTest::newRow(stage->id.data()) << QString::fromUtf8(stage->id.data());
  }
  void boxesStandApart() {
    QFETCH(QString, id);
    for (const char* without : {"", "empty", "full"}) {
      const WaitsData data = dataOf(id.toStdString(), without);
      for (const QSizeF size : {QSizeF(460, 220), QSizeF(800, 320), QSizeF(1280, 480)}) {
        const QRectF canvas(QPointF(0, 0), size);
        const WaitsGeometry g(data, canvas, Fonts::of(test::goldenFont()));
        QVERIFY(!g.boxes.empty());
        for (const WaitsBox& box : g.boxes) {
          QVERIFY(canvas.contains(box.rect));
          for (const WaitsBox& other : g.boxes)
            QVERIFY(&box == &other || !box.rect.intersects(other.rect));
          for (const WaitsLine& line : g.lines) QVERIFY(!line.label.intersects(box.rect));
        }
        for (const PoolBar& bar : g.pool) {
          QVERIFY(canvas.contains(bar.whole));
          QVERIFY(std::abs(bar.parts.back().rect.right() - bar.whole.right()) < 0.01);
        }
      }
    }
  }

  void aLineOfWordsHasRoom() {
    const Fonts fonts = Fonts::of(test::goldenFont());
    for (const char* id : {"multistage", "consumers", "cluster"}) {
      const WaitsData data = dataOf(id);
      const WaitsGeometry g(data, QRectF(0, 0, 640, WaitsGeometry::leastHeight(data, fonts)),
                            fonts);
      for (const WaitsBox& box : g.boxes)
        QVERIFY(box.rect.height() >= QFontMetricsF(fonts.small).height());
    }
  }

  void aClickLeadsToTheWait() {
    WaitsView view;
    view.resize(1200, 480);
    view.setData(dataOf("consumers"));
    view.show();
    QSignalSpy picked(&view, &WaitsView::picked);
    const WaitsGeometry g = view.geometry();
    const auto& points = view.data().facts->graph.points;
    int clicks = 0;
    for (const WaitsLine& line : g.lines) {
      if (!line.label.isValid() || !line.waits) continue;
      QTest::mouseClick(&view, Qt::LeftButton, {}, line.label.center().toPoint());
      QCOMPARE(picked.count(), ++clicks);
      const analysis::WaitEdge& edge = points[line.point].waiters[line.edge];
      QCOMPARE(picked.back().at(0).toUInt(), edge.warps.front());
      QCOMPARE(picked.back().at(1).toInt(), int(edge.lines.front()));
    }
    QVERIFY(clicks > 3);
  }

  void pictures_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("without");
    QTest::addColumn<bool>("dark");
    QTest::newRow("waits-cluster-light") << "cluster"
                                         << "" << false;
    QTest::newRow("waits-deadlock-dark") << "consumers"
                                         << "empty" << true;
  }
  void pictures() {
    QFETCH(const QString, id);
    QFETCH(const QString, without);
    QFETCH(const bool, dark);
    WaitsData data = dataOf(id.toStdString(), without.toStdString());
    if (id == "consumers" && without.isEmpty()) addCycles(data, timelineFor(data));
    WaitsView view;
    view.setData(data);
    QImage image(1200, 460, QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintTo(painter, QRectF(0, 0, 1200, 460), Theme::make(dark),
                 Fonts::of(test::goldenFont()));
    painter.end();
    test::compareWithGolden(QString::fromUtf8(QTest::currentDataTag()), image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WaitsViewTest, Widgets)
#include "waits_view_test.moc"
