// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/page_tabs.h"

#include <QAccessible>
#include <QAction>
#include <QContextMenuEvent>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QtTest>
#include <memory>
#include <vector>

#include "tests/support/pointer.h"
#include "tests/support/test_class.h"

namespace tileloom {

// Three groups of two to four pages with invented names. Widths are asked of the bars, not guessed:
// fonts differ.
class PageTabsTest : public QObject {
  Q_OBJECT

  struct Window {
    Window() {
      tabs.setDocumentMode(true);
      fill("Fruit", {"Apple", "Banana", "Cherry"});
      fill("Animal", {"Bear", "Cat", "Dog", "Elephant"});
      fill("Colour", {"Red", "Green"});
      tabs.resize(2000, 200);
      tabs.show();
    }
    void fill(const QString& title, const QStringList& pages) {
      tabs.addGroup(title, title + "s of all kinds");
      for (const QString& page : pages) {
        auto* show = new QAction("Show " + page, &tabs);
        show->setShortcut(QKeySequence(page.left(1)));
        const int at = tabs.count();
        QObject::connect(show, &QAction::triggered, &tabs,
                         [this, at] { tabs.setCurrentIndex(at); });
        tabs.addPage(new QLabel(page), page, "About " + page, *show);
      }
    }
    PageTabBar& bar() { return tabs.bar(); }
    GroupTabBar& groups() { return tabs.groupBar(); }
    // The texts of the tabs of a bar from left to right.
    static QStringList shown(const QTabBar& bar) {
      QStringList texts;
      for (int tab = 0; tab < bar.count(); ++tab) {
        if (bar.isTabVisible(tab)) texts += bar.tabText(tab);
      }
      return texts;
    }
    static int named(const QTabBar& bar, const QString& text) {
      for (int tab = 0; tab < bar.count(); ++tab) {
        if (bar.isTabVisible(tab) && bar.tabText(tab) == text) return tab;
      }
      return -1;
    }
    static void click(QTabBar& bar, const QString& text) {
      test::clickAt(bar, bar.tabRect(named(bar, text)).center() - QPoint(5, 0));
    }
    static QStringList offered(FoldingTabBar& bar) {
      QStringList names;
      for (const QAction* action : bar.menu().actions()) names += action->text();
      return names;
    }
    QString page() { return static_cast<QLabel*>(tabs.currentWidget())->text(); }
    // The widest window in which the bar of pages, or that of groups, is folded.
    void narrow(const FoldingTabBar& until) {
      for (int width = tabs.width(); width > 0 && !until.folded(); --width) tabs.resize(width, 200);
    }

    PageTabs tabs;
  };

  static inline const QStringList kGroups{"Fruit", "Animal", "Colour"};

 private slots:
  void groupsStandBesideThePagesOfOne() {
    Window w;
    QCOMPARE(w.shown(w.groups()), kGroups);
    QCOMPARE(w.shown(w.bar()), (QStringList{"Apple", "Banana", "Cherry"}));
    QVERIFY(!w.bar().folded() && !w.groups().folded());
    const int end = w.groups().mapTo(&w.tabs, QPoint(w.groups().width(), 0)).x();
    QVERIFY(w.bar().mapTo(&w.tabs, QPoint(0, 0)).x() >= end);
    QCOMPARE(w.bar().accessibleTabName(0), QString());
  }

  // A group shows its page that was last in front.
  void aClickShowsTheLatestPage() {
    Window w;
    w.click(w.groups(), "Animal");
    QCOMPARE(w.page(), QString("Bear"));
    QCOMPARE(w.shown(w.bar()), (QStringList{"Bear", "Cat", "Dog", "Elephant"}));
    w.click(w.bar(), "Dog");
    QCOMPARE(w.page(), QString("Dog"));
    w.click(w.groups(), "Colour");
    QCOMPARE(w.page(), QString("Red"));
    w.click(w.groups(), "Animal");
    QCOMPARE(w.page(), QString("Dog"));
    // Showing a page changes the group, too.
    w.tabs.setCurrentIndex(8);
    QCOMPARE(w.groups().currentIndex(), 2);
    QCOMPARE(w.shown(w.bar()), (QStringList{"Red", "Green"}));
  }

