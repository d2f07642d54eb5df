// SPDX-License-Identifier: GPL-3.0-or-later
// Every view of the window as a file: as it is on the screen, with words below it that describe it.
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <map>
#include <set>

#include "app/window/common/actions.h"
#include "kernels/tile/subject.h"
#include "tests/app/open_window.h"
#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"
#include "tests/viz/image_compare.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_view.h"

namespace tileloom {

using test::OpenWindow;
using test::stage;

class ExportViewsTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  static ViewExport captioned() { return {{}, 1, QDate(2026, 2, 3), true}; }
  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  static std::vector<std::string_view> views() {
    std::vector<std::string_view> all(kPageIds.begin(), kPageIds.end());
    all.push_back(kWindowId);
    return all;
  }
  QStringList files() const {
    return QDir(folder_.path()).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
  }

 private slots:
  void init() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
  }
  void cleanup() {
    for (const QString& name : files()) QFile::remove(path(name));
  }

  // Every page and the whole window: a new page is exported, too.
  void everyViewInEveryFormat_data() {
    QTest::addColumn<QString>("says");
    const QString tile = "rung 8: warp tiling · BM=128";
    const QString moment = "shared store to As";
    const std::map<std::string_view, QString> says = {
        {"loom", moment},
        {"banks", moment},
        {"access", "8 wavefronts, 1 without conflicts"},
        {"path", moment},
        {"fragments", "which lane receives the element"},
        {"ring", "in flight"},
        {"source", moment},
        {"sass", "main loop of 142 instructions"},
        {"loop", "cycles per iteration, measured"},
        {"compare", "▼ worse"},
        {"ladder", "every rung at its default tile"},
        {"roofline", "FLOP per byte"},
        {"race", "which kernels have filled it"},
        {"sizes", "used of whole tiles"},
        {"energy", "wrong results on purpose"},
        {"tuning", "other tile parameters as in"},
    };
    for (const std::string_view view : views()) {
      const auto found = says.find(view);
      QTest::newRow(view.data()) << (found == says.end() ? tile : found->second);
    }
  }
  void everyViewInEveryFormat() {
    QFETCH(QString, says);
    const std::string_view which = QTest::currentDataTag();
    if (which == "compare") {
      const Stage& other = stage("vectorized");
      w_->explorer().pin(standardSubject(other));
      QVERIFY(
          QTest::qWaitFor([this] { return w_->explorer().baseline().ready(); }, test::kPatience));
    }
    if (which == "fragments") {
      const QString why = writeView(w_->window, which, path("a.png"), captioned());
      QVERIFY2(why.contains("lane by lane") && why.contains("Choose T1"), qPrintable(why));
      ViewState tensor = w_->explorer().state();
      tensor.stage = &stage("mma");
      tensor.tile = tensor.stage->standardTile();
      w_->explorer().setState(tensor);
      QVERIFY(w_->settled());
      w_->explorer().setIndex(static_cast<int>(openingIndex(w_->recording())));
    }
    if (which == "ring") {
      const QString why = writeView(w_->window, which, path("a.png"), captioned());
      QVERIFY2(why.contains("Choose rung 11"), qPrintable(why));
      ViewState several = w_->explorer().state();
      several.stage = &stage("async");
      several.tile = several.stage->standardTile();
      w_->explorer().setState(several);
      QVERIFY(w_->settled());
      w_->explorer().setIndex(0);
    }
    if (which == "loop") {
      const QString why = writeView(w_->window, which, path("a.png"), captioned());
      QVERIFY2(why.contains("Choose rung 16"), qPrintable(why));
      ViewState rewritten = w_->explorer().state();
      rewritten.stage = &stage("rewritten");
      rewritten.tile = rewritten.stage->standardTile();
      w_->explorer().setState(rewritten);
      QVERIFY(w_->settled());
    }
    QCOMPARE(writeView(w_->window, which, path("a.png"), captioned()), QString());
    const QImage with(path("a.png"));
    QCOMPARE(writeView(w_->window, which, path("b.png"), {{}, 1, {}}), QString());
    const QImage without(path("b.png"));
    QVERIFY(!with.isNull() && !without.isNull());
    QCOMPARE(with.width(), without.width());
    QVERIFY(with.height() > without.height() + 40);
    // The same command makes the same file.
    QCOMPARE(writeView(w_->window, which, path("c.png"), captioned()), QString());
    QCOMPARE(contents(path("a.png")), contents(path("c.png")));

    QCOMPARE(writeView(w_->window, which, path("a.svg"), captioned()), QString());
    QVERIFY(QSvgRenderer(path("a.svg")).isValid());
    const QString words = test::svgText(path("a.svg"));
    QVERIFY2(words.contains(says), qPrintable(words.right(400)));
    QVERIFY2(words.contains("Tileloom " + QApplication::applicationVersion() + " · 2026-02-03"),
             qPrintable(words.right(400)));
    QVERIFY(words.contains("no GPU used: emulated") || words.contains("recorded on NVIDIA") ||
            words.contains("nvdisasm 13"));
    if (which == "window") QVERIFY(words.contains("Ladder"));
    QCOMPARE(writeView(w_->window, which, path("a.pdf"), captioned()), QString());
    const QByteArray pdf = contents(path("a.pdf"));
    QVERIFY(pdf.startsWith("%PDF-1.") && pdf.size() > 4000);
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
  }

  void whatIsSelectedIsSaid() {
    Selection selection;
    selection.thread = 5;
    w_->explorer().hold(selection);
    QCOMPARE(writeView(w_->window, "banks", path("a.svg"), captioned()), QString());
    QVERIFY(test::svgText(path("a.svg")).contains("selected: thread 5 = warp 0, lane 5"));
  }

  // The camera too: a user exports what is visible.
  void theLoomIsAsOnTheScreen() {
    LoomView& loom = *w_->window.view<LoomView>();
    QImage block;
    for (const auto level :
         {LoomView::Level::Block, LoomView::Level::Warp, LoomView::Level::Grid}) {
      loom.zoomTo(level, false);
      QImage seen(loom.size(), QImage::Format_RGB32);
      loom.render(&seen);
      QCOMPARE(writeView(w_->window, "loom", path("a.png"), {{}, 1, {}}), QString());
      const QImage written = QImage(path("a.png")).convertToFormat(QImage::Format_RGB32);
      QCOMPARE(written, seen);
      if (level == LoomView::Level::Block) block = written;
      if (level != LoomView::Level::Block) QVERIFY(written != block);
    }
  }

  // Of the source, the visible lines.
  void theSourceIsScrolledAsOnTheScreen() {
    w_->window.showPage("source");
    QTRY_VERIFY(w_->window.view<SourceView>()->page()->lines() > 0);
    const auto words = [&] {
      writeView(w_->window, "source", path("a.svg"), {{}, 1, {}});
      return test::svgText(path("a.svg"));
    };
    QScrollBar& bar = *w_->window.view<SourceView>()->verticalScrollBar();
    QVERIFY(bar.maximum() > 0);
    bar.setValue(0);
    QVERIFY(words().contains("SPDX"));
    bar.setValue(bar.maximum());
    QVERIFY(!words().contains("SPDX"));
    QVERIFY2(!words().contains("click"), "a picture cannot be clicked");
  }

  void theTableIsFilteredAndWhole() {
    const auto words = [&](const QSizeF& size = {}) {
      writeView(w_->window, "instructions", path("a.svg"), {size, 1, {}});
      return test::svgText(path("a.svg"));
    };
    // Also when no user has looked at it yet.
    QVERIFY2(words().contains("128-bit shared load of Bs"), qPrintable(words()));
    QVERIFY(words().contains("multiply-add"));
    w_->window.showPage("instructions");
    w_->window.view<InstructionTable>()->findChild<QLineEdit*>()->setText("Bs");
    QVERIFY(words().contains("128-bit shared load of Bs"));
    QVERIFY(!words().contains("multiply-add"));
    QVERIFY(words().contains("only \"Bs\""));
    w_->window.view<InstructionTable>()->findChild<QLineEdit*>()->clear();
    QVERIFY2(words({0, 200}).contains("more"), qPrintable(words({0, 200})));
  }

  void tooSmallIsSaid() {
    for (const auto view : {"loom", "charts", "window"}) {
      const QString why =
          writeView(w_->window, view, path("a.png"), {QSizeF(300, 120), 1, QDate(2026, 2, 3)});
      QVERIFY2(why.contains("caption takes") && why.contains("choose"), qPrintable(why));
    }
    for (const auto view : {"source", "instructions"}) {
      const QString why = writeView(w_->window, view, path("a.png"), {QSizeF(200, 0), 1, {}});
      QVERIFY2(why.contains("width"), qPrintable(why));
    }
    QCOMPARE(files(), QStringList());
  }

  void badNames() {
    w_->explorer().pinThis();  // there is something to compare
    QVERIFY(QTest::qWaitFor([this] { return w_->explorer().baseline().ready(); }, test::kPatience));
    for (const std::string_view view : views()) {
      for (const QString& name : {path("a"), path("a.jpg"), path("no/such/a.png")}) {
        const QString why = writeView(w_->window, view, name, captioned());
        QVERIFY2(!why.isEmpty() && !why.contains('\n') && why.contains(name), qPrintable(why));
      }
    }
    QCOMPARE(files(), QStringList());
  }

  void theMenuHasThemAll() {
    std::set<QString> names;
    for (const NamedAction& a : actionsOf(*w_->window.menuBar())) {
      if (a.name.startsWith("File › Export › ")) names.insert(a.name.mid(16));
    }
    QSet<QString> wanted{"This view", "The whole window", "Animation", "A lecture"};
    for (const PageRow* row : pageRows())
      wanted.insert(QString(row->exported).remove('&').remove("…"));
    QCOMPARE(QSet<QString>(names.begin(), names.end()), wanted);
  }

  // "This view" is the one with the keyboard focus; the name proposes what is in the file.
  void thisView_data() {
    QTest::addColumn<QString>("name");
    const QString tile = "-BM128-BN128-BK16-WM64-WN64-WNITER4-TM8-TN4.png";
    for (const std::string_view id : kPageIds)
      QTest::newRow(id.data()) << "warptiled-" + QString::fromUtf8(id.data()) + tile;
  }
  void thisView() {
    QFETCH(QString, name);
    const std::string_view id = QTest::currentDataTag();
    w_->window.showPage(id);
    if (id != "loom") w_->window.view<QTabWidget>()->tabBar()->setFocus();
    QString proposed;
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (dialog == nullptr) return;
      proposed = dialog->findChild<QLineEdit*>("fileNameEdit")->text();
      dialog->reject();
    });
    timer.start(20);
    for (const NamedAction& a : actionsOf(*w_->window.menuBar())) {
      if (a.name == "File › Export › This view") a.action->trigger();
    }
    QCOMPARE(proposed, name);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportViewsTest, Window)
#include "export_views_test.moc"
