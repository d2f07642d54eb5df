// SPDX-License-Identifier: GPL-3.0-or-later
// The Export menu: what "This view" is, and pictures of pages that scroll.
#include "app/window/menus/export_menu.h"

#include <QtTest>

#include "app/pages/page.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/last_touched.h"
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "viz/charts/ladder/ladder_chart.h"

namespace tileloom {

using test::OpenWindow;

class ExportMenuTest : public QObject {
  Q_OBJECT

 private slots:
  // The page that the user turned to, clicked or focused last, though most pages take no focus.
  void thisViewIsTheOneInUse() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto inUse = [&] {
      return QString::fromLatin1(LastTouched::of(w.window).page().row().id);
    };
    QCOMPARE(inUse(), "loom");
    for (const char* id : {"waits", "roofline", "timeline", "ladder"}) {
      w.window.showPage(id);
      QCOMPARE(inUse(), id);
    }
    LoomView& loom = *w.window.view<LoomView>();
    test::clickAt(loom, QRectF(loom.rect()).center());
    QCOMPARE(inUse(), "loom");
    QWidget* page = w.window.page("ladder")->widget();
    test::clickAt(*w.window.view<LadderChart>(), {3, 3});
    QCOMPARE(inUse(), "ladder");
    w.window.view<LadderList>()->setFocus();
    QCOMPARE(inUse(), "ladder");
    loom.setFocus();
    QCOMPARE(inUse(), "loom");
    QVERIFY(page->isVisible());
    // A folded page is not in view.
    w.window.showPage("waits");
    w.window.middle().setFolded(true);
    QCOMPARE(inUse(), "loom");
  }

  // On the screen the ladder scrolls; its picture has room for every row.
  void aPictureOfTheLadderIsHighEnough() {
    OpenWindow w(QSize(1280, 720));
    QVERIFY(w.ready());
    w.window.showPage("ladder");
    const auto sheet = sheetOf(w.window, *w.window.page("ladder"), {});
    QVERIFY(sheet.has_value());
    const auto rows = static_cast<double>(w.window.view<LadderChart>()->bars().size());
    QVERIFY2(sheet->size.height() >= rows * QFontMetricsF(sheet->font).height(),
             qPrintable(QString::number(sheet->size.height())));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportMenuTest, Window)
#include "export_menu_test.moc"
