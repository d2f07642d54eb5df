// SPDX-License-Identifier: GPL-3.0-or-later
// The page Ring with mouse and keyboard, in words, and as a picture.
#include "viz/ring/ring_view.h"

#include <QPainter>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/viz/golden.h"
#include "viz/ring/ring_geometry.h"
#include "viz/ring/ring_words.h"

namespace tileloom {

using emulator::Kind;

class RingViewTest : public QObject {
  Q_OBJECT

  static std::unique_ptr<RingView> viewOf(const Scene& scene) {
    auto view = std::make_unique<RingView>();
    view->setFont(test::goldenFont());
    view->resize(1000, 380);
    view->setScene(scene);
    return view;
  }
  static test::RecordingPointer overlapped() {
    static const auto recording = test::recorded({.stage = "overlapped", .kTiles = 6});
    return recording;
  }
  static std::uint32_t indexOf(const analysis::Recording& r, std::uint32_t warp, Kind kind,
                               std::uint32_t tile, int skipped = 0) {
    return test::indexOf(r, warp, [&](const emulator::Instruction& i) {
      return i.kind == kind && i.kTile == tile && skipped-- == 0;
    });
  }

 private slots:
  // At the least height of a width no card loses words, and cards do not overlap.
  void eachCardHasRoomForItsWords() {
    const auto r = overlapped();
    const auto view = viewOf(makeScene(r, 0, indexOf(*r, 0, Kind::BoxLoad, 1)));
    const RingData& data = view->data();
    const Fonts fonts = Fonts::of(test::goldenFont());
    const QFontMetricsF small(fonts.small);
    for (const double width : {420.0, 600.0, 900.0, 1400.0}) {
      const double height = RingGeometry::leastHeight(data, width, fonts);
      QVERIFY2(height > 100 && height < 1500, qPrintable(QString::number(height)));
      const RingGeometry g(data, QRectF(0, 0, width, height), fonts);
      QCOMPARE(g.cards.size(), data.stages.size());
      for (std::size_t i = 0; i < g.cards.size(); ++i) {
        double needed = 0;
        for (const QString& line : cardLines(data.stages[i])) {
          const QRectF room(0, 0, g.cards[i].words.width(), 1e6);
          needed += small.boundingRect(room, Qt::TextWordWrap, line).height();
        }
        QVERIFY(needed <= g.cards[i].words.height());
        QVERIFY(i == 0 || !g.cards[i].whole.intersects(g.cards[i - 1].whole));
      }
    }
  }

  void words() {
    const auto r = overlapped();
    // After the first of six boxes that load K tile 5 into the stage that wgmma no longer read.
    const auto view = viewOf(makeScene(r, 0, indexOf(*r, 0, Kind::BoxLoad, 1)));
    const RingData& data = view->data();
    QCOMPARE(data.stages.size(), std::size_t{4});
    QVERIFY2(ringSentence(data).startsWith(
                 "K tiles 4 and 5 are in flight into stages 3 and 0: 65,536 bytes that no warp has "
                 "waited for yet. The wgmma in flight read stage 1 (K tile 2)"),
             qPrintable(ringSentence(data)));
    QCOMPARE(stageHolds(data.stages[0]), QString("K tiles 1 and 5"));
    QCOMPARE(stageShares(data.stages[0]), QString("33 % in flight, 67 % read for the last time"));
    QCOMPARE(barrierLines(data.stages[0]), (QStringList{"full[0]: phase 1 open, parity 1",
                                                        "49,152 bytes pending, 16,384 requested",
                                                        "no arrival pending", "no warp waits"}));
    QCOMPARE(stageHolds(data.stages[1]), QString("K tile 2"));
    QVERIFY(stageText(data, 1).contains("24,576 elements are read by wgmma in flight"));
  }

  // Other warps reach their first wait before warp 0 has issued all boxes.
  void sleepers() {
    const auto r = overlapped();
    const auto view = viewOf(makeScene(r, 3, indexOf(*r, 3, Kind::BarrierWait, 0)));
    const RingData& data = view->data();
    QCOMPARE(data.stages[0].barrier->asleep, (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7}));
    QVERIFY(
        ringSentence(data).contains("Until phase 0 of full[0] ends, warps 1 to 7 are stalled."));
    QCOMPARE(barrierLines(data.stages[0]).back(), QString("waiting: warps 1 to 7"));
    // At its own wait all boxes have been issued, and the wait has ended.
    view->setScene(makeScene(r, 0, indexOf(*r, 0, Kind::BarrierWait, 0)));
    QVERIFY(view->data().stages[0].barrier->asleep.empty());
    QVERIFY(ringSentence(view->data())
                .contains("Warp 0 has waited for phase 0 of full[0], which has ended"));
  }

  void groupsOfCopies() {
    const auto r = test::recorded({.stage = "async", .kTiles = 5});
    const auto view = viewOf(makeScene(r, 0, indexOf(*r, 0, Kind::CopyWait, 2)));
    QVERIFY2(ringSentence(view->data())
                 .contains("Warp 0 has committed 4 cp.async groups and waited for 3."),
             qPrintable(ringSentence(view->data())));
    QVERIFY(barrierLines(view->data().stages[0]).isEmpty());
  }

