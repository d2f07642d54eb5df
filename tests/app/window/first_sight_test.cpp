// SPDX-License-Identifier: GPL-3.0-or-later
// The first start, shown only once: three matrices, not moving, with notes and three buttons.
#include "app/window/first_sight.h"

#include <QPushButton>

#include "app/window/common/settings.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/lecture/mark_places.h"
#include "app/window/welcome_bar.h"
#include "kernels/tile/placement.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/lecture/marks_layer.h"
#include "viz/loom/loom_hints.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

using test::OpenWindow;

class FirstSightTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  static WelcomeBar* bar(OpenWindow& w) { return w.window.findChild<WelcomeBar*>(); }
  static void press(OpenWindow& w, const char* button) {
    auto* found = w.window.findChild<QPushButton*>(QLatin1String(button));
    QVERIFY2(found != nullptr && found->isVisible(), button);
    found->click();
  }
  static bool areasShown(OpenWindow& w) {
    return w.window.layouts().panelShown(SidePanel::Ladder) &&
           w.window.layouts().panelShown(SidePanel::Tile) && !w.window.middle().folded() &&
           w.window.view<PageTabs>()->isVisible() && w.window.middle().timeShown();
  }

  // Nothing moves, and nothing but the three matrices is shown.
  void stillAndSimple() {
    QVERIFY(isFirstSight(Settings()));
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QVERIFY(w.settled());
    const auto* loom = w.window.view<LoomView>();
    QVERIFY(loom->hinted() && loom->hintsWithoutRoom().isEmpty());
    QCOMPARE(loom->level(), LoomLevel::Grid);
    QVERIFY(!areasShown(w) && w.window.view<PageTabs>()->isHidden());
    QTRY_COMPARE(w.scene().moment.index, std::uint32_t{0});
    QTest::qWait(300);
    QVERIFY(!w.explorer().playing());
    QCOMPARE(w.scene().moment.index, std::uint32_t{0});
    QVERIFY(isFirstSight(Settings()));
  }

  // "Look at a kernel": all areas with their names, until they are read.
  void lookAtAKernel() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(!inFirstSight(w.window));
    beginFirstSight(w.window);
    QVERIFY(inFirstSight(w.window));
    press(w, "welcomeKernel");
    QVERIFY(!inFirstSight(w.window));
    QVERIFY(w.settled());
    QVERIFY(areasShown(w) && !isFirstSight(Settings()));
    QVERIFY(!w.window.view<LoomView>()->hinted());
    const auto* marks = w.window.findChild<MarksLayer*>();
    QCOMPARE(marks->marks().size(), std::size(kAreas));
    for (const Mark& mark : marks->marks()) {
      const auto place = placeOf(w.window, mark.target);
      QVERIFY2(place && place->width() > 100 && place->height() > 80, mark.text.c_str());
    }
    press(w, "welcomeDone");
    QVERIFY(marks->marks().empty());
    QTRY_VERIFY(bar(w) == nullptr);
    QVERIFY(areasShown(w));
  }

  // The tour, by the space bar; afterwards all areas are visible.
  void takeTheTour() {
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QTest::keyClick(w.window.focusWidget(), Qt::Key_Space);
    QVERIFY(w.window.lecture().active() && !isFirstSight(Settings()));
    QTRY_VERIFY(bar(w) == nullptr);
    QVERIFY(!w.window.view<LoomView>()->hinted());
    w.window.lecture().close();
    QVERIFY(areasShown(w));
  }

  // A lecture opened by the menu also ends the welcome.
  void anyLectureEndsIt() {
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QVERIFY(w.window.lecture().openNamed(QStringLiteral("bank-conflicts")).isEmpty());
    QTRY_VERIFY(bar(w) == nullptr);
    QVERIFY(!w.window.view<LoomView>()->hinted());
    QVERIFY(!w.window.findChild<MarksLayer*>()->marks().empty() || !w.window.lecture().settled());
  }

  // The key of a page shows it, and a lecture has its pages.
  void pagesComeWhenAskedFor() {
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    w.key(Qt::Key_T);
    QVERIFY(w.window.view<PageTabs>()->isVisible());
    QVERIFY(!w.window.view<LoomView>()->hinted());
  }
  void aLectureHasItsPages() {
    OpenWindow w;
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QVERIFY(w.window.lecture().openNamed(QStringLiteral("bank-conflicts")).isEmpty());
    QVERIFY(w.window.view<PageTabs>()->isVisible() && w.window.middle().lower() > 0);
    w.window.lecture().close();
    QVERIFY(w.window.view<PageTabs>()->isVisible());
  }

  // The notes can be shown again.
  void notesComeBack() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_F1);
    auto* loom = w.window.view<LoomView>();
    QVERIFY(loom->hinted() || !loom->hintsWithoutRoom().isEmpty());
    QTest::mouseClick(loom, Qt::LeftButton, {}, loom->rect().center());
    QVERIFY(!loom->hinted());
  }

  // If the loom has no room for the notes, the bar has them.
  void aSmallWindowHasTheNotes() {
    OpenWindow w({960, 640});
    QVERIFY(w.ready());
    beginFirstSight(w.window);
    QVERIFY(w.settled());
    const auto* notes = w.window.findChild<QLabel*>(QStringLiteral("welcomeNotes"));
    QVERIFY(notes != nullptr);
    QTRY_VERIFY(notes->isVisible());
    for (const char* title : {"A and B are multiplied", "One block", "C consists"})
      QVERIFY2(notes->text().contains(QLatin1String(title)), title);
    w.window.resize(1600, 1000);
    QTRY_VERIFY(!notes->isVisible());
  }

  static bool crosses(const QLineF& line, const QRectF& box) {
    for (int i = 1; i < 100; ++i)
      if (box.contains(line.pointAt(i / 100.0))) return true;
    return false;
  }

  // At every size and of every rung all notes are shown or none; none covers another, or the
  // picture.
  void notesCoverNothing_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 560), QSize(1366, 600), QSize(1300, 840), QSize(1920, 860),
                             QSize(760, 620), QSize(300, 220)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }
  void notesCoverNothing() {
    QFETCH(QSize, size);
    for (const Stage* stage : everyStage()) {
      const auto r = test::recorded({.stage = stage->id, .problem = {512, 512, 512}});
      const Scene scene = makeScene(r, 0, 0);
      const Fonts fonts = Fonts::of(QApplication::font());
      const LoomFrame frame = LoomFrame::of(QRectF({}, size), fonts, loomAspect(scene));
      const LoomInput input = loomInput(scene, 2, frame.viewport, fonts);
      for (const LoomLevel level : {LoomLevel::Grid, LoomLevel::Block}) {
        const LoomGeometry g(input, LoomGeometry::fit(input, level));
        const auto hints = loomHints(scene, g, frame, fonts);
        const bool needed = size.width() >= 1280 && level == LoomLevel::Grid;
        QVERIFY2(hints.size() == 3 || (hints.empty() && !needed), stage->id.data());
        for (std::size_t i = 0; i < hints.size(); ++i) {
          const QRectF& box = hints[i].box;
          QVERIFY(frame.viewport.contains(box) || frame.side.contains(box));
          for (const QRectF& drawn : level == LoomLevel::Grid
                                         ? std::vector{g.a(), g.b(), g.c()}
                                         : std::vector{g.allSlabsA(), g.allSlabsB(), g.block()})
            QVERIFY2(!box.intersects(drawn), qPrintable(hints[i].title));
          for (std::size_t j = 0; j < i; ++j) QVERIFY(!box.intersects(hints[j].box));
          // No line of another note crosses it.
          for (std::size_t j = 0; j < hints.size(); ++j) {
            for (const QPointF& target : hints[j].targets)
              QVERIFY2(j == i || !crosses(QLineF(hints[j].lineFrom(target), target), box),
                       qPrintable(QString("%1 %2").arg(hints[j].title, hints[i].title)));
          }
        }
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FirstSightTest, Window)
#include "first_sight_test.moc"
