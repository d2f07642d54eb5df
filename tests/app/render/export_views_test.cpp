// SPDX-License-Identifier: GPL-3.0-or-later
// Every view of the window as a file: as it is on the screen, with words below it that say what it
// is.
#include <QComboBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QScrollBar>
#include <QSvgRenderer>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <set>

#include "app/window/actions.h"
#include "tests/app/open_window.h"
#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"
#include "tests/viz/image_compare.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_view.h"

namespace tileloom {

using test::OpenWindow;

class ExportViewsTest : public QObject {
  Q_OBJECT

  static constexpr int kPatience = 30000;

  std::unique_ptr<OpenWindow> w_;
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  static ViewExport captioned() { return {{}, 1, QDate(2026, 2, 3)}; }
  static QByteArray contents(const QString& file) {
    QFile f(file);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
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

  void everyViewInEveryFormat_data() {
    QTest::addColumn<int>("view");
    QTest::addColumn<QString>("says");
    const QString tile = "rung 8: warp tiling · BM=128";
    const QString moment = "shared load of As";
    for (const auto& [view, says] :
         {std::pair(ExportedView::Loom, moment), std::pair(ExportedView::Banks, moment),
          std::pair(ExportedView::Source, moment),
          std::pair(ExportedView::Sass, QString("main loop of 142 instructions")),
          std::pair(ExportedView::Instructions, tile), std::pair(ExportedView::Charts, tile),
          std::pair(ExportedView::Ladder, QString("every rung at its standard tile")),
          std::pair(ExportedView::Roofline, QString("FLOP a byte")),
          std::pair(ExportedView::Tuning, QString("other knobs as in")),
          std::pair(ExportedView::Window, tile)})
      QTest::newRow(kExportedNames[static_cast<std::size_t>(view)])
          << static_cast<int>(view) << says;
  }
  void everyViewInEveryFormat() {
    QFETCH(int, view);
    QFETCH(QString, says);
    const auto which = static_cast<ExportedView>(view);
    QCOMPARE(w_->window.writeView(which, path("a.png"), captioned()), QString());
    const QImage with(path("a.png"));
    QCOMPARE(w_->window.writeView(which, path("b.png"), {{}, 1, {}}), QString());
    const QImage without(path("b.png"));
    QVERIFY(!with.isNull() && !without.isNull());
    QCOMPARE(with.width(), without.width());
    QVERIFY(with.height() > without.height() + 40);
    // The same command makes the same file.
    QCOMPARE(w_->window.writeView(which, path("c.png"), captioned()), QString());
    QCOMPARE(contents(path("a.png")), contents(path("c.png")));

    QCOMPARE(w_->window.writeView(which, path("a.svg"), captioned()), QString());
    QVERIFY(QSvgRenderer(path("a.svg")).isValid());
    const QString words = test::svgText(path("a.svg"));
    QVERIFY2(words.contains(says), qPrintable(words.right(400)));
    QVERIFY2(words.contains("Tileloom " + QApplication::applicationVersion() + " · 2026-02-03"),
             qPrintable(words.right(400)));
    QVERIFY(words.contains("no GPU used: emulated") || words.contains("recorded on NVIDIA") ||
            words.contains("nvdisasm 13"));
    // The window is a picture of pixels there: its only words are those of the caption.
    if (which == ExportedView::Window) {
      QVERIFY(contents(path("a.svg")).contains("<image"));
      QVERIFY(!words.contains("Ladder"));
    }
    QCOMPARE(w_->window.writeView(which, path("a.pdf"), captioned()), QString());
    const QByteArray pdf = contents(path("a.pdf"));
    QVERIFY(pdf.startsWith("%PDF-1.") && pdf.size() > 4000);
    QCOMPARE(pdf.count("/Type /Page\n"), 1);
  }

  void whatIsSelectedIsSaid() {
    Selection selection;
    selection.thread = 5;
    w_->explorer().hold(selection);
    QCOMPARE(w_->window.writeView(ExportedView::Banks, path("a.svg"), captioned()), QString());
    QVERIFY(test::svgText(path("a.svg")).contains("selected: thread 5 = warp 0, lane 5"));
  }

  // The camera too: a person exports what is seen.
  void theLoomIsAsOnTheScreen() {
    LoomView& loom = *w_->window.loom();
    QImage block;
    for (const auto level :
         {LoomView::Level::Block, LoomView::Level::Warp, LoomView::Level::Grid}) {
      loom.zoomTo(level, false);
      QImage seen(loom.size(), QImage::Format_RGB32);
      loom.render(&seen);
      QCOMPARE(w_->window.writeView(ExportedView::Loom, path("a.png"), {{}, 1, {}}), QString());
      const QImage written = QImage(path("a.png")).convertToFormat(QImage::Format_RGB32);
      QCOMPARE(written, seen);
      if (level == LoomView::Level::Block) block = written;
      if (level != LoomView::Level::Block) QVERIFY(written != block);
    }
  }

  // Of the source, the lines that are in sight.
  void theSourceIsScrolledAsOnTheScreen() {
    w_->window.showTab(LowerTab::Source);
    QTRY_VERIFY_WITH_TIMEOUT(w_->window.sourceView()->page()->lines() > 0, kPatience);
    const auto words = [&] {
      w_->window.writeView(ExportedView::Source, path("a.svg"), {{}, 1, {}});
      return test::svgText(path("a.svg"));
    };
    QScrollBar& bar = *w_->window.sourceView()->verticalScrollBar();
    QVERIFY(bar.maximum() > 0);
    bar.setValue(0);
    QVERIFY(words().contains("SPDX"));
    bar.setValue(bar.maximum());
    QVERIFY(!words().contains("SPDX"));
    QVERIFY2(!words().contains("click"), "a picture cannot be clicked");
  }

  void theTableIsFilteredAndWhole() {
    const auto words = [&](const QSizeF& size = {}) {
      w_->window.writeView(ExportedView::Instructions, path("a.svg"), {size, 1, {}});
      return test::svgText(path("a.svg"));
    };
    // Also when nobody has looked at it yet.
    QVERIFY2(words().contains("128-bit shared load of Bs"), qPrintable(words()));
    QVERIFY(words().contains("multiply-add"));
    w_->window.showTab(LowerTab::Instructions);
    w_->window.instructions()->findChild<QLineEdit*>()->setText("Bs");
    QVERIFY(words().contains("128-bit shared load of Bs"));
    QVERIFY(!words().contains("multiply-add"));
    QVERIFY(words().contains("only \"Bs\""));
    w_->window.instructions()->findChild<QLineEdit*>()->clear();
    QVERIFY2(words({0, 200}).contains("more"), qPrintable(words({0, 200})));
  }

  void tooSmallIsSaid() {
    for (const auto view : {ExportedView::Loom, ExportedView::Charts, ExportedView::Window}) {
      const QString why =
          w_->window.writeView(view, path("a.png"), {QSizeF(300, 120), 1, QDate(2026, 2, 3)});
      QVERIFY2(why.contains("caption takes") && why.contains("choose"), qPrintable(why));
    }
    for (const auto view : {ExportedView::Source, ExportedView::Instructions}) {
      const QString why = w_->window.writeView(view, path("a.png"), {QSizeF(200, 0), 1, {}});
      QVERIFY2(why.contains("width"), qPrintable(why));
    }
    QCOMPARE(files(), QStringList());
  }

  void badNames() {
    for (int view = 0; view < kExportedViews; ++view) {
      for (const QString& name : {path("a"), path("a.jpg"), path("no/such/a.png")}) {
        const QString why =
            w_->window.writeView(static_cast<ExportedView>(view), name, captioned());
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
    for (const char* name :
         {"This view", "The loom", "The bank view", "The memory path", "The source",
          "The machine code", "The instructions", "The differences", "The charts",
          "The ladder chart", "The roofline", "The whole window"})
      QVERIFY2(names.contains(name), name);
  }

  // "This view" is the one that has the keys; the name proposes what is in the file.
  void thisView_data() {
    QTest::addColumn<int>("tab");
    QTest::addColumn<QString>("name");
    QTest::newRow("loom") << -1 << "warptiled-loom-BM128-BN128-BK16-WM64-WN64-WNITER4-TM8-TN4.png";
    QTest::newRow("charts") << static_cast<int>(LowerTab::Charts) << "warptiled-charts-BM128";
    QTest::newRow("source") << static_cast<int>(LowerTab::Source) << "warptiled-source-BM128";
  }
  void thisView() {
    QFETCH(int, tab);
    QFETCH(QString, name);
    if (tab >= 0) {
      w_->window.showTab(static_cast<LowerTab>(tab));
      w_->window.lowerTabs()->tabBar()->setFocus();
    }
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
    QVERIFY2(proposed.startsWith(name), qPrintable(proposed));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportViewsTest, Window)
#include "export_views_test.moc"
