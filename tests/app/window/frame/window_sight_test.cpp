// SPDX-License-Identifier: GPL-3.0-or-later
// Themes, text size, motion and the cell cursor of the window.
#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QTemporaryDir>

#include "app/window/common/actions.h"
#include "app/window/tile_panel.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe_cell.h"
#include "viz/panels/parameter_turns.h"

namespace tileloom {

using test::OpenWindow;

class WindowSightTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  static QAction* action(OpenWindow& w, const QString& name) {
    for (const NamedAction& a : actionsOf(*w.window.menuBar())) {
      if (a.name == name) return a.action;
    }
    return nullptr;
  }

 private slots:
  void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }
  void cleanup() { QApplication::setPalette(Theme::make(Look::Dark).palette()); }

  void themes() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const auto& [name, look] : {std::pair{"View › High contrast", Look::Contrast},
                                     {"View › Light", Look::Light},
                                     {"View › Dark", Look::Dark}}) {
      QAction* a = action(w, name);
      QVERIFY2(a != nullptr, name);
      a->trigger();
      QCOMPARE(w.window.sight().look(), look);
      QVERIFY(a->isChecked());
      QTRY_COMPARE(w.window.view<LoomView>()->grab().toImage().pixelColor(3, 3),
                   Theme::make(look).ground);
      QCOMPARE(w.window.session().theme, look);
      QVERIFY(w.window.commandLine().contains(
          QString("--theme %1").arg(QString::fromStdString(std::string(nameOf(look))))));
    }
    Session session = w.window.session();
    session.theme = Look::Contrast;
    w.window.restore(session);
    QCOMPARE(w.window.sight().look(), Look::Contrast);
    QVERIFY(action(w, "View › High contrast")->isChecked());
  }

  // Coloured texts change with the theme, too.
  void wordsFollowTheTheme() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const Look look : {Look::Light, Look::Dark, Look::Contrast, Look::Dark}) {
      w.window.sight().setLook(look);
      const Theme theme = Theme::make(look);
      for (const char* name : {"derived", "about"}) {
        auto* label = w.window.findChild<QLabel*>(name);
        QTRY_COMPARE(label->palette().color(QPalette::WindowText), theme.soft);
      }
    }
  }

  void textGrowsEverywhere() {
    OpenWindow w;
    QVERIFY(w.ready());
    const double usual = QApplication::font().pointSizeF();
    const int bar = w.window.menuBar()->height();
    const double parameter = w.window.view<ParameterPanel>()->slider(Parameter::BM)->height();
    const auto rung = [&] {  // the current one's row, which is never cut short
      LadderList& list = *w.window.view<LadderList>();
      return list.visualItemRect(list.currentItem()).height();
    };
    const int ladder = rung();
    for (int i = 0; i < 10; ++i) QTest::keyClick(&w.window, Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(w.window.sight().textSize(), 200);
    QCOMPARE(QApplication::font().pointSizeF(), 2 * usual);
    QTRY_VERIFY(w.window.menuBar()->height() > 1.5 * bar);
    QTRY_VERIFY(w.window.view<ParameterPanel>()->slider(Parameter::BM)->height() > 1.6 * parameter);
    QTRY_VERIFY(rung() > 1.6 * ladder);
    QTest::keyClick(&w.window, Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(w.window.sight().textSize(), 225);
    for (int i = 0; i < 9; ++i) QTest::keyClick(&w.window, Qt::Key_Plus, Qt::ControlModifier);
    QCOMPARE(w.window.sight().textSize(), 300);  // and no more
    QVERIFY(w.window.commandLine().contains("--text 300"));
    QTest::keyClick(&w.window, Qt::Key_Minus, Qt::ControlModifier);
    QCOMPARE(w.window.sight().textSize(), 275);

    const Session session = w.window.session();
    QCOMPARE(session.text, std::optional(275));
    QTest::keyClick(&w.window, Qt::Key_0, Qt::ControlModifier);
    QCOMPARE(w.window.sight().textSize(), 100);
    QCOMPARE(QApplication::font().pointSizeF(), usual);
    w.window.restore(session);
    QCOMPARE(w.window.sight().textSize(), 275);
    Session older = session;
    older.text.reset();
    w.window.restore(older);
    QCOMPARE(w.window.sight().textSize(), 275);
    QTest::keyClick(&w.window, Qt::Key_Minus, Qt::ControlModifier);
  }

  // The next window begins with the settings of the last one, and restores the font.
  void textSizeIsKept() {
    const double usual = QApplication::font().pointSizeF();
    {
      OpenWindow w;
      QVERIFY(w.ready());
      QCOMPARE(w.window.sight().textSize(), 100);
      w.window.sight().load();
      QCOMPARE(w.window.sight().textSize(), 250);
      QCOMPARE(QApplication::font().pointSizeF(), 2.5 * usual);
    }
    QCOMPARE(QApplication::font().pointSizeF(), usual);
  }

  // The largest text pushes nothing out of a window of default size.
  void largestTextFits() {
    OpenWindow w;
    QVERIFY(w.ready());
    for (const int percent : {150, 200, 300}) {
      w.window.sight().setTextSize(percent);
      QTRY_COMPARE(w.window.font().pointSizeF(), QApplication::font().pointSizeF());
      for (const std::string_view tab : kTabIds) {
        w.window.showPage(tab);
        QTest::qWait(30);
        QVERIFY2(w.window.height() <= 1000 && w.window.width() <= 1600,
                 qPrintable(QString("%1, tab %2: %3 × %4")
                                .arg(percent)
                                .arg(QString::fromUtf8(tab.data()))
                                .arg(w.window.width())
                                .arg(w.window.height())));
      }
      w.window.showPage("banks");
      QTest::qWait(30);
      for (QWidget* part : {static_cast<QWidget*>(w.window.view<LoomView>()),
                            static_cast<QWidget*>(w.window.view<BankView>()),
                            static_cast<QWidget*>(w.window.view<TransportBar>()),
                            static_cast<QWidget*>(w.window.view<LadderList>()),
                            static_cast<QWidget*>(w.window.menuBar())}) {
        // The visible part: scrolled content may be larger.
        QRect place(part->mapTo(&w.window, QPoint(0, 0)), part->size());
        for (const QWidget* above = part; above != &w.window; above = above->parentWidget())
          place &= QRect(above->mapTo(&w.window, QPoint(0, 0)), above->size());
        QVERIFY2(!place.isEmpty(), part->metaObject()->className());
        QVERIFY2(w.window.rect().contains(place), part->metaObject()->className());
      }
      QVERIFY(w.window.view<LoomView>()->width() > 500);
      auto* size = w.window.findChild<QLineEdit*>("size");
      QVERIFY(size->width() > QFontMetrics(size->font()).horizontalAdvance(size->text()));
    }
    w.window.sight().setTextSize(100);
  }

  // The tile panel scrolls only vertically: wider content would be cut off.
  void theTilePanelCutsNothingOff() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* panel = w.window.findChild<TilePanel*>();
    for (const char* id : {"naive", "tuned"}) {
      QVERIFY(w.pick(test::stage(id)));
      // The causes of the time come later than the recording.
      QTRY_VERIFY(panel->findChild<ParameterTurns*>()->isVisible());
      for (const QSize size : {QSize(1280, 720), QSize(1600, 1000), QSize(1920, 1080)}) {
        w.window.resize(size);
        QTRY_VERIFY2(panel->widget()->width() <= panel->viewport()->width(),
                     qPrintable(QString("%1 at %2: %3 in %4")
                                    .arg(id)
                                    .arg(size.width())
                                    .arg(panel->widget()->width())
                                    .arg(panel->viewport()->width())));
      }
    }
  }

  void reducedMotionJumps() {
    OpenWindow w;
    QVERIFY(w.ready());
    QAction* still = action(w, "View › Reduced motion");
    QVERIFY(still != nullptr);
    w.window.sight().setReducedMotion(false);
    const auto wide = [&] { return w.window.view<LoomView>()->geometry().detail() == 0.0; };
    w.window.view<LoomView>()->zoomTo(LoomView::Level::Block, false);
    w.key(Qt::Key_1);
    QVERIFY(!wide());  // in flight
    QTRY_VERIFY(wide());
    w.window.view<LoomView>()->zoomTo(LoomView::Level::Block, false);
    still->trigger();
    QVERIFY(w.window.sight().reducedMotion());
    w.key(Qt::Key_1);
    QVERIFY(wide());
    QCOMPARE(w.window.style()->styleHint(QStyle::SH_Widget_Animation_Duration), 0);
    QVERIFY(!QApplication::isEffectEnabled(Qt::UI_AnimateMenu));

    OpenWindow next;
    QVERIFY(next.ready());
    next.window.sight().load();
    QVERIFY(next.window.sight().reducedMotion());
    next.window.sight().setReducedMotion(false);
  }

  // F2, arrows, Enter, Escape: the selection is shared, and playing has its keys back afterwards.
  void cursorByKeys() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto index = w.scene().moment.index;
    w.key(Qt::Key_F2);
    QVERIFY(w.window.view<LoomView>()->cursorMode());
    const auto first = w.scene().selection.element;
    QVERIFY(first.has_value());
    w.key(Qt::Key_Right);
    w.key(Qt::Key_Down);
    QCOMPARE(w.scene().moment.index, index);  // nothing was played
    QCOMPARE(w.scene().selection.element->row, first->row + 1);
    QCOMPARE(w.scene().selection.element->column, first->column + 1);
    QVERIFY(w.scene().selection.thread.has_value());
    QAccessibleInterface* said = QAccessible::queryAccessibleInterface(w.window.view<LoomView>());
    QCOMPARE(said->text(QAccessible::Description),
             describeCell(w.scene(), *w.scene().selection.element));
    w.key(Qt::Key_Return);
    QVERIFY(w.scene().held);
    w.key(Qt::Key_Escape);
    QVERIFY(!w.window.view<LoomView>()->cursorMode());
    w.key(Qt::Key_Right);
    QCOMPARE(w.scene().moment.index, index + 1);

    // Tab leads on to the other views, where the same key does the same.
    w.window.view<BankView>()->setFocus(Qt::TabFocusReason);
    w.key(Qt::Key_F2);
    QVERIFY(w.window.view<BankView>()->cursorMode() && !w.window.view<LoomView>()->cursorMode());
    w.key(Qt::Key_PageDown);
    QCOMPARE(w.scene().moment.index, index + 1);
    w.key(Qt::Key_F2);
    QVERIFY(!w.window.view<BankView>()->cursorMode());
    // From other widgets it goes to the loom.
    w.window.view<LadderList>()->setFocus();
    w.key(Qt::Key_F2);
    QVERIFY(w.window.view<LoomView>()->hasFocus() && w.window.view<LoomView>()->cursorMode());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSightTest, Window)
#include "window_sight_test.moc"
