// SPDX-License-Identifier: GPL-3.0-or-later
// The loom under mouse and wheel.
#include "viz/loom/loom_view.h"

#include <QSignalSpy>
#include <QtTest>

#include "kernels/tile/placement.h"
#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using Level = LoomView::Level;

class LoomViewTest : public QObject {
  Q_OBJECT

  const test::RecordingPointer recording_ = test::recorded({.stage = "warptiled", .block = {2, 3}});
  const Scene scene_ = makeScene(recording_, 0, test::indexOf(*recording_, 0, [](const auto& i) {
                                   return i.kind == emulator::Kind::SharedLoad;
                                 }));

  struct Heard {
    Selection hovered, clicked;
    int clicks = 0;
    std::vector<std::pair<int, int>> blocks;
  };

  bool open(LoomView& view, Heard& heard) const {
    connect(&view, &LoomView::hovered, &view, [&heard](const Selection& s) { heard.hovered = s; });
    connect(&view, &LoomView::clicked, &view, [&heard](const Selection& s) {
      heard.clicked = s;
      ++heard.clicks;
    });
    connect(&view, &LoomView::blockChosen, &view,
            [&heard](int row, int column) { heard.blocks.emplace_back(row, column); });
    view.setScene(scene_);
    return test::shown(view, {800, 700});
  }

  // A pixel of the element's cell, not covered by a slab (C) and well inside the cell.
  static QPointF pixelOf(const LoomView& view, const Element& e) {
    return view.geometry().of(e).center();
  }