  void aGroupThatIsClickedSaysSo() {
    Window w;
    QSignalSpy clicked(&w.tabs, &PageTabs::groupClicked);
    w.click(w.groups(), "Fruit");
    w.click(w.groups(), "Colour");
    QCOMPARE(clicked.size(), 2);
  }

  // At each width: each group's tab keeps its place on every page, and the pages begin at one
  // place.
  void placesAreKept() {
    Window w;
    bool pages = false, groups = false;
    for (int width = 700; width > 60; width -= 7) {
      w.tabs.resize(width, 200);
      std::vector<QRect> places;
      for (int page = 0; page < w.tabs.count(); ++page) {
        w.tabs.setCurrentIndex(page);
        pages = pages || w.bar().folded();
        groups = groups || w.groups().folded();
        std::vector<QRect> now{w.bar().geometry()};
        for (int group = 0; group < 3; ++group) {
          if (!w.groups().folded()) now.push_back(w.groups().tabRect(group));
        }
        if (w.groups().folded()) now.push_back(w.groups().tabRect(w.groups().currentIndex()));
        now.front() = QRect(now.front().left(), 0, 0, 0);
        if (places.empty()) places = now;
        QVERIFY2(now == places, qPrintable(QString("page %1 at %2").arg(page).arg(width)));
      }
    }
    QVERIFY(pages && groups);
  }

  void foldedPagesAreListed() {
    Window w;
    w.tabs.setCurrentIndex(4);
    w.narrow(w.bar());
    QVERIFY(!w.groups().folded());
    QCOMPARE(w.shown(w.bar()), QStringList{"Cat"});
    w.click(w.bar(), "Cat");
    QVERIFY(w.bar().menu().isVisible());
    QCOMPARE(w.offered(w.bar()),
             (QStringList{"Show Bear", "Show Cat", "Show Dog", "Show Elephant"}));
    QCOMPARE(w.bar().menu().activeAction()->text(), QString("Show Cat"));
    w.bar().menu().actions()[2]->trigger();
    w.bar().menu().close();
    QCOMPARE(w.page(), QString("Dog"));
    QCOMPARE(w.shown(w.bar()), QStringList{"Dog"});
    QCOMPARE(w.bar().accessibleTabName(5), QString("Dog, one of 4 pages"));
  }

  void foldedGroupsAreListed() {
    Window w;
    w.tabs.setCurrentIndex(4);
    w.narrow(w.groups());
    QCOMPARE(w.shown(w.groups()), QStringList{"Animal"});
    w.click(w.groups(), "Animal");
    QCOMPARE(
        w.offered(w.groups()),
        (QStringList{"Fruit", "Show Apple", "Show Banana", "Show Cherry", "Animal", "Show Bear",
                     "Show Cat", "Show Dog", "Show Elephant", "Colour", "Show Red", "Show Green"}));
    for (QAction* action : w.groups().menu().actions()) {
      if (action->text() == "Show Green") action->trigger();
    }
    w.groups().menu().close();
    QCOMPARE(w.page(), QString("Green"));
    QCOMPARE(w.shown(w.groups()), QStringList{"Colour"});
  }

  // The right button also opens a menu: of a group its pages, of a page all of them.
  void theRightButtonLists() {
    Window w;
    const auto right = [&w](FoldingTabBar& bar, int tab) {
      const QPoint at = bar.tabRect(tab).center();
      QTest::mouseClick(&bar, Qt::RightButton, {}, at);
      QContextMenuEvent event(QContextMenuEvent::Mouse, at, bar.mapToGlobal(at));
      QApplication::sendEvent(&bar, &event);
      const QStringList offered = w.offered(bar);
      bar.menu().close();
      return offered;
    };
    QSignalSpy clicked(&w.tabs, &QTabWidget::tabBarClicked);
    QCOMPARE(right(w.groups(), 2), (QStringList{"Show Red", "Show Green"}));
    QCOMPARE(right(w.bar(), 1).size(), 12);
    QVERIFY(w.bar().menu().actions().front()->isSeparator());
    QCOMPARE(clicked.size(), 0);
    QCOMPARE(w.page(), QString("Apple"));
  }

