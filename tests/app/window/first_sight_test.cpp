// SPDX-License-Identifier: GPL-3.0-or-later
// What a person sees first: the loom in large, weaving, with labels that go away for good.
#include "app/window/first_sight.h"

#include "app/window/settings.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_hints.h"

namespace tileloom {

using test::OpenWindow;

class FirstSightTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  void onceOnly() {
    QVERIFY(isFirstSight(Settings()));
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    auto* loom = w.window.view<LoomView>();
    QVERIFY(loom->hinted());
    QVERIFY(w.window.folded());
    const std::uint32_t opened = openingIndex(w.recording());
    QVERIFY(opened > 0);
    QCOMPARE(w.scene().moment.index, opened);
    QVERIFY(w.explorer().playing());
    QTRY_VERIFY(w.scene().moment.index > opened);  // the labels do not stop it
    QVERIFY(loom->hinted() && isFirstSight(Settings()));
    w.key(Qt::Key_Space);
    QVERIFY(!loom->hinted());
    QVERIFY(!isFirstSight(Settings()));
    // Whoever wants them back asks for them.
    w.key(Qt::Key_F1);
    QVERIFY(loom->hinted());
    QTest::mouseClick(loom, Qt::LeftButton, {}, loom->rect().center());
    QVERIFY(!loom->hinted());
  }

  // With a page below the loom there is no room beside it.
  void aPageTakesTheirRoom() {
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QVERIFY(w.window.view<LoomView>()->hinted());
    w.window.showPage("race");
    QVERIFY(!w.window.view<LoomView>()->hinted());
    QVERIFY(!isFirstSight(Settings()));
  }

  // The labels stand in the picture, side by side, at every size that the loom may have.
  void labelsHaveRoom_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1000, 900), QSize(1300, 840), QSize(1300, 900), QSize(1340, 860),
                             QSize(760, 620), QSize(300, 220)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }
  void labelsHaveRoom() {
    QFETCH(QSize, size);
    for (const Stage& stage : stages()) {
      const auto r = test::recorded({.stage = stage.id, .problem = {512, 512, 512}});
      const Scene scene = makeScene(r, 0, 0);
      const Fonts fonts = Fonts::of(QApplication::font());
      const LoomFrame frame = LoomFrame::of(QRectF({}, size), fonts, loomAspect(scene));
      const LoomInput input = loomInput(scene, 2, frame.viewport, fonts);
      const auto hints =
          loomHints(scene, LoomGeometry(input, LoomGeometry::fitBlock(input)), frame.side, fonts);
      if (size.width() >= 1000) QVERIFY2(hints.size() == 3, stage.id.data());
      for (std::size_t i = 0; i < hints.size(); ++i) {
        QVERIFY(frame.viewport.contains(hints[i].box) || frame.side.contains(hints[i].box));
        for (std::size_t j = 0; j < i; ++j) QVERIFY(!hints[i].box.intersects(hints[j].box));
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FirstSightTest, Window)
#include "first_sight_test.moc"
