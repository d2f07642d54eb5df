// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_tabs.h"

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

// Three groups of two to four pages with invented names. Widths are asked of the bar, not guessed:
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
    // What is written on the tabs from left to right.
    QStringList shown() {
      QStringList texts;
      for (int tab = 0; tab < tabs.count(); ++tab) {
        if (bar().isTabVisible(tab)) texts += bar().tabText(tab);
      }
      return texts;
    }
    int named(const QString& text) {
      for (int tab = 0; tab < tabs.count(); ++tab) {
        if (bar().isTabVisible(tab) && bar().tabText(tab) == text) return tab;
      }
      return -1;
    }
    // The width of all tabs, which stand side by side.
    int taken() {
      int all = 0;
      for (int tab = 0; tab < tabs.count(); ++tab) {
        if (bar().isTabVisible(tab)) all += bar().tabRect(tab).width();
      }
      return all;
    }
    void click(const QString& text) {
      test::clickAt(bar(), bar().tabRect(named(text)).center() - QPoint(15, 0));
    }
    QStringList offered() {
      QStringList names;
      for (const QAction* action : bar().menu().actions()) names += action->text();
      return names;
    }
    QString page() { return static_cast<QLabel*>(tabs.currentWidget())->text(); }

    PageTabs tabs;
  };

  // The widest bar in which not all is as it is in this one, or wider.
  static void narrow(Window& w) { w.tabs.resize(w.taken() - 1, 200); }

 private slots:
  void allAreShownWhereTheyFit() {
    Window w;
    const QStringList all{"Apple", "Banana",   "Cherry", "Bear", "Cat",
                          "Dog",   "Elephant", "Red",    "Green"};
    QCOMPARE(w.shown(), all);
    for (int tab = 0; tab < 9; ++tab) {
      QVERIFY(!w.bar().folded(tab) && w.bar().arrow(tab).isEmpty());
      QCOMPARE(w.bar().accessibleTabName(tab), QString());
    }
    // To the pixel: one less folds the last group, one more opens it again.
    const int taken = w.taken();
    w.tabs.resize(taken, 200);
    QCOMPARE(w.shown(), all);
    w.tabs.resize(taken - 1, 200);
    QCOMPARE(w.shown(), (QStringList{"Apple", "Banana", "Cherry", "Bear", "Cat", "Dog", "Elephant",
                                     "Colour"}));
    w.tabs.resize(taken, 200);
    QCOMPARE(w.shown(), all);
  }

  // A gap parts the groups, and nothing else.
  void aGapPartsGroups() {
    Window w;
    const QImage picture = w.bar().grab().toImage();
    const auto ground = [&](int x) {
      const QColor empty = picture.pixelColor(picture.width() - 2, picture.height() / 2);
      return picture.pixelColor(x, picture.height() / 2) == empty;
    };
    for (int tab = 1; tab < 9; ++tab) {
      const int left = w.bar().tabRect(tab).left();
      QCOMPARE(ground(left + 2), tab == 3 || tab == 7);
    }
  }

  void aClickOpensAGroup() {
    Window w;
    narrow(w);
    w.click("Colour");
    QCOMPARE(w.page(), QString("Red"));
    QCOMPARE(w.shown().mid(w.shown().size() - 2), (QStringList{"Red", "Green"}));
    QVERIFY(w.named("Animal") >= 0 &&
            w.named("Apple") >= 0);  // was in front later than the animals
    QVERIFY(w.taken() <= w.bar().width());
    // Which page of the group was last in front is kept.
    w.click("Green");
    w.click("Animal");
    QCOMPARE(w.page(), QString("Bear"));
    w.click("Dog");
    w.tabs.resize(10, 200);
    w.tabs.setCurrentIndex(0);
    w.tabs.resize(2000, 200);
    narrow(w);
    w.click("Colour");
    QCOMPARE(w.page(), QString("Green"));
  }

  // A page that can be seen is chosen, and no tab moves.
  void nothingMovesUnderTheMouse() {
    Window w;
    narrow(w);
    const QStringList before = w.shown();
    for (const QString text : {"Dog", "Apple", "Elephant", "Cherry"}) {
      const QRect place = w.bar().tabRect(w.named(text));
      w.click(text);
      QCOMPARE(w.page(), text);
      QCOMPARE(w.shown(), before);
      QCOMPARE(w.bar().tabRect(w.tabs.currentIndex()), place);
    }
  }

  void theArrowListsThePages() {
    Window w;
    narrow(w);
    const int tab = w.named("Colour");
    const QRect arrow = w.bar().arrow(tab);
    QVERIFY(w.bar().folded(tab) && w.bar().tabRect(tab).contains(arrow));
    QVERIFY(arrow.width() < w.bar().tabRect(tab).width() / 2 + 20);
    QSignalSpy clicked(&w.tabs, &QTabWidget::tabBarClicked);
    test::clickAt(w.bar(), arrow.center());
    QVERIFY(w.bar().menu().isVisible());
    QCOMPARE(w.offered(), (QStringList{"Show Red", "Show Green"}));
    QCOMPARE(w.page(), QString("Apple"));  // nothing was shown yet
    QCOMPARE(clicked.size(), 0);
    w.bar().menu().actions()[1]->trigger();
    w.bar().menu().close();
    QCOMPARE(w.page(), QString("Green"));
    QVERIFY(w.named("Green") >= 0);
  }

  // The right button lists, too: of an open tab all pages, by group.
  void theRightButtonLists() {
    Window w;
    narrow(w);
    const auto right = [&w](int tab) {
      const QPoint at = w.bar().tabRect(tab).center();
      QTest::mouseClick(&w.bar(), Qt::RightButton, {}, at);
      QContextMenuEvent event(QContextMenuEvent::Mouse, at, w.bar().mapToGlobal(at));
      QApplication::sendEvent(&w.bar(), &event);
      const QStringList offered = w.offered();
      w.bar().menu().close();
      return offered;
    };
    QSignalSpy clicked(&w.tabs, &QTabWidget::tabBarClicked);
    QCOMPARE(right(w.named("Colour")), (QStringList{"Show Red", "Show Green"}));
    QCOMPARE(
        right(w.named("Cat")),
        (QStringList{"Fruit", "Show Apple", "Show Banana", "Show Cherry", "Animal", "Show Bear",
                     "Show Cat", "Show Dog", "Show Elephant", "Colour", "Show Red", "Show Green"}));
    QVERIFY(w.bar().menu().actions().front()->isSeparator());
    QCOMPARE(clicked.size(), 0);
    QCOMPARE(w.page(), QString("Apple"));
  }

  void keys() {
    Window w;
    narrow(w);
    w.tabs.setCurrentIndex(6);
    w.bar().setFocus();
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Dog"));
    QTest::keyClick(&w.bar(), Qt::Key_Right);
    QTest::keyClick(&w.bar(), Qt::Key_Right);  // onto a folded group, which opens
    QCOMPARE(w.page(), QString("Red"));
    QVERIFY(w.named("Green") >= 0);
    QTest::keyClick(&w.bar(), Qt::Key_Down);
    QVERIFY(w.bar().menu().isVisible());
    QCOMPARE(w.offered().size(), 12);
    QCOMPARE(w.bar().menu().activeAction()->text(), QString("Show Red"));
    QTest::keyClick(&w.bar().menu(), Qt::Key_Down);
    QTest::keyClick(&w.bar().menu(), Qt::Key_Return);
    QCOMPARE(w.page(), QString("Green"));
    // One tab alone: its hidden neighbours are the next ones.
    w.tabs.resize(10, 200);
    QCOMPARE(w.shown(), QStringList{"Green"});
    QTest::keyClick(&w.bar(), Qt::Key_Right);
    QCOMPARE(w.page(), QString("Green"));
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Elephant"));
    QCOMPARE(w.shown(), QStringList{"Elephant"});
  }

  // From all to one: the tab in front is always there and whole, and what folds can be opened.
  void everyWidth() {
    Window w;
    w.tabs.setCurrentIndex(4);
    bool more = false, one = false;
    for (int width = w.taken() + 5; width > 20; --width) {
      w.tabs.resize(width, 200);
      QVERIFY(w.bar().isTabVisible(4));
      QCOMPARE(w.page(), QString("Cat"));
      const QStringList shown = w.shown();
      QVERIFY(shown.contains("Cat"));
      one = one || shown.size() == 1;
      if (shown.size() == 1) continue;
      QVERIFY2(w.taken() <= w.bar().width(), qPrintable(QString::number(width)));
      QVERIFY(shown.contains("Elephant"));  // the whole group in front
      more = more || shown.contains("More");
      int pages = 0;
      for (int tab = 0; tab < 9; ++tab) {
        if (!w.bar().isTabVisible(tab)) continue;
        w.bar().openMenu(tab);
        pages += w.bar().folded(tab) ? static_cast<int>(w.offered().filter("Show").size()) : 1;
        w.bar().menu().close();
      }
      QCOMPARE(pages, 9);
    }
    QVERIFY(more && one);
    test::clickAt(w.bar(), w.bar().arrow(4).center());
    QCOMPARE(w.offered().filter("Show").size(), 9);
    w.bar().menu().close();
  }

  // "More" has no page of its own: a press anywhere lists.
  void moreListsItsGroups() {
    Window w;
    w.tabs.setCurrentIndex(4);
    for (int width = w.taken(); w.named("More") < 0 && width > 0; --width)
      w.tabs.resize(width, 200);
    const int more = w.named("More");
    QCOMPARE(w.bar().arrow(more), w.bar().tabRect(more));
    w.click("More");
    QVERIFY(w.bar().menu().isVisible());
    QCOMPARE(w.page(), QString("Cat"));
    QVERIFY(w.offered().contains("Show Green"));
    for (QAction* action : w.bar().menu().actions()) {
      if (action->text() == "Show Green") action->trigger();
    }
    w.bar().menu().close();
    QCOMPARE(w.page(), QString("Green"));
    QVERIFY(w.named("Green") >= 0);
  }

  void largerLettersFold() {
    Window w;
    w.tabs.resize(w.taken(), 200);
    QFont large = w.tabs.font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    w.tabs.setFont(large);
    QVERIFY(w.shown().size() < 9 && w.named("Apple") >= 0);
    QVERIFY(w.taken() <= w.bar().width());
  }

  void tipsAndNames() {
    Window w;
    QCOMPARE(w.bar().tabToolTip(1), QString("About Banana (B)"));
    narrow(w);
    const int tab = w.named("Colour");
    const QString tip = w.bar().tabToolTip(tab);
    for (const char* part : {"Colours of all kinds", "Red (R), Green (G)", "click shows Red"})
      QVERIFY2(tip.contains(part), qPrintable(tip));
    QCOMPARE(w.bar().accessibleTabName(tab), QString("Colour, 2 pages"));
    // Another key is said at once.
    for (QAction* action : w.tabs.findChildren<QAction*>()) {
      if (action->text() == "Show Red") action->setShortcut(QKeySequence("Ctrl+9"));
    }
    QVERIFY(w.bar().tabToolTip(tab).contains("Red (Ctrl+9)"));
    w.tabs.resize(10, 200);
    QCOMPARE(w.bar().accessibleTabName(0), QString("Apple, one of 9 pages"));
    QVERIFY2(w.bar().tabToolTip(0).contains("Animal: Bear (B), Cat (C)"),
             qPrintable(w.bar().tabToolTip(0)));
  }

  // What screen readers are told of the bar.
  void screenReadersHearTheName() {
    Window w;
    narrow(w);
    QAccessibleInterface* bar = QAccessible::queryAccessibleInterface(&w.bar());
    QVERIFY(bar != nullptr);
    QStringList names;
    for (int i = 0; i < bar->childCount(); ++i) {
      if (QAccessibleInterface* child = bar->child(i)) names += child->text(QAccessible::Name);
    }
    QVERIFY2(names.contains("Colour, 2 pages"), qPrintable(names.join("; ")));
    QVERIFY(names.contains("Apple"));
  }

  void rightToLeft() {
    Window w;
    w.tabs.setLayoutDirection(Qt::RightToLeft);
    narrow(w);
    const int tab = w.named("Colour");
    QVERIFY(tab >= 0);
    QCOMPARE(w.bar().arrow(tab).left(), w.bar().tabRect(tab).left());
    QVERIFY(w.bar().tabRect(tab).right() < w.bar().tabRect(0).left());
    w.click("Dog");
    w.bar().setFocus();
    QTest::keyClick(&w.bar(), Qt::Key_Left);
    QCOMPARE(w.page(), QString("Elephant"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::PageTabsTest, Window)
#include "page_tabs_test.moc"
