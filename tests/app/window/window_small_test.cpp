// SPDX-License-Identifier: GPL-3.0-or-later
// Small screens: each page can be used without scrolling sideways.
#include <QScrollBar>
#include <QSplitter>
#include <algorithm>
#include <set>

#include "app/session/page_ids.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/lecture/lecture_mode.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/ladder_list.h"

namespace tileloom {

using test::OpenWindow;

class WindowSmallTest : public QObject {
  Q_OBJECT

  // Horizontally scrolled widgets, by class.
  static QStringList sideways(const QWidget& within) {
    QStringList names;
    for (const QScrollBar* bar : within.findChildren<QScrollBar*>()) {
      if (bar->orientation() != Qt::Horizontal || !bar->isVisible() || bar->maximum() == 0)
        continue;
      names +=
          QStringLiteral("%1 too wide by %2")
              .arg(QLatin1String(bar->parentWidget()->parentWidget()->metaObject()->className()))
              .arg(bar->maximum());
    }
    return names;
  }

 private slots:
  // The row of tabs keeps its height while pages change: it may rise once, for a page that needs
  // more room.
  void theRowOfTabsStaysWhereItIs_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void theRowOfTabsStaysWhereItIs() {
    QFETCH(QSize, size);
    OpenWindow w(size);
    QVERIFY(w.ready());
    w.window.resize(size);
    w.explorer().setStage(test::stage("hopper"));
    QVERIFY(w.settled());
    const auto heightOfRow = [&] {
      QCoreApplication::processEvents();
      QCoreApplication::processEvents();
      return w.window.view<PageTabs>()->bar().mapTo(&w.window, QPoint()).y();
    };
    std::vector<int> heights;
    for (int round = 0; round < 2; ++round) {
      for (const std::string_view page : kTabIds) {
        w.window.showPage(page);
        heights.push_back(heightOfRow());
      }
    }
    QVERIFY2(std::ranges::is_sorted(heights, std::ranges::greater()), "it never falls");
    for (std::size_t i = kTabIds.size(); i < heights.size(); ++i)
      QCOMPARE(heights[i], heights[kTabIds.size()]);
    // Not one step per page.
    QVERIFY(std::set(heights.begin(), heights.end()).size() <= 3);
  }

  void noPageScrollsSideways_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(1366, 768), QSize(1280, 720)})
      QTest::addRow("%dx%d", size.width(), size.height()) << size;
  }
  void noPageScrollsSideways() {
    QFETCH(QSize, size);
    OpenWindow w(size);
    QVERIFY(w.ready());
    w.window.resize(size);
    QStringList wrong;
    if (w.window.width() > size.width())
      wrong += QString("the window is %1 wide").arg(w.window.width());
    for (const char* id : {"naive", "warptiled", "rewritten", "mma", "hopper"}) {
      w.explorer().setStage(test::stage(id));
      QVERIFY(w.settled());
      for (const std::string_view page : kTabIds) {
        w.window.showPage(page);
        QCoreApplication::processEvents();
        for (const QString& where : sideways(w.window))
          wrong += QStringLiteral("%1, page %2: %3")
                       .arg(QLatin1String(id), QLatin1String(page.data(), qsizetype(page.size())),
                            where);
      }
    }
    QVERIFY2(wrong.isEmpty(), qPrintable(QStringLiteral("\n") + wrong.join(u'\n')));
  }

  // Beside a lecture, comparing, with both panels: the window is not wider than the screen.
  void aLectureBesideTwoKernels() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    w.window.resize(1280, 720);
    w.explorer().pinThis();
    QCOMPARE(w.window.lecture().openNamed("warp-roles"), QString());
    QVERIFY(w.settled());
    w.explorer().pinThis();
    QVERIFY(w.settled());
    for (const SidePanel panel : {SidePanel::Ladder, SidePanel::Tile})
      w.window.layouts().showPanel(panel, true);
    for (const std::string_view page : kTabIds) {
      w.window.showPage(page);
      QCoreApplication::processEvents();
      QVERIFY2(w.window.minimumSizeHint().width() <= 1280, std::string(page).c_str());
    }
  }

  // Half of a large screen: the panels leave the loom half of the width, and some pages scroll.
  void halfAScreen() {
    OpenWindow w({960, 640});
    QVERIFY(w.ready());
    w.window.resize(960, 640);
    for (const std::string_view page : kTabIds) {
      w.window.showPage(page);
      QCoreApplication::processEvents();
      QVERIFY2(w.window.width() <= 960, std::string(page).c_str());
      QVERIFY(w.window.view<LoomView>()->width() >= 450);
    }
    auto* across = w.window.view<LadderList>()->parentWidget()->parentWidget();
    auto* splitter = qobject_cast<QSplitter*>(across);
    QVERIFY(splitter != nullptr);
    w.window.resize(1280, 640);
    QCoreApplication::processEvents();
    const int usual = splitter->sizes()[0];
    QVERIFY(usual > 190);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSmallTest, Window)
#include "window_small_test.moc"