 private slots:
  void hoverMeansTheElement() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const analysis::BlockMap& map = recording_->map;
    const double cell = view.geometry().cell();
    QVERIFY(cell > 2);  // else a pixel cannot mean one element
    const Element elements[] = {
        {Matrix::A, map.tileA[0].row + 77, map.tileA[0].column + 9},
        {Matrix::B, map.tileB[0].row + 5, map.tileB[0].column + 100},
        {Matrix::C, map.c.row + 64, map.c.column + 31},
    };
    for (const Element& e : elements) {
      test::hoverAt(view, pixelOf(view, e));
      QVERIFY(heard.hovered.element.has_value());
      QVERIFY(*heard.hovered.element == e);
      const Selection all = complete(scene_, heard.hovered);
      if (e.matrix == Matrix::C) {
        QCOMPARE(*all.thread, std::uint32_t{map.ownerOf(e.row, e.column)});
        QVERIFY(!all.word);
      } else {
        QVERIFY(all.word == recording_->wordOf(e, 0, scene_.moment.index));
        QVERIFY(all.word.has_value());
      }
    }
    test::leave(view);
    QVERIFY(heard.hovered.empty());
    test::hoverAt(view, {3, 3});  // the header
    QVERIFY(heard.hovered.empty());
  }

  void clickPicksTheElement() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const Element e{Matrix::C, recording_->map.c.row + 3, recording_->map.c.column + 120};
    test::clickAt(view, pixelOf(view, e));
    QCOMPARE(heard.clicks, 1);
    QVERIFY(heard.clicked.element == e);
    QVERIFY(heard.blocks.empty());
    QTest::mouseClick(&view, Qt::RightButton, {}, pixelOf(view, e).toPoint());
    QCOMPARE(heard.clicks, 1);
  }

  void clickOnAnotherBlockChoosesIt() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    view.zoomTo(Level::Grid, false);
    const Element e{Matrix::C, 900, 100};
    const QPointF at = pixelOf(view, e);
    test::clickAt(view, at);
    QCOMPARE(heard.blocks.size(), std::size_t{1});
    QCOMPARE(heard.clicks, 0);
    // To the pixel: one is worth several elements here.
    const double slack = 1 / view.geometry().cell() + 1;
    QVERIFY(std::abs(heard.blocks[0].first - 900) <= slack);
    QVERIFY(std::abs(heard.blocks[0].second - 100) <= slack);
    // Hovering it selects nothing: no thread of the shown block owns it.
    test::hoverAt(view, at);
    QVERIFY(heard.hovered.empty());
  }

  void wheelKeepsThePointUnderTheMouse() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const QPointF at(430, 290);
    const QPointF world = view.geometry().toWorld(at);
    for (const int notches : {1, 1, 3, -2, -1, 5, 40, -3}) {
      const double before = view.geometry().cell();
      test::wheelAt(view, at, notches);
      const double after = view.geometry().cell();
      if (notches > 0) QVERIFY(after > before || qFuzzyCompare(after, 120.0));
      if (notches < 0) QVERIFY(after < before);
      const QPointF now = view.geometry().toPixel(world);
      QVERIFY2((now - at).manhattanLength() < 0.01, qPrintable(QString::number(notches)));
    }
    // At any turn of the wheel the matrices stay visible.
    test::wheelAt(view, at, -500);
    QVERIFY(view.geometry().c().width() > 50);
    test::wheelAt(view, at, 500);
    QVERIFY(view.geometry().cell() <= 120.0);
    QVERIFY(!view.grab().isNull());
  }

  void dragMovesTheWorldAlong() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const QPoint from(400, 300), to(470, 240);
    const QPointF world = view.geometry().toWorld(from);
    const double cell = view.geometry().cell();
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 10; ++i) QTest::mouseMove(&view, from + (to - from) * i / 10);
    QTest::mouseRelease(&view, Qt::LeftButton, {}, to);
    QVERIFY((view.geometry().toPixel(world) - to).manhattanLength() < 0.01);
    QCOMPARE(view.geometry().cell(), cell);
    QCOMPARE(heard.clicks, 0);  // a drag is not a click
    // A trembling hand still clicks.
    QTest::mousePress(&view, Qt::LeftButton, {}, from);
    QTest::mouseMove(&view, from + QPoint(2, 1));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, from + QPoint(2, 1));
    QCOMPARE(heard.clicks, 1);
  }

  // A camera that the user has moved stays through a resize; one that shows a level fills the new
  // size.
  void resizing() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const double before = view.geometry().cell();
    view.resize(1200, 1100);
    QVERIFY(view.geometry().cell() > before);
    test::wheelAt(view, {500, 500}, 2);
    const double chosen = view.geometry().cell();
    view.resize(900, 800);
    QCOMPARE(view.geometry().cell(), chosen);
  }

  void levels() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    double last = 0;
    for (const Level level : {Level::Grid, Level::Block, Level::Warp, Level::Thread}) {
      view.zoomTo(level, false);
      QVERIFY(view.geometry().cell() > last);
      last = view.geometry().cell();
    }
    view.zoomTo(Level::Warp, false);
    const QRectF warp = view.geometry().ofC(recording_->map.warps[0]);
    QVERIFY(QRectF(view.rect()).contains(warp));
    // The camera flies there and arrives.
    view.zoomTo(Level::Grid);
    QTRY_COMPARE(view.geometry().detail(), 0.0);
    view.zoomTo(Level::Warp);
    QTRY_VERIFY(
        (view.geometry().ofC(recording_->map.warps[0]).center() - warp.center()).manhattanLength() <
        0.01);
  }

  // A click that misses the words of the header does not choose the block behind it.
  void theHeaderChoosesNothing() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    view.zoomTo(Level::Warp, false);
    for (const int x : {300, 500, 780}) test::clickAt(view, QPointF(x, 4));
    QVERIFY(heard.blocks.empty());
    QCOMPARE(heard.clicks, 0);
  }

  // A mark points at what is on the picture at its level, or at nothing.
  void marksFollowTheLevel() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const auto place = [&view](MarkTarget::Thing thing, std::uint32_t number) {
      MarkTarget target;
      target.thing = thing;
      target.number = number;
      return view.placeOf(target);
    };
    using Thing = MarkTarget::Thing;
    view.zoomTo(Level::Block, false);
    QVERIFY(place(Thing::Block, 0) && place(Thing::Warp, 0) && place(Thing::Lane, 5));
    view.zoomTo(Level::Grid, false);
    QVERIFY(place(Thing::Block, 0));
    QVERIFY(!place(Thing::Warp, 0) && !place(Thing::Lane, 5));
    view.zoomTo(Level::Thread, false);
    QVERIFY(!place(Thing::Block, 0));
    QVERIFY(!place(Thing::Warp, 0));
    const std::uint32_t shown = scene_.selection.thread.value_or(0) % emulator::kWarpSize;
    QVERIFY(place(Thing::Lane, shown));
    QVERIFY(!place(Thing::Lane, shown + 1));
  }

  void doubleClickGoesInAndOut() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    const double block = view.geometry().cell();
    const auto doubleClick = [&view] {
      QTest::mouseClick(&view, Qt::LeftButton, {}, {430, 290});
      QTest::mouseDClick(&view, Qt::LeftButton, {}, {430, 290});
      QTest::mouseRelease(&view, Qt::LeftButton, {}, {430, 290});
    };
    doubleClick();
    QTRY_VERIFY(view.geometry().cell() > 1.4 * block);
    QTest::qWait(400);  // let the flight arrive: its end is not announced
    doubleClick();
    QTRY_VERIFY(std::abs(view.geometry().cell() - block) < 1e-9);
    // Two clicks on one place hold and release the selection.
    QCOMPARE(heard.clicks, 4);
  }

  // Where the slabs cross after zooming in, a pixel finds the one that is painted on top.
  void crossingSlabs() {
    LoomView view;
    Heard heard;
    QVERIFY(open(view, heard));
    view.zoomTo(Level::Thread, false);
    // Into the block, so that both slabs cross the corner.
    test::wheelAt(view,
                  view.geometry().toPixel({static_cast<double>(recording_->map.c.column),
                                           static_cast<double>(recording_->map.c.row)}),
                  3);
    QTest::mousePress(&view, Qt::LeftButton, {}, {700, 600});
    QTest::mouseMove(&view, {300, 250});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {300, 250});
    const QRectF crossing = view.geometry().slabA() & view.geometry().slabB();
    QVERIFY2(crossing.width() > 20 && crossing.height() > 20, "the slabs should cross here");
    test::hoverAt(view, crossing.center());
    QVERIFY(heard.hovered.element.has_value());
    // Hues distinguish the slabs: count the pixels of each at the crossing.
    const QImage picture = view.grab(crossing.toAlignedRect().adjusted(3, 3, -3, -3)).toImage();
    const Theme theme = Theme::of(view.palette());
    const auto near = [](const QColor& x, const QColor& hue) {
      const int apart = std::abs(x.hsvHue() - hue.hsvHue());
      return x.hsvSaturation() > 60 && std::min(apart, 360 - apart) < 15;
    };
    int likeA = 0, likeB = 0;
    for (int y = 0; y < picture.height(); ++y) {
      for (int x = 0; x < picture.width(); ++x) {
        const QColor c = picture.pixelColor(x, y);
        if (near(c, theme.matrix(Matrix::A))) ++likeA;
        if (near(c, theme.matrix(Matrix::B))) ++likeB;
      }
    }
    QVERIFY(likeA + likeB > 50);
    QCOMPARE(heard.hovered.element->matrix == Matrix::A, likeA > likeB);
  }

  void nothingRecordedYet() {
    LoomView view;
    QVERIFY(test::shown(view, {800, 700}));
    Heard heard;
    connect(&view, &LoomView::clicked, &view, [&heard](const Selection&) { ++heard.clicks; });
    test::hoverAt(view, {400, 300});
    test::clickAt(view, {400, 300});
    test::wheelAt(view, {400, 300}, 3);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {400, 300});
    view.zoomTo(Level::Warp);
    QCOMPARE(heard.clicks, 0);
    QVERIFY(!view.grab().isNull());
    view.setScene(scene_);
    QVERIFY(view.geometry().block().width() > 100);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::LoomViewTest, Widgets)
#include "loom_view_test.moc"
