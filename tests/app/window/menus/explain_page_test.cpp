// SPDX-License-Identifier: GPL-3.0-or-later
// F1 explains what was clicked or focused last, as it is shown.
#include "app/window/menus/explain_page.h"

#include <QWhatsThis>

#include "app/pages/page.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/last_touched.h"
#include "app/window/tile_panel.h"
#include "tests/app/open_window.h"
#include "tests/app/surroundings.h"
#include "tests/support/test_class.h"
#include "viz/timeline/timeline_strip.h"

namespace tileloom {

using test::OpenWindow;

class ExplainPageTest : public QObject {
  Q_OBJECT

  std::unique_ptr<test::Surroundings> m_around;

  static const QWidget* target(OpenWindow& w) { return LastTouched::of(w.window).widget(); }
  static QString afterClick(OpenWindow& w, QWidget* widget, const QPoint& at) {
    QTest::mouseClick(widget, Qt::LeftButton, {}, at);
    return explanationOf(w.window, target(w));
  }

 private slots:
  void init() { m_around = std::make_unique<test::Surroundings>(); }

  // A click counts, also on what does not take the keyboard focus.
  void aClickChooses() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* ladder = w.window.view<LadderList>();
    QWidget* head = ladder->parentWidget();
    QVERIFY(afterClick(w, head, {head->width() / 2, 6}).contains("<b>Ladder</b>"));
    auto* strip = w.window.view<TimelineStrip>();
    QVERIFY(strip->isVisible());
    QVERIFY(afterClick(w, strip, strip->rect().center()).contains("<b>Time</b>"));
    auto* transport = w.window.view<TransportBar>();
    QVERIFY(afterClick(w, transport, {2, 2}).contains("<b>Playback</b>"));
    // A tile parameter is explained itself.
    auto* box = w.window.view<ParameterPanel>()->spinBox(Parameter::BM);
    const QString words = afterClick(w, box, box->rect().center());
    QVERIFY2(words.contains("BM") && words.contains("<b>Tile</b>"), qPrintable(words));
    // A page and the loom have their own explanations.
    auto* loom = w.window.view<LoomView>();
    QVERIFY(afterClick(w, loom, loom->rect().center()).isEmpty());
    QVERIFY(target(w) == loom);
    auto* pages = w.window.view<PageTabs>();
    QVERIFY(afterClick(w, pages, {pages->width() / 2, pages->height() - 4}).isEmpty());
    QVERIFY(target(w) != loom);
    w.key(Qt::Key_F1);
    QVERIFY(!loom->hinted());
    QWhatsThis::hideText();
    // The keyboard's focus counts as well.
    loom->setFocus(Qt::TabFocusReason);
    pages->setFocus(Qt::TabFocusReason);
    loom->setFocus(Qt::TabFocusReason);
    QVERIFY(target(w) == loom);
  }

  // An explanation changes nothing: neither the zoom nor what is selected.
  void theZoomStays_data() {
    QTest::addColumn<int>("level");
    for (const LoomLevel level :
         {LoomLevel::Grid, LoomLevel::Block, LoomLevel::Warp, LoomLevel::Thread})
      QTest::newRow(kZoomNames[static_cast<std::size_t>(level)].data()) << static_cast<int>(level);
  }
  void theZoomStays() {
    QFETCH(int, level);
    OpenWindow w;
    QVERIFY(w.ready());
    auto* loom = w.window.view<LoomView>();
    const auto wanted = static_cast<LoomLevel>(level);
    loom->zoomTo(wanted, false);
    w.key(Qt::Key_F1);
    QCOMPARE(loom->level(), wanted);
    QWhatsThis::hideText();
  }

  // The sides of a comparison are in paragraphs of their own.
  void bothSidesOfAComparison() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().pinThis();
    w.explorer().setStage(stages()[3]);
    QVERIFY(w.settled());
    QVERIFY(QTest::qWaitFor([&] { return w.explorer().baseline().ready(); }, test::kPatience));
    int both = 0;
    for (const auto& page : w.window.pages()) {
      if (page->row().place != PagePlace::Below || !page->whyNothing().isEmpty()) continue;
      const QString words = explanationOf(w.window, *page);
      QVERIFY2(!words.contains("Now: Baseline"), qPrintable(words));
      QVERIFY2(!words.contains(u'\n'), qPrintable(words));
      both += words.contains("<p>Baseline: ") && words.contains("<p>Now: ") ? 1 : 0;
    }
    QVERIFY(both > 0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExplainPageTest, Window)
#include "explain_page_test.moc"
