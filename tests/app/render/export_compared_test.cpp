// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of a comparison: both sides are there, under their names, and none is cut off.
#include <QRegularExpression>
#include <QTemporaryDir>

#include "app/services/choice/comparison.h"
#include "kernels/tile/subject.h"
#include "tests/app/comparing.h"
#include "tests/app/open_window.h"
#include "tests/support/svg_text.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;
using test::stage;

class ExportComparedTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;
  QTemporaryDir folder_;

  QString path(const QString& name) const { return folder_.filePath(name); }
  static ViewExport captioned() { return {{}, 1, QDate(2026, 2, 3), true}; }
  void compare(const QString& baseline, const QString& now) {
    ViewState state = w_->explorer().state();
    state.stage = &stage(now.toUtf8().constData());
    state.tile = state.stage->standardTile();
    w_->explorer().setState(state);
    QVERIFY(w_->settled());
    const Stage& other = stage(baseline.toUtf8().constData());
    w_->explorer().pin(standardSubject(other));
    QVERIFY(test::compared(*w_));
  }
  static std::vector<std::string_view> views() {
    std::vector<std::string_view> all(kPageIds.begin(), kPageIds.end());
    all.push_back(kWindowId);
    return all;
  }
  double leastOf(const char* view, const ViewExport& how) {
    static const QRegularExpression height("height is too small: choose at least ([0-9]+)");
    return height.match(writeView(w_->window, view, path("a.png"), how)).captured(1).toDouble();
  }

 private slots:
  void init() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
  }

  // Each figure of a comparison names both sides, or says that it shows only one of them.
  void aComparisonIsNamed_data() {
    QTest::addColumn<QString>("baseline");
    QTest::addColumn<QString>("now");
    QTest::newRow("8 | T13") << "hopper"
                             << "warptiled";
    QTest::newRow("8 | 5") << "blocktile2d"
                           << "warptiled";
    QTest::newRow("T8 | T12") << "specialised"
                              << "stored";
  }
  void aComparisonIsNamed() {
    QFETCH(QString, baseline);
    QFETCH(QString, now);
    compare(baseline, now);
    const auto& [before, after] = w_->window.comparison().titles();
    QVERIFY(!before.isEmpty() && !after.isEmpty());
    for (const std::string_view view : views()) {
      if (Page* page = w_->window.page(view)) page->prepare();
      const Caption caption = captionOf(w_->window, view, w_->scene(), QDate(2026, 2, 3));
      const QString words = caption.title + '\n' + caption.shown;
      QVERIFY2(words.contains(before), qPrintable(QString(view.data()) + ": " + words));
      const bool alone =
          words.contains("one side of a comparison") || words.contains("has no mark here");
      QVERIFY2(alone || words.contains(after), qPrintable(QString(view.data()) + ": " + words));
    }
    // Those that paint a side for each paint both, each under its name.
    const QString name = before.section(" · ", 0, 0), other = after.section(" · ", 0, 0);
    for (const char* view : {"loom", "banks", "path", "waits", "ring", "fragments", "source"}) {
      const Page& page = *w_->window.page(view);
      if (!page.whyNothing().isEmpty()) continue;
      ViewExport how = captioned();
      how.caption.reset();
      QCOMPARE(writeView(w_->window, view, path("a.svg"), how), QString());
      const QString words = test::svgText(path("a.svg"));
      QVERIFY2(words.contains("Baseline: " + name), qPrintable(view + words.left(300)));
      QVERIFY2(words.contains("Now: " + other), qPrintable(view + words.left(300)));
    }
  }

  // A height at which one side would overlap the other, or would lose its words, is refused with
  // the least height; without a given height the picture is as high as it must be.
  void bothSidesHaveRoom() {
    compare("specialised", "stored");
    for (const char* view : {"waits", "ring", "timeline", "path", "banks", "loom"}) {
      for (const double width : {760.0, 1200.0}) {
        ViewExport how = captioned();
        how.size = QSizeF(width, 260);
        // Again where something computed since then has more words in the caption.
        double least = 0;
        QString why;
        for (int tries = 0; tries < 20; ++tries) {
          how.size.setHeight(260);
          least = leastOf(view, how);
          QVERIFY2(least > 260, view);
          how.size.setHeight(least);
          why = writeView(w_->window, view, path("a.png"), how);
          if (why.isEmpty()) break;
          QTest::qWait(50);
        }
        QVERIFY2(why.isEmpty(), qPrintable(view + (": " + why)));
        how.size.setHeight(260);
        how.grows = true;
        QCOMPARE(writeView(w_->window, view, path("b.png"), how), QString());
        QCOMPARE(QImage(path("b.png")).height(), int(least));
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExportComparedTest, Window)
#include "export_compared_test.moc"
