// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts, panels, and links to a view.
#include <QClipboard>
#include <QMenu>
#include <QMenuBar>
#include <QSplitter>
#include <QTabWidget>
#include <QWindow>
#include <set>

#include "app/pages/page_groups.h"
#include "app/session/session_text.h"
#include "app/window/frame/page_tabs.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/code/source_strip.h"

namespace tileloom {

using test::OpenWindow;

class WindowLayoutTest : public QObject {
  Q_OBJECT

  static void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QTest::keyClick(QApplication::focusWidget(), key, modifiers);
  }

 private slots:
  void panelsComeAndGo() {
    OpenWindow w;
    QVERIFY(w.ready());
    const int before = w.window.view<LoomView>()->width();
    press(Qt::Key_F9);
    QVERIFY(!w.window.view<LadderList>()->isVisible());
    QVERIFY(!w.window.layouts().panelShown(SidePanel::Ladder));
    QTRY_VERIFY(w.window.view<LoomView>()->width() > before);
    press(Qt::Key_F10);
    QVERIFY(!w.window.view<ParameterPanel>()->isVisible());
    press(Qt::Key_F9);
    press(Qt::Key_F10);
    QVERIFY(w.window.view<LadderList>()->isVisible() &&
            w.window.view<ParameterPanel>()->isVisible());
  }

  void theThreeLayouts() {
    OpenWindow w;
    QVERIFY(w.ready());
    press(Qt::Key_3, Qt::ControlModifier);
    QVERIFY(!w.window.view<LadderList>()->isVisible() &&
            !w.window.view<ParameterPanel>()->isVisible());
    QCOMPARE(w.window.currentPage(), std::string_view("banks"));
    press(Qt::Key_2, Qt::ControlModifier);
    QVERIFY(w.window.view<LadderList>()->isVisible() &&
            w.window.view<ParameterPanel>()->isVisible());
    QCOMPARE(w.window.currentPage(), std::string_view("charts"));
    const int measuring = w.window.view<LoomView>()->height();
    press(Qt::Key_1, Qt::ControlModifier);
    QCOMPARE(w.window.currentPage(), std::string_view("banks"));
    QTRY_VERIFY(w.window.view<LoomView>()->height() > measuring);
  }

