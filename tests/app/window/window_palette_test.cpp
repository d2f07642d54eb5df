// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette, the keys and their sheet, over the menus of the real window.
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <algorithm>
#include <set>

#include "app/window/command_palette.h"
#include "app/window/keys_dialog.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowPaletteTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;

  static CommandPalette* open(OpenWindow& w) {
    QTest::keyClick(w.window.view<LoomView>(), Qt::Key_K, Qt::ControlModifier);
    return w.window.findChild<CommandPalette*>();
  }

  static NamedAction named(const OpenWindow& w, const QString& name) {
    for (const NamedAction& a : actionsOf(*w.window.menuBar())) {
      if (a.name == name) return a;
    }
    qFatal("there is no action %s", qPrintable(name));
  }

  // A letter that no action has, now or when pages have come.
  static QChar freeKey(OpenWindow& w) {
    for (char letter = 'A'; letter <= 'Z'; ++letter) {
      const QKeySequence key{QString(QChar::fromLatin1(letter))};
      const auto all = actionsOf(*w.window.menuBar());
      if (std::ranges::none_of(all, [&](const auto& a) { return a.action->shortcut() == key; }))
        return QChar::fromLatin1(letter);
    }
    qFatal("every letter is taken");
  }

 private slots:
  void initTestCase() { qputenv("XDG_CONFIG_HOME", m_folder.path().toUtf8()); }

  void everyActionHasANameAndNoKeyTwice() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto actions = actionsOf(*w.window.menuBar());
    QVERIFY(actions.size() > 30);
    std::set<QString> names, keys;
    for (const NamedAction& a : actions) {
      QVERIFY2(names.insert(a.name).second, qPrintable(a.name));
      QVERIFY2(!a.name.contains('&') && a.name.contains(" › "), qPrintable(a.name));
      for (const QKeySequence& key : a.action->shortcuts())
        QVERIFY2(keys.insert(key.toString()).second, qPrintable(a.name));
    }
  }

  void words() {
    QCOMPARE(fit("", "View › Source"), 0);
    QVERIFY(fit("SOU vi", "View › Source") >= 0);
    QCOMPARE(fit("sourcex", "View › Source"), -1);
    QVERIFY(fit("ban", "View › Memory access: sectors and banks") <
            fit("anks", "View › Memory access: sectors and banks"));
    QVERIFY(fit("bank", "View › Banks") < fit("bank", "File › Export › The bank view…"));
    QCOMPARE(fit("wavefront", "View › Banks"), -1);
    QVERIFY(fit("wavefront", "View › Banks", "banks, wavefront by wavefront") >= 0);
    QVERIFY(fit("wavefront", "View › Wavefronts") < fit("wavefront", "View › Banks", "wavefront"));
  }

  void whatNewcomersType() {
    OpenWindow w;
    QVERIFY(w.ready());
    CommandPalette* palette = open(w);
    auto* field = palette->findChild<QLineEdit*>();
    field->setText("bank");
    QVERIFY2(palette->offered().value(0).startsWith("View ›"),
             qPrintable(palette->offered().value(0)));
    field->setText("wavefront");
    QVERIFY(!palette->offered().isEmpty());
    QVERIFY2(palette->offered().value(0).contains("anks"), qPrintable(palette->offered().value(0)));
    // Of a lecture, by what it becomes.
    for (const char* word : {"lecture export", "slides", "handout", "film"}) {
      field->setText(word);
      QVERIFY2(palette->offered().contains("Lecture › Export"), word);
    }
    field->setText("zxqw");
    QVERIFY(palette->offered().isEmpty());
    auto* list = palette->findChild<QTreeWidget*>();
    QCOMPARE(list->topLevelItemCount(), 1);
    QVERIFY(list->topLevelItem(0)->text(0).contains("another word"));
    QTest::keyClick(field, Qt::Key_Return);  // which does nothing
    QVERIFY(w.window.isVisible());
    palette->close();
  }

  void typedAndDone() {
    OpenWindow w;
    QVERIFY(w.ready());
    CommandPalette* palette = open(w);
    QVERIFY(palette != nullptr);
    QVERIFY(palette->offered().size() > 30);
    QVERIFY(!palette->offered().contains("Edit › Undo"));  // there is nothing to undo
    QTest::keyClicks(palette->field(), "source");
    QCOMPARE(palette->offered().first(), "View › Source");
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QTRY_COMPARE(w.window.currentPage(), std::string_view("source"));
    QTRY_VERIFY(w.window.findChild<CommandPalette*>() == nullptr);
  }

  void arrowsChoose() {
    OpenWindow w;
    QVERIFY(w.ready());
    CommandPalette* palette = open(w);
    QVERIFY(palette != nullptr);
    QTest::keyClicks(palette->field(), "chart view");
    const auto at = palette->offered().indexOf("View › Ladder chart");
    QVERIFY(at >= 0);
    for (int i = 0; i < at; ++i) QTest::keyClick(palette->field(), Qt::Key_Down);
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QTRY_COMPARE(w.window.currentPage(), std::string_view("ladder"));
  }

  void nothingFitsAndNothingHappens() {
    OpenWindow w;
    QVERIFY(w.ready());
    CommandPalette* palette = open(w);
    QTest::keyClicks(palette->field(), "no such thing");
    QVERIFY(palette->offered().isEmpty());
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QVERIFY(palette->isVisible());
    QTest::keyClick(palette->field(), Qt::Key_Escape);
    QTRY_VERIFY(w.window.findChild<CommandPalette*>() == nullptr);
  }

  void aKeyIsChangedAndKept() {
    QString free;
    {
      OpenWindow w;
      QVERIFY(w.ready());
      free = freeKey(w);
      named(w, "Help › Keys").action->trigger();
      auto* dialog = w.window.findChild<KeysDialog*>();
      QVERIFY(dialog != nullptr);
      // One that is taken is refused, and says whose it is.
      QKeySequenceEdit* field = dialog->fieldOf("View › Charts");
      QVERIFY(field != nullptr);
      field->setKeySequence(QKeySequence("B"));
      emit field->editingFinished();
      QVERIFY2(dialog->message().contains("banks"), qPrintable(dialog->message()));
      QCOMPARE(field->keySequence(), QKeySequence("C"));
      field->setKeySequence(QKeySequence(free));
      emit field->editingFinished();
      QVERIFY(dialog->message().isEmpty());
      dialog->close();
      w.window.view<LoomView>()->setFocus();
      QTest::keyClick(w.window.view<LoomView>(), free.front().toLatin1());
      QCOMPARE(w.window.currentPage(), std::string_view("charts"));
    }
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.loadKeys();
    QCOMPARE(named(w, "View › Charts").action->shortcut(), QKeySequence(free));
    QCOMPARE(named(w, "View › Charts").usual, QKeySequence("C"));
    QVERIFY(keySheet(actionsOf(*w.window.menuBar()))
                .contains(QString("<td>Charts</td><td><b>%1</b></td>").arg(free)));
  }

  void keptKeysThatMakeNoSense() {
    Settings kept;
    kept.set("keys/View › Source", QString("B"));  // taken
    kept.set("keys/No such menu › Nothing", QString("X"));
    kept.set("keys/View › Dark", 17);
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.loadKeys();
    QCOMPARE(named(w, "View › Source").action->shortcut(), QKeySequence("S"));
    QCOMPARE(named(w, "View › Memory access: sectors and banks").action->shortcut(),
             QKeySequence("B"));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowPaletteTest, Window)
#include "window_palette_test.moc"
