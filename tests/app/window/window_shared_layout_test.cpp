// SPDX-License-Identifier: GPL-3.0-or-later
// The page Layout in the window, with keys and mouse.
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QToolButton>

#include "app/session/session.h"
#include "app/session/session_text.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/panels/layout_model.h"
#include "viz/panels/layout_panel.h"

namespace tileloom {

using analysis::ArrayLayout;
using test::OpenWindow;

class WindowSharedLayoutTest : public QObject {
  Q_OBJECT

  std::unique_ptr<OpenWindow> w_;

  LayoutPanel& panel() { return *w_->window.view<LayoutPanel>(); }
  template <class T>
  T& part(const char* name) {
    T* found = panel().findChild<T*>(QLatin1String(name));
    if (found == nullptr) throw std::out_of_range(name);
    return *found;
  }
  QString verdict() { return part<QLabel>("layoutVerdict").text(); }
  QAbstractItemModel& lines() { return *part<QTableView>("layoutLines").model(); }
  QString cell(int fromLast, LayoutModel::Column column) {
    return lines().index(lines().rowCount() - 1 - fromLast, column).data().toString();
  }

 private slots:
  void init() {
    w_ = std::make_unique<OpenWindow>();
    QVERIFY(w_->ready());
    w_->key(Qt::Key_Y);
    QCOMPARE(w_->window.currentPage(), std::string_view("layout"));
  }
  void cleanup() { w_.reset(); }

  void formsAreButtonsAndKeys() {
    QVERIFY(part<QToolButton>("layoutPadded").isChecked());
    QVERIFY2(verdict().contains("One K tile takes 1,472 wavefronts instead of 1,600"),
             qPrintable(verdict()));
    QCOMPARE(cell(0, LayoutModel::Before), QStringLiteral("1,600"));
    QCOMPARE(cell(0, LayoutModel::After), QStringLiteral("1,472"));
    auto& pad = part<QSpinBox>("layoutPad");
    pad.setFocus();
    QTest::keyClick(&pad, Qt::Key_Up);
    QCOMPARE(panel().choice().layout, ArrayLayout::padded(5));
    QVERIFY(verdict().startsWith("Not possible: pad:5 would split"));
    QCOMPARE(cell(0, LayoutModel::After), QStringLiteral("–"));
    for (int i = 0; i < 3; ++i) QTest::keyClick(&pad, Qt::Key_Up);
    QVERIFY(verdict().contains("takes 1,600 wavefronts as now"));
    auto& swizzled = part<QToolButton>("layoutSwizzled");
    QVERIFY(swizzled.focusPolicy() & Qt::TabFocus);
    swizzled.setFocus();
    QTest::keyClick(&swizzled, Qt::Key_Space);
    QCOMPARE(panel().choice().layout.form, analysis::LayoutForm::Swizzled);
    QVERIFY(!pad.isVisible() && part<QSpinBox>("layoutShift").isVisible());
    // Words would collide: the shift follows the bits.
    auto& bits = part<QSpinBox>("layoutBits");
    part<QSpinBox>("layoutShift").setValue(3);
    bits.setValue(5);
    QCOMPARE(panel().choice().layout.swizzle.shift, 5u);
    part<QToolButton>("layoutPadded").click();
    QCOMPARE(panel().choice().layout, ArrayLayout::padded(8));  // as it was left
    part<QToolButton>("layoutRecorded").click();
    QVERIFY(verdict().contains("as now"));
  }

  // As already has the default layout: the page shows the effect of plain rows. The choice of the
  // user stays, and so does the chosen instruction.
  void opensAtWhatChanges() {
    QVERIFY(w_->pick(test::stage("async")));
    w_->window.showPage("banks");
    w_->window.showPage("layout");
    QTRY_VERIFY(panel().choice().layout == ArrayLayout::plain());
    QVERIFY2(verdict().contains("instead of 800"), qPrintable(verdict()));
    const std::uint32_t at = w_->scene().moment.index;
    QVERIFY(w_->scene().access->cost.conflicts() > 0);
    part<QToolButton>("layoutSwizzled").click();
    w_->explorer().setIndex(static_cast<int>(at) + 5);
    w_->window.showPage("banks");
    w_->window.showPage("layout");
    QTest::qWait(20);
    QCOMPARE(panel().choice().layout.form, analysis::LayoutForm::Swizzled);
    QCOMPARE(w_->scene().moment.index, at + 5);
  }

