// SPDX-License-Identifier: GPL-3.0-or-later
// Every page is complete: a tab with a tip, an entry in the menus, a key, a picture, a place in
// sessions, on the command line and in `render`. One test over the list of pages, so that a new
// page is complete, too.
#include <QMenu>
#include <QTabWidget>
#include <QWhatsThis>
#include <map>
#include <set>

#include "app/pages/page_groups.h"
#include "app/render/render_request.h"
#include "app/session/session_text.h"
#include "app/window/common/actions.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/menus/explain_page.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowPagesTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;

  static QString text(const char* marked) { return QString::fromUtf8(marked).remove('&'); }
  static const PageRow& row() { return *pageRow(QTest::currentDataTag()); }
  static void addPages(bool loom) {
    QTest::addColumn<bool>("unused");
    for (const PageRow* row : pageRows()) {
      if (loom || row->place == PagePlace::Below) QTest::newRow(row->id) << true;
    }
  }
  // The action of this name, or nullptr.
  QAction* action(const QString& name) const {
    for (const NamedAction& a : actionsOf(*w_->window.menuBar())) {
      if (a.name == name) return a.action;
    }
    return nullptr;
  }

 private slots:
  void initTestCase() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
  }
  void cleanupTestCase() { w_.reset(); }

  // The ids of sessions and links are those of the rows, in the same order; the loom comes first
  // and alone.
  void idsAreThoseOfTheRows() {
    std::vector<std::string_view> ids;
    for (const PageRow* row : pageRows()) {
      ids.push_back(row->id);
      QCOMPARE(row->place == PagePlace::Loom, ids.size() == 1);
    }
    QCOMPARE(ids, std::vector<std::string_view>(kPageIds.begin(), kPageIds.end()));
    QCOMPARE(std::set<std::string_view>(ids.begin(), ids.end()).size(), ids.size());
    QVERIFY(pageRow("no such page") == nullptr);
    QVERIFY(pageRow(kWindowId) == nullptr);
  }

  // Each page below the loom is in one group, in the order of the tabs; a group is small enough to
  // be shown as a whole, and has more than one page to fold. The tab of a page that is empty for
  // this kernel is grey and says why.
  void emptyPagesSaySo() {
    auto& bar = w_->window.view<PageTabs>()->bar();
    const auto emptyOnes = [&] {
      QStringList ids;
      for (int tab = 0; tab < bar.count(); ++tab) {
        const Page& page = *w_->window.pages()[static_cast<std::size_t>(tab) + 1];
        if (bar.whyEmpty(tab).isEmpty()) continue;
        ids += QString::fromLatin1(page.row().id);
        [&] { QVERIFY(bar.tabToolTip(tab).contains(bar.whyEmpty(tab))); }();
      }
      return ids.join(u' ');
    };
    const auto of = [&](std::string_view id) {
      w_->explorer().setStage(test::stage(id));
      [&] { QVERIFY(w_->settled()); }();
      return emptyOnes();
    };
    QCOMPARE(of("naive"), QStringLiteral("layout fragments ring loop"));
    QCOMPARE(of("doublebuffered"), QStringLiteral("fragments loop"));
    QCOMPARE(of("rewritten"), QStringLiteral("fragments"));
    QCOMPARE(of("mmaring"), QStringLiteral("loop"));
    w_->explorer().setStage(test::stage("warptiled"));
    QVERIFY(w_->settled());
  }

  // F1 explains the focused page, not the loom.
  void explained_data() { addPages(false); }
  void explained() {
    w_->window.showPage(row().id);
    const Page& page = *w_->window.page(row().id);
    const QString text = explanationOf(w_->window, page);
    QVERIFY2(text.contains(pageTitle(row())) && text.contains(QString(row().tip).toHtmlEscaped()),
             qPrintable(text));
    QCOMPARE(text.contains("Nothing to show"), !page.whyNothing().isEmpty());
    page.focusTarget()->setFocus();
    if (&w_->window.focusedPage() != &page) return;  // a page without a place for the focus
    w_->key(Qt::Key_F1);
    QVERIFY(!w_->window.view<LoomView>()->hinted());
    QWhatsThis::hideText();
  }

  void groupsHaveAllPages() {
    std::vector<const PageRow*> grouped;
    std::set<QString> titles;
    for (const PageGroup& group : pageGroups()) {
      QVERIFY(group.pages.size() >= 2 && group.pages.size() <= 5);
      QVERIFY(titles.insert(group.title).second && group.tip.size() > 20);
      for (const PageRow* row : group.pages) {
        grouped.push_back(row);
        // Names must be unique.
        QVERIFY(group.title != pageTitle(*row));
      }
    }
    const auto all = pageRows().subspan(1);
    QCOMPARE(grouped, std::vector<const PageRow*>(all.begin(), all.end()));
  }

  // The View menu has them under the titles of the groups, in the same order; the command palette
  // finds them by these.
  void theViewMenuIsInGroups() {
    QStringList wanted, found;
    for (const PageGroup& group : pageGroups()) {
      wanted += group.title;
      for (const PageRow* row : group.pages) wanted += text(row->menu);
    }
    for (const QAction* top : w_->window.menuBar()->actions()) {
      if (text(top->text().toUtf8()) != "View") continue;
      for (const QAction* group : top->menu()->actions()) {
        const QString title = text(group->text().toUtf8());
        if (group->menu() == nullptr || !wanted.contains(title)) continue;
        found += title;
        for (const QAction* page : group->menu()->actions()) found += text(page->text().toUtf8());
      }
    }
    QCOMPARE(found, wanted);
    const QAction* ring = action("View › Stage ring of shared memory");
    QVERIFY(ring != nullptr && ring->whatsThis().startsWith("Time: "));
  }

  // Qt would run neither of two actions with one key.
  void noKeyIsUsedTwice() {
    std::map<QString, QString> users;
    for (const NamedAction& a : actionsOf(*w_->window.menuBar())) {
      for (const QKeySequence& key : a.action->shortcuts()) {
        const QString& before = users[key.toString()];
        QVERIFY2(before.isEmpty(), qPrintable(before + " and " + a.name + ": " + key.toString()));
        users[key.toString()] = a.name;
      }
    }
  }

  void aTabWithATip_data() { addPages(false); }
  void aTabWithATip() {
    w_->window.showPage(row().id);  // which no group folds away
    QTabWidget& tabs = *w_->window.view<QTabWidget>();
    const int at = tabs.indexOf(w_->window.page(row().id)->widget());
    QVERIFY(at >= 0);
    QCOMPARE(tabs.tabText(at), text(row().title));
    const QString tip = tabs.tabToolTip(at);
    QVERIFY2(tip.startsWith(row().tip) && QString(row().tip).size() > 10, qPrintable(tip));
    // An empty page says in a second line why it is.
    QVERIFY2(tip.section(u'\n', 0, 0).endsWith("(" + keyOf(row()).toString() + ")"),
             qPrintable(tip));
  }

  // The menu's entry and its key bring it to the front, and notify it.
  void theMenuAndTheKeyShowIt_data() { addPages(false); }
  void theMenuAndTheKeyShowIt() {
    MainWindow& window = w_->window;
    QAction* show = action("View › " + text(row().menu));
    QVERIFY2(show != nullptr, row().menu);
    QCOMPARE(show->shortcut(), keyOf(row()));
    const char* other = row().id == std::string_view("banks") ? "path" : "banks";
    const Page& page = *window.page(row().id);
    for (const bool byKey : {false, true}) {
      window.showPage(other);
      QVERIFY(!page.inFront() && window.page(other)->inFront());
      window.view<LoomView>()->setFocus();
      if (byKey) {
        QVERIFY(row().key.has_value());
        const QKeyCombination keys = *row().key;
        QTest::keyClick(QApplication::focusWidget(), keys.key(), keys.keyboardModifiers());
      } else {
        show->trigger();
      }
      QCOMPARE(window.currentPage(), std::string_view(row().id));
      QVERIFY(page.inFront() && !window.page(other)->inFront());
      QVERIFY(page.widget()->isVisible());
    }
  }

  void theExportMenuHasIt_data() { addPages(true); }
  void theExportMenuHasIt() {
    const QString name = text(row().exported).remove("…");
    const QAction* exported = action("File › Export › " + name);
    QVERIFY2(exported != nullptr, qPrintable(name));
    QCOMPARE(exported->shortcut().isEmpty(), row().exportKey == 0);
  }

  // A session, a link and the command line say which page is in front, and bring it back.
  void sessionsKeepIt_data() { addPages(false); }
  void sessionsKeepIt() {
    MainWindow& window = w_->window;
    window.showPage(row().id);
    const Session kept = window.session();
    QCOMPARE(kept.tab, std::string(row().id));
    const QString link = window.link(), line = window.commandLine();
    QVERIFY2(line.contains(QString(" --tab %1 ").arg(row().id)), qPrintable(line));
    const auto again = parseSession(sessionText(kept));
    QVERIFY2(again.has_value(), again ? "" : again.error().c_str());
    for (const bool byLink : {false, true}) {
      window.showPage(row().id == std::string_view("banks") ? "path" : "banks");
      if (byLink) {
        QCOMPARE(window.sessions().open(link), QString());
      } else {
        window.restore(*again);
      }
      QCOMPARE(window.currentPage(), std::string_view(row().id));
    }
  }

  // `render ID` is understood, and `render window --tab ID` for those below the loom.
  void renderKnowsIt_data() { addPages(true); }
  void renderKnowsIt() {
    app::RenderOptions options;
    options.view = row().id;
    const auto alone = app::understand(options);
    QVERIFY2(alone.has_value(), alone ? "" : alone.error().c_str());
    QCOMPARE(alone->page, &row());
    QCOMPARE(alone->picture.size.height(), double(row().pictureHeight));
    options.view = kWindowId;
    options.values["--tab"] = row().id;
    const auto window = app::understand(options);
    QCOMPARE(window.has_value(), row().place == PagePlace::Below);
    if (window) QCOMPARE(window->shownTab(), std::string_view(row().id));
    QVERIFY(QString::fromStdString(app::renderedNames()).contains(row().id));
  }

  // The caption of a picture is not empty, and its size can be painted.
  void itHasACaptionAndASize_data() { addPages(true); }
  void itHasACaptionAndASize() {
    MainWindow& window = w_->window;
    Page& page = *window.page(row().id);
    const Caption words = captionOf(window, row().id, window.explorer().scene(), QDate(2026, 2, 3));
    for (const QString& line : {words.title, words.shown, words.origin, words.program})
      QVERIFY(!line.isEmpty());
    const QSizeF size = page.naturalSize(window.middle().roomOf(page));
    QVERIFY(size.width() >= page.leastWidth() && size.width() >= 60 && size.height() >= 60);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowPagesTest, Window)
#include "window_pages_test.moc"