  void rungsWithoutARing() {
    for (const char* id : {"naive", "warptiled", "mma"}) {
      const auto r = test::recorded({.stage = id, .problem = {256, 256, 256}});
      const auto view = viewOf(makeScene(r, 0, 0));
      QVERIFY(!view->data().ready());
      QVERIFY(view->data().why.contains("Choose rung 11"));
      QVERIFY(!view->geometry().stageUnder({500, 200}));
      QImage image(1000, 380, QImage::Format_RGB32);
      view->render(&image);
    }
    const auto view = viewOf({});
    QVERIFY(!view->data().why.isEmpty());
  }

  // Clicks step through the life of a stage: loaded, waited for, read, and again.
  void aClickLeadsToWhatHappensNext() {
    const auto r = overlapped();
    const auto view = viewOf(makeScene(r, 2, 0));
    view->show();
    QSignalSpy picked(view.get(), &RingView::picked);
    std::vector<std::pair<analysis::RingMoment, std::uint32_t>> life;
    for (int click = 0; click < 6; ++click) {
      const auto next = view->data().stages[1].next;
      QVERIFY(next.has_value());
      life.emplace_back(next->what, next->tile);
      const QPointF at = click % 2 == 0 ? view->geometry().cards[1].whole.center()
                                        : view->geometry().onDial(view->geometry().middle(1),
                                                                  view->geometry().outer - 4);
      QTest::mouseClick(view.get(), Qt::LeftButton, {}, at.toPoint());
      QCOMPARE(picked.count(), click + 1);
      QCOMPARE(picked.back().at(0).toUInt(), next->warp);
      QCOMPARE(picked.back().at(1).toUInt(), next->index);
      // The window keeps watching warp 2; the ring follows.
      const auto index =
          next->warp == 2 ? next->index : r->trace.indexOf(2, {next->position.interval, 0});
      view->setScene(makeScene(r, next->warp, next->warp == 2 ? index : next->index));
    }
    using enum analysis::RingMoment;
    QCOMPARE(life.front(), (std::pair{Asked, 1u}));
    QVERIFY(std::ranges::find(life, std::pair{Waited, 1u}) != life.end());
    QVERIFY(std::ranges::find(life, std::pair{Read, 1u}) != life.end());
    QVERIFY(std::ranges::find(life, std::pair{Asked, 5u}) != life.end());
  }

  void theKeyboardWalksThroughStages() {
    const auto r = overlapped();
    const auto view = viewOf(makeScene(r, 0, indexOf(*r, 0, Kind::BoxLoad, 1)));
    view->show();
    QSignalSpy picked(view.get(), &RingView::picked);
    view->setCursorMode(true);
    QVERIFY(view->accessibleDescription().startsWith("Stage 0: K tiles 1 and 5"));
    QTest::keyClick(view.get(), Qt::Key_Right);
    QVERIFY(view->accessibleDescription().startsWith("Stage 1: K tile 2"));
    QTest::keyClick(view.get(), Qt::Key_End);
    QVERIFY(view->accessibleDescription().startsWith("Stage 3: K tile 4"));
    QTest::keyClick(view.get(), Qt::Key_Right);
    QVERIFY(view->accessibleDescription().startsWith("Stage 0"));
    QTest::keyClick(view.get(), Qt::Key_Return);
    QCOMPARE(picked.count(), 1);
  }

  // The element under the pointer is the one at that place of shared memory.
  void hoveringNamesTheElement() {
    const auto r = overlapped();
    const auto view = viewOf(makeScene(r, 0, indexOf(*r, 0, Kind::CommitProducts, 3)));
    view->show();
    QSignalSpy hovered(view.get(), &RingView::hovered);
    const RingGeometry g = view->geometry();
    for (const std::uint32_t stage : {0u, 3u}) {
      for (const QRectF& panel : {g.cards[stage].a, g.cards[stage].b}) {
        const QPointF at = panel.center();
        QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QCoreApplication::sendEvent(view.get(), &move);
        const auto selection = hovered.back().at(0).value<Selection>();
        QVERIFY(selection.element.has_value());
        const auto& e = *selection.element;
        const bool isA = e.matrix == analysis::Matrix::A;
        QCOMPARE(isA, panel == g.cards[stage].a);
        const auto tile = static_cast<std::uint32_t>((isA ? e.column : e.row) / r->trace.stepK);
        QCOMPARE(tile, view->data().stages[stage].slot.tiles.front().tile);
      }
    }
  }

  void pictures_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("dark");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("tile");
    QTest::newRow("ragged") << "ring-ragged-light"
                            << "overlapped" << false << int(Kind::CommitProducts) << 2;
  }
  void pictures() {
    QFETCH(const QString, name);
    QFETCH(const QString, id);
    QFETCH(const bool, dark);
    QFETCH(const int, kind);
    QFETCH(const int, tile);
    const Problem problem =
        name.contains("ragged") ? Problem{104, 200, 232} : Problem{512, 512, 512};
    const std::string stage = id.toStdString();
    const auto r = test::recorded({.stage = stage, .problem = problem, .kTiles = 5});
    const std::uint32_t index =
        indexOf(*r, 0, static_cast<Kind>(kind), static_cast<std::uint32_t>(tile),
                kind == int(Kind::AsyncCopy) ? 3 : 0);
    RingView view;
    view.setScene(makeScene(r, 0, index));
    QImage image(1000, 380, QImage::Format_RGB32);
    QPainter painter(&image);
    view.paintTo(painter, QRectF(0, 0, 1000, 380), Theme::make(dark),
                 Fonts::of(test::goldenFont()));
    painter.end();
    test::compareWithGolden(name, image);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::RingViewTest, Widgets)
#include "ring_view_test.moc"