  void theBestAreFoundAndTaken() {
    auto& swizzle = part<QPushButton>("layoutBestSwizzle");
    QTRY_VERIFY(swizzle.text() == "Best swizzle: 2,3,6");
    QCOMPARE(part<QPushButton>("layoutBestPadding").text(),
             QStringLiteral("Best padding: 4 words per row"));
    swizzle.click();
    QCOMPARE(panel().choice().layout, ArrayLayout::swizzled({2, 3, 6}));
    QVERIFY2(verdict().contains("1,408 wavefronts"), qPrintable(verdict()));
    // Of another array there are others.
    part<QToolButton>("layoutArray4").click();
    QCOMPARE(panel().choice().array, std::string("Bs"));
    QTRY_VERIFY(!swizzle.isEnabled() && swizzle.text().startsWith("No swizzle"));
  }

  // The table follows the rung; the array is that of the access until one is chosen.
  void itFollowsTheRungAndTheAccess() {
    QVERIFY(w_->pick(test::stage("padded")));
    part<QToolButton>("layoutPlain").click();
    QVERIFY2(verdict().contains("1,472 wavefronts instead of 1,408"), qPrintable(verdict()));
    // A click on a line of the table goes there.
    auto& table = part<QTableView>("layoutLines");
    const int line = w_->scene().moment.instruction.line;
    test::clickAt(*table.viewport(), table.visualRect(lines().index(0, 0)).center());
    QVERIFY(w_->scene().moment.instruction.line != line);
    QCOMPARE(QString::number(w_->scene().moment.instruction.line),
             lines().index(0, LayoutModel::Line).data().toString());
    QVERIFY(lines().index(0, 0).data(Qt::BackgroundRole).isValid());
    QVERIFY(part<QLabel>("layoutNote").isHidden());
    QVERIFY(w_->pick(test::stage("naive")));
    QVERIFY(part<QLabel>("layoutQuestion").text().contains("nothing in shared memory"));
    QVERIFY(!table.isVisible());
    QVERIFY(!part<QToolButton>("layoutPlain").isVisible());  // nothing to choose from
    const QString why = w_->window.page("layout")->whyEmpty("a.png");
    QVERIFY2(why.startsWith("\"a.png\" is not written") && !why.endsWith("."), qPrintable(why));
    QVERIFY(w_->pick(test::stage("tuned")));
    QVERIFY(table.isVisible() && part<QToolButton>("layoutPlain").isVisible());
  }

  void hoveringEitherPictureSelectsTheSameWord() {
    AccessView& after = *panel().after();
    QVERIFY(after.objectName() == "layoutAfter" && after.geometry().shownRows() > 0);
    const std::uint32_t word = w_->scene().access->cost.addresses[0];
    test::hoverAt(after, after.geometry().cellOfWord(word).value().center());
    QTRY_VERIFY(w_->scene().selection.word.has_value());
    QCOMPARE(w_->scene().selection.word->index, 0u);
  }

  void aSessionKeepsIt() {
    part<QToolButton>("layoutArray4").click();
    part<QToolButton>("layoutSwizzled").click();
    const Session kept = w_->window.session();
    QCOMPARE(kept.layout, panel().choice());
    QCOMPARE(kept.layout.array, std::string("Bs"));
    const auto read = parseSession(sessionText(kept));
    QVERIFY(read.has_value());
    QVERIFY(read->layout == kept.layout);
    OpenWindow other;
    QVERIFY(other.ready());
    other.window.restore(*read);
    QTRY_VERIFY(other.window.currentPage() == "layout");
    QCOMPARE(other.window.view<LayoutPanel>()->choice(), kept.layout);
    QVERIFY(commandLineOf(kept, {0, 0}).find("--layout swizzle:") != std::string::npos);
  }

  // Nothing of the controls is cut off, however small the window.
  void smallWindows() {
    QTRY_VERIFY(part<QPushButton>("layoutBestPadding").isEnabled());
    for (const QSize& size : {QSize(1280, 720), QSize(1920, 1080)}) {
      w_->window.resize(size);
      QTest::qWait(50);
      for (QAbstractButton* b : panel().findChildren<QAbstractButton*>()) {
        if (!b->isVisible()) continue;
        QVERIFY2(b->width() >= b->minimumSizeHint().width(), qPrintable(b->text()));
        QVERIFY2(panel().rect().contains(b->geometry()), qPrintable(b->text()));
      }
      for (AccessView* view : {panel().before(), panel().after()}) {
        QVERIFY(view->width() > 250);
        QVERIFY(view->height() >= view->minimumHeight());
      }
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSharedLayoutTest, Window)
#include "window_shared_layout_test.moc"