  // In a laptop's window each group has its tab, and the pages of the group in front have theirs.
  void tabsOfALaptop_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 720), QSize(1366, 768), QSize(1920, 1080)})
      QTest::addRow("%d", size.width()) << size;
  }
  void tabsOfALaptop() {
    QFETCH(QSize, size);
    OpenWindow w(size);
    QVERIFY(w.ready());
    PageTabs& tabs = *w.window.view<PageTabs>();
    QCOMPARE(tabs.bar().font(), w.window.font());
    for (const PageGroup& group : pageGroups()) {
      for (const PageRow* row : group.pages) {
        w.window.showPage(row->id);
        QVERIFY2(!tabs.groupBar().folded() && !tabs.bar().folded(), row->id);
        QCOMPARE(tabs.groupBar().tabText(tabs.groupBar().currentIndex()), group.title);
        for (const PageRow* other : group.pages) {
          const int tab = tabs.indexOf(w.window.page(other->id)->widget());
          QVERIFY2(tabs.bar().isTabVisible(tab), other->id);
          QCOMPARE(tabs.bar().tabText(tab), pageTitle(*other));
        }
      }
    }
  }

  // The window and its text become larger and smaller: the current tab is completely visible, and
  // each other page takes one click, or two.
  void everyPageIsWithinReach_data() {
    QTest::addColumn<int>("percent");
    for (const int percent : {100, 150, 300}) QTest::addRow("%d percent", percent) << percent;
  }
  void everyPageIsWithinReach() {
    QFETCH(int, percent);
    OpenWindow w({1024, 640});
    QVERIFY(w.ready());
    PageTabs& tabs = *w.window.view<PageTabs>();
    PageTabBar& bar = tabs.bar();
    w.window.sight().setTextSize(percent);
    w.window.setUpdatesEnabled(false);  // only positions are checked, not pictures
    for (const int width : {1024, 1280, 1920, 3840, 1024}) {
      w.window.resize(width, width * 10 / 16);
      QCoreApplication::processEvents();
      QVERIFY(w.window.width() >= width);  // pages may need more
      for (const std::string_view id : kTabIds) {
        w.window.showPage(id);
        QCoreApplication::processEvents();
        QCOMPARE(w.window.currentPage(), id);
        const int front = tabs.currentIndex();
        const QRect place = bar.tabRect(front);
        QVERIFY2(bar.isTabVisible(front) && bar.rect().contains(place),
                 qPrintable(QString("%1 at %2").arg(bar.tabText(front)).arg(width)));
        std::set<QString> reached;
        const auto list = [&reached](FoldingTabBar& of, int tab) {
          of.openMenu(tab);
          QVERIFY(of.menu().isVisible());
          for (const QAction* action : of.menu().actions()) {
            for (const PageRow* row : pageRows()) {
              if (action->text() == QString::fromUtf8(row->menu)) reached.insert(pageTitle(*row));
            }
          }
          of.menu().close();
        };
        GroupTabBar& groups = tabs.groupBar();
        for (int tab = 0; tab < groups.count(); ++tab) {
          if (!groups.isTabVisible(tab)) continue;
          QVERIFY(groups.tabRect(tab).right() < groups.width());
          list(groups, tab);
        }
        QCOMPARE(reached.size(), kTabIds.size());
        QCOMPARE(tabs.currentIndex(), front);
      }
    }
    w.window.sight().setTextSize(100);
  }

  // A group leads to its page that was last in front, and opens the folded half; a session brings
  // its page back, however narrow the window is.
  void aGroupRemembers() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    PageTabs& tabs = *w.window.view<PageTabs>();
    w.key(Qt::Key_O);
    QCOMPARE(w.window.currentPage(), std::string_view("waits"));
    const Session kept = w.window.session();
    const int time = tabs.groupBar().currentIndex();
    for (const char* id : {"source", "tuning", "ladder"}) w.window.showPage(id);
    w.window.middle().setFolded(true);
    test::clickAt(tabs.groupBar(), tabs.groupBar().tabRect(time).center());
    QCOMPARE(w.window.currentPage(), std::string_view("waits"));
    QVERIFY(!w.window.middle().folded());
    w.window.resize(960, 640);
    w.window.showPage("roofline");
    w.window.restore(kept);
    QCOMPARE(w.window.currentPage(), std::string_view("waits"));
    QVERIFY(tabs.bar().isTabVisible(tabs.currentIndex()));
  }

  void theLowerHalfFolds() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* tabs = w.window.findChild<QTabWidget*>();
    const int before = w.window.view<LoomView>()->height(), lower = w.window.middle().lower();
    QVERIFY(lower > 0);
    press(Qt::Key_F8);
    QVERIFY(w.window.middle().folded());
    QCOMPARE(w.window.middle().lower(), 0);
    QCOMPARE(w.window.session().lower, 0);
    QTRY_VERIFY(w.window.view<LoomView>()->height() > before + 200);
    QVERIFY(tabs->tabBar()->isVisible());
    press(Qt::Key_F8);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.view<LoomView>()->height(), before, test::kPatience);
    QCOMPARE(w.window.middle().lower(), lower);
    // A click on the tab in front folds, one on another opens what it names.
    const auto click = [tabs](int tab) {
      QTest::mouseClick(tabs->tabBar(), Qt::LeftButton, {}, tabs->tabBar()->tabRect(tab).center());
    };
    click(tabs->currentIndex());
    QVERIFY(w.window.middle().folded());
    click(2);
    QVERIFY(!w.window.middle().folded());
    QCOMPARE(tabs->currentIndex(), 2);
    click(2);
    QVERIFY(w.window.middle().folded());
    w.window.showPage("charts");  // as its key does
    QVERIFY(!w.window.middle().folded());
  }

  void theLoomAlone() {
    OpenWindow w;
    QVERIFY(w.ready());
    const QSize before = w.window.view<LoomView>()->size();
    press(Qt::Key_F9);  // was left out before, and stays so
    press(Qt::Key_F11);
    QVERIFY(w.window.layouts().alone());
    QVERIFY(w.window.isFullScreen());
    QVERIFY(!w.window.menuBar()->isVisible() && !w.window.view<ParameterPanel>()->isVisible());
    QVERIFY(!w.window.findChild<QTabWidget*>()->isVisible());
    QTRY_COMPARE_WITH_TIMEOUT(w.window.view<LoomView>()->width(), w.window.width(),
                              test::kPatience);
    // Keys still work without the menus that they belong to.
    const auto index = w.scene().moment.index;
    press(Qt::Key_Right);
    QCOMPARE(w.scene().moment.index, index + 1);
    press(Qt::Key_Escape);
    QVERIFY(!w.window.layouts().alone() && !w.window.isFullScreen());
    QVERIFY(!w.window.view<LadderList>()->isVisible() &&
            w.window.view<ParameterPanel>()->isVisible());
    press(Qt::Key_F9);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.view<LoomView>()->height(), before.height(),
                              test::kPatience);
  }

  // Repeatedly, at every height of the screen, and a session saved in between has it.
  void theLowerHalfComesBackFromAlone() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.middle().setLower(45);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.middle().lower(), 45, test::kPatience);
    const int before = w.window.view<LoomView>()->height();
    for (int time = 0; time < 3; ++time) {
      press(Qt::Key_F11);
      QVERIFY(w.window.layouts().alone());
      QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), w.window.screen()->size(), test::kPatience);
      QCOMPARE(w.window.session().lower, 45);
      press(Qt::Key_Escape);
      QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), QSize(1600, 1000), test::kPatience);
      QTRY_COMPARE_WITH_TIMEOUT(w.window.view<LoomView>()->height(), before, test::kPatience);
      QCOMPARE(w.window.middle().lower(), 45);
    }
  }

  // A window that had to grow in full screen on a small screen still leaves full screen.
  void aWindowThatGrewLeavesTheScreen() {
    OpenWindow w;
    QVERIFY(w.ready());
    press(Qt::Key_F11);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), w.window.screen()->size(), test::kPatience);
    w.window.resize(w.window.width() + 160, w.window.height());
    press(Qt::Key_Escape);
    QVERIFY(!w.window.windowHandle()->windowStates().testFlag(Qt::WindowFullScreen));
    QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), QSize(1600, 1000), test::kPatience);
    press(Qt::Key_F11);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), w.window.screen()->size(), test::kPatience);
  }

  // Requests made while the loom is alone apply when the other parts return: another height,
  // another tab, and a lower half that was folded before.
  void choicesWhileAloneHold() {
    OpenWindow w;
    QVERIFY(w.ready());
    press(Qt::Key_F8);
    press(Qt::Key_F11);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), w.window.screen()->size(), test::kPatience);
    w.window.showPage("source");  // unfolds
    QVERIFY(!w.window.middle().folded());
    w.window.middle().setLower(45);
    QCOMPARE(w.window.session().lower, 45);
    QVERIFY(!w.window.view<SourceStrip>()->isVisible());
    press(Qt::Key_Escape);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.size(), QSize(1600, 1000), test::kPatience);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.middle().lower(), 45, test::kPatience);
    QCOMPARE(w.window.currentPage(), std::string_view("source"));
  }

  void theLowerHalfIsKept() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.middle().setLower(52);
    QTRY_COMPARE_WITH_TIMEOUT(w.window.middle().lower(), 52, test::kPatience);
    OpenWindow other;
    QVERIFY(other.ready());
    QCOMPARE(other.window.sessions().open(w.window.link()), QString());
    QTRY_COMPARE_WITH_TIMEOUT(other.window.middle().lower(), 52, test::kPatience);
  }

  void reset() {
    OpenWindow w({1100, 700});
    QVERIFY(w.ready());
    press(Qt::Key_3, Qt::ControlModifier);
    w.window.sight().setTextSize(150);
    for (QAction* action : w.window.findChildren<QAction*>()) {
      if (action->text() == "&Reset") action->trigger();
    }
    QVERIFY(w.window.view<LadderList>()->isVisible() &&
            w.window.view<ParameterPanel>()->isVisible());
    QCOMPARE(w.window.size(), MainWindow::kUsualSize);
    QCOMPARE(w.window.session().text, 100);
  }

  void aLinkOpensTheView() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("blocktile2d")));
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::BK), 4);
    QVERIFY(w.settled());
    w.explorer().setIndex(33);
    w.window.layouts().showPanel(SidePanel::Ladder, false);
    w.window.view<LoomView>()->setFocus();
    press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
    const QString link = QApplication::clipboard()->text();
    const Session before = w.window.session();

    OpenWindow other;
    QVERIFY(other.ready());
    QCOMPARE(other.window.sessions().open(link), QString());
    QVERIFY(other.settled());
    QTRY_COMPARE_WITH_TIMEOUT(other.scene().moment.index, 33u, test::kPatience);
    QVERIFY(other.window.session() == before);
    QVERIFY(!other.window.view<LadderList>()->isVisible());
    // A link is not remembered as a recent file.
    QCOMPARE(other.window.windowTitle(), QString("Tileloom"));
  }

  void aBrokenLinkLosesNothing() {
    OpenWindow w;
    QVERIFY(w.ready());
    const Session before = w.window.session();
    QVERIFY(w.window.sessions().open("tileloom:nonsense").contains("copy the whole"));
    QVERIFY(w.window.session() == before);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowLayoutTest, Window)
#include "window_layout_test.moc"