  void keys() {
    Window w;
    w.tabs.setCurrentIndex(6);
    w.bar().setFocus();
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Dog"));
    QTest::keyClick(&w.bar(), Qt::Key_Right);
    QCOMPARE(w.page(), QString("Elephant"));
    QTest::keyClick(&w.bar(), Qt::Key_Right);  // on to the next group
    QCOMPARE(w.page(), QString("Red"));
    w.groups().setFocus();
    QTest::keyClick(&w.groups(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Elephant"));
    QTest::keyClick(&w.groups(), Qt::Key_Right);
    QCOMPARE(w.page(), QString("Red"));
    w.bar().setFocus();
    QTest::keyClick(&w.bar(), Qt::Key_Down);
    QVERIFY(w.bar().menu().isVisible());
    QCOMPARE(w.bar().menu().activeAction()->text(), QString("Show Red"));
    QTest::keyClick(&w.bar().menu(), Qt::Key_Down);
    QTest::keyClick(&w.bar().menu(), Qt::Key_Return);
    QCOMPARE(w.page(), QString("Green"));
    // One tab alone: its hidden neighbours are the next ones.
    w.tabs.resize(10, 200);
    QCOMPARE(w.shown(w.bar()), QStringList{"Green"});
    QTest::keyClick(&w.bar(), Qt::Key_Right);
    QCOMPARE(w.page(), QString("Green"));
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Elephant"));
    QCOMPARE(w.shown(w.bar()), QStringList{"Elephant"});
    w.groups().setFocus();
    QTest::keyClick(&w.groups(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Apple"));
    QCOMPARE(w.shown(w.groups()), QStringList{"Fruit"});
  }

  void largerLettersFold() {
    Window w;
    w.tabs.resize(w.groups().allWidth() + w.bar().widthOf(w.bar().groups()[0]), 200);
    QVERIFY(!w.bar().folded());
    QFont large = w.tabs.font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    w.tabs.setFont(large);
    QVERIFY(w.bar().folded());
  }

  // A group is grey when all its pages are empty.
  void emptyPagesAreGrey() {
    Window w;
    const QColor usual = w.groups().tabTextColor(2);
    w.bar().setEmpty(7, "No red.");
    QVERIFY(w.bar().tabToolTip(7).contains("Nothing to show here: No red."));
    QVERIFY(w.bar().tabTextColor(7) != w.bar().tabTextColor(8));
    QCOMPARE(w.groups().tabTextColor(2), usual);
    w.bar().setEmpty(8, "No green.");
    QVERIFY(w.groups().tabTextColor(2) != usual);
    w.bar().setEmpty(7, {});
    QCOMPARE(w.groups().tabTextColor(2), usual);
  }

  void tipsAndNames() {
    Window w;
    QCOMPARE(w.bar().tabToolTip(1), QString("About Banana (B)"));
    const QString tip = w.groups().tabToolTip(2);
    for (const char* part : {"Colours of all kinds", "Red (R), Green (G)"})
      QVERIFY2(tip.contains(part), qPrintable(tip));
    QCOMPARE(w.groups().accessibleTabName(2), QString("Colour, 2 pages"));
    // A changed key is shown at once.
    for (QAction* action : w.tabs.findChildren<QAction*>()) {
      if (action->text() == "Show Red") action->setShortcut(QKeySequence("Ctrl+9"));
    }
    QVERIFY(w.groups().tabToolTip(2).contains("Red (Ctrl+9)"));
    QVERIFY(w.bar().tabToolTip(7).contains("(Ctrl+9)"));
  }

  // The texts of the bars for screen readers.
  void screenReadersHearTheName() {
    Window w;
    QAccessibleInterface* bar = QAccessible::queryAccessibleInterface(&w.groups());
    QVERIFY(bar != nullptr);
    QStringList names;
    for (int i = 0; i < bar->childCount(); ++i) {
      if (QAccessibleInterface* child = bar->child(i)) names += child->text(QAccessible::Name);
    }
    QVERIFY2(names.contains("Colour, 2 pages"), qPrintable(names.join("; ")));
  }

  void rightToLeft() {
    Window w;
    w.tabs.setLayoutDirection(Qt::RightToLeft);
    QCoreApplication::processEvents();
    QVERIFY(w.groups().mapTo(&w.tabs, QPoint(0, 0)).x() > w.bar().mapTo(&w.tabs, QPoint(0, 0)).x());
    w.click(w.groups(), "Animal");
    w.click(w.bar(), "Dog");
    w.bar().setFocus();
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Elephant"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PageTabsTest, Window)
#include "page_tabs_test.moc"
