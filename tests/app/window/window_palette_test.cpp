// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette, the keys and their sheet, over the menus of the real window.
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QTemporaryDir>
#include <QTreeWidget>
#include <algorithm>
#include <memory>
#include <set>

#include "app/window/common/settings.h"
#include "app/window/menus/command_palette.h"
#include "app/window/menus/glossary_dialog.h"
#include "app/window/menus/keys_dialog.h"
#include "app/window/menus/palette_commands.h"
#include "app/window/tile_panel.h"
#include "app/window/why_panel.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowPaletteTest : public QObject {
  Q_OBJECT

  QTemporaryDir m_folder;
  std::unique_ptr<OpenWindow> m_shared;  // for what changes nothing

  OpenWindow& shared() {
    if (m_shared == nullptr) m_shared = std::make_unique<OpenWindow>();
    return *m_shared;
  }

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

  // A letter, or Shift and a letter, that no action has, now or when pages have come.
  static QKeySequence freeKey(OpenWindow& w) {
    for (const Qt::KeyboardModifier modifier : {Qt::NoModifier, Qt::ShiftModifier}) {
      for (int letter = Qt::Key_A; letter <= Qt::Key_Z; ++letter) {
        const QKeySequence key(QKeyCombination(modifier, static_cast<Qt::Key>(letter)));
        const auto all = actionsOf(*w.window.menuBar());
        if (std::ranges::none_of(all, [&](const auto& a) { return a.action->shortcut() == key; }))
          return key;
      }
    }
    qFatal("every letter is taken, also with Shift");
  }

 private slots:
  void cleanupTestCase() { m_shared.reset(); }
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
    const auto better = [](const char* typed, const Spoken& first, const Spoken& second) {
      return fit(typed, first) >= 0 && fit(typed, first) < fit(typed, second);
    };
    QCOMPARE(fit("", {"View › Source"}), 0);
    QVERIFY(fit("SOU vi", {"View › Source"}) >= 0);
    QCOMPARE(fit("sourcex", {"View › Source"}), -1);
    const Spoken access{"View › Memory access: sectors and banks"};
    QVERIFY(fit("ban", access) < fit("anks", access));
    QVERIFY(better("bank", {"View › Banks"}, {"File › Export › The bank view…"}));
    QCOMPARE(fit("wavefront", {"View › Banks"}), -1);
    const Spoken described{"View › Banks", {}, "banks, wavefront by wavefront"};
    QVERIFY(fit("wavefront", described) >= 0);
    QVERIFY(better("wavefront", {"View › Wavefronts"}, described));
    // Another name comes between the name and the description.
    QVERIFY(better("wavefront", {"View › Banks", {"wavefront"}}, described));
    QVERIFY(better("wavefront", {"View › Wavefronts"}, {"View › Banks", {"wavefront view"}}));
    // Whole words and numbers before parts of them.
    QVERIFY(better("1 beside 2", {"Compare › 1 beside 2: coalesced"},
                   {"Compare › 12 beside 13: rasterised"}));
    QVERIFY(better("warp", {"Glossary › Warp"}, {"Glossary › Warpgroup"}));
    QVERIFY(better("text", {"View › Large text"}, {"View › Context"}));
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
    QCOMPARE(palette->offered().value(0), QString("Glossary › Wavefront"));
    QVERIFY2(palette->offered().value(1).contains("anks"),
             qPrintable(palette->offered().join("; ")));
    // A lecture export, by its file kinds.
    for (const char* word : {"lecture export", "slides", "handout", "film"}) {
      field->setText(word);
      QVERIFY2(palette->offered().contains("Lecture › Export"), word);
    }
    field->setText("zxqw");
    QVERIFY(palette->offered().isEmpty());
    auto* list = palette->findChild<QTreeWidget*>();
    QCOMPARE(list->topLevelItemCount(), 1);
    QVERIFY(list->topLevelItem(0)->text(0).contains("another word"));
    QTest::keyClick(field, Qt::Key_Return);  // does nothing
    QVERIFY(w.window.isVisible());
    palette->close();
  }

  // Rungs, pages, lectures, examples and terms, each by its name or by a synonym.
  void synonyms_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("offered");
    const auto row = [](const char* typed, const char* offered) {
      QTest::addRow("%s", typed) << typed << offered;
    };
    row("warp tiling", "Ladder › Rung 8: warp tiling");
    row("k-tile swizzle", "");  // no such word
    row("swizzle", "Ladder › Rung T2: swizzled tiles");
    row("TMA", "Glossary › TMA");
    row("copy engine", "Glossary › TMA");
    row("box", "Glossary › Tensor map");
    row("coalescing", "View › Memory access: sectors and banks");
    row("uncoalesced", "Glossary › Coalescing");
    row("occupancy", "Glossary › Occupancy");
    row("spill", "Glossary › Spill");
    row("split-K", "Glossary › Split-K");
    row("stream-K", "Glossary › Stream-K");
    row("descriptor", "Glossary › Descriptor");
    row("setmaxnreg", "Glossary › Register reallocation");
    row("phase", "Glossary › Phase");
    row("ldmatrix", "Glossary › ldmatrix");
    row("padding", "Glossary › Padding");
    row("L2", "Glossary › L2");
    row("arbitration", "Glossary › Arbitration");
    row("conflict", "Glossary › Bank conflict");
    row("tensor core", "Glossary › Tensor core");
    row("roofline", "View › Roofline");
    row("PTX", "Glossary › PTX");
    row("SASS", "Glossary › SASS");
    row("what is a wavefront?", "Glossary › Wavefront");
    row("tour", "Help › Show me around");
    row("tutorial", "Help › Show me around");
    row("knob", "Glossary › Tile parameter");
    row("bank conflicts", "Lecture › Learn alone › Bank conflicts in 15 minutes");
    row("text", "View › Usual text size");
  }
  void synonyms() {
    QFETCH(QString, typed);
    QFETCH(QString, offered);
    CommandPalette palette(shared().window.commands(), &shared().window);
    palette.field()->setText(typed);
    if (offered.isEmpty()) {
      QVERIFY2(palette.offered().isEmpty(), qPrintable(palette.offered().join("; ")));
    } else {
      QVERIFY2(palette.offered().contains(offered),
               qPrintable(palette.offered().mid(0, 8).join("; ")));
    }
  }

  // The first hit, for what newcomers typed.
  void first_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("offered");
    const auto row = [](const char* typed, const char* offered) {
      QTest::addRow("%s", typed) << typed << offered;
    };
    row("1 beside 2", "Compare › Examples › 1 beside 2: coalesced");
    row("12 beside 13", "Compare › Examples › 12 beside 13: block rasterisation");
    row("what is a warp", "Glossary › Warp");
    row("setmaxnreg", "Glossary › Register reallocation");
    row("copy engine", "Glossary › TMA");
    row("What is a bank?", "Glossary › Bank");
    row("what are banks", "Glossary › Bank");
    row("what does occupancy mean", "Glossary › Occupancy");
    row("font", "View › Larger text");
    row("bigger", "View › Larger text");
    row("font size", "View › Larger text");
    row("dark mode", "View › Dark");
    row("dark", "View › Dark");
    row("close comparison", "Compare › Stop comparing");
    row("unpin", "Compare › Stop comparing");
    row("compare naive", "Compare › Beside rung 1: naive");
    row("slow", "Tile › Why not faster?");
    row("why slow", "Tile › Why not faster?");
    row("why", "Tile › Why not faster?");
    row("bottleneck", "Tile › Why not faster?");
    row("naive", "Ladder › Rung 1: naive");
  }
  void first() {
    QFETCH(QString, typed);
    QFETCH(QString, offered);
    CommandPalette palette(shared().window.commands(), &shared().window);
    palette.field()->setText(typed);
    QVERIFY2(palette.offered().value(0) == offered,
             qPrintable(palette.offered().mid(0, 8).join("; ")));
  }

  // Every size of the text is found by what it changes.
  void sizesOfText() {
    CommandPalette palette(shared().window.commands(), &shared().window);
    palette.field()->setText("text size");
    for (const char* name : {"Larger text", "Smaller text", "Usual text size"})
      QVERIFY2(palette.offered().mid(0, 3).contains(QString("View › ") + name), name);
  }

  // Other names of actions of the menus.
  void namesOfMenuActions_data() {
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("offered");
    QTest::newRow("theme") << "night mode"
                           << "View › Dark";
    QTest::newRow("projector") << "projector"
                               << "View › High contrast";
    QTest::newRow("comparison") << "unpin"
                                << "Compare › Stop comparing";
    QTest::newRow("sides") << "exchange the sides"
                           << "Compare › Swap with the baseline";
    QTest::newRow("format of no rung") << "TF32"
                                       << "";
  }
  void namesOfMenuActions() {
    QFETCH(QString, typed);
    QFETCH(QString, offered);
    CommandPalette palette(shared().window.commands(), &shared().window);
    palette.field()->setText(typed);
    QVERIFY2(!palette.offered().isEmpty(), qPrintable(typed));
    if (!offered.isEmpty()) QCOMPARE(palette.offered().front(), offered);
  }

  // Compares with any rung, and shows what costs time, however far that is scrolled.
  void newCommands() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    const auto run = [&](const QString& name) {
      for (const NamedAction& a : w.window.commands()) {
        if (a.name == name) return a.action->trigger();
      }
      qFatal("there is no command %s", qPrintable(name));
    };
    run("Compare › Beside rung 1: naive");
    QTRY_VERIFY(w.explorer().pinned());
    QCOMPARE(w.explorer().pinned()->rung()->rung, 1);
    run("Compare › Stop comparing");
    QTRY_VERIFY(!w.explorer().pinned());
    run("Tile › Why not faster?");
    auto* panel = w.window.findChild<TilePanel*>();
    const QWidget* causes = w.window.findChild<WhyPanel*>()->costs();
    QTRY_VERIFY(causes->isHidden() ||
                panel->viewport()->rect().contains(causes->mapTo(panel->viewport(), QPoint(1, 1))));
  }

  // A term opens the glossary, which links to a page and to a rung.
  void aWordIsExplained() {
    OpenWindow w;
    QVERIFY(w.ready());
    CommandPalette* palette = open(w);
    QTest::keyClicks(palette->field(), "glossary padding");
    QCOMPARE(palette->offered().value(0), QString("Glossary › Padding"));
    QTest::keyClick(palette->field(), Qt::Key_Return);
    QTRY_VERIFY(w.window.findChild<GlossaryDialog*>() != nullptr);
    auto* dialog = w.window.findChild<GlossaryDialog*>();
    QCOMPARE(dialog->current()->term, std::string("Padding"));
    QVERIFY(dialog->explanation().contains("page:layout") &&
            dialog->explanation().contains("rung:padded"));
    auto* text = dialog->findChild<QLabel*>("explanation");
    QCOMPARE(text->textFormat(), Qt::RichText);
    emit text->linkActivated("page:layout");
    QCOMPARE(w.window.currentPage(), std::string_view("layout"));
    emit text->linkActivated("rung:padded");
    QCOMPARE(QString::fromStdString(std::string(w.window.explorer().stage().id)),
             QString("padded"));
    // Synonyms are found, too; without a match a sentence says so.
    dialog->field()->setText("copy engine");
    QCOMPARE(dialog->offered(), QStringList{"TMA"});
    QCOMPARE(dialog->current()->term, std::string("TMA"));
    dialog->field()->setText("zxqw");
    QVERIFY(dialog->current() == nullptr && dialog->explanation().contains("No word"));
    dialog->field()->clear();
    QVERIFY(dialog->offered().size() > 60);
    dialog->close();
  }

  // The key of a page is kept when its menu entry is renamed.
  void keysOfPagesOutliveNames() {
    {
      Settings settings;
      settings.set("keys/View › Shared memory banks", QString("Ctrl+8"));
      OpenWindow w;
      w.window.loadKeys();
      const NamedAction banks = named(w, "View › Memory access: sectors and banks");
      QCOMPARE(banks.action->shortcut(), QKeySequence("Ctrl+8"));
      Settings kept;
      saveKeys(actionsOf(*w.window.menuBar()), kept);
    }
    Settings after;
    QVERIFY(!after.text("keys/View › Shared memory banks"));
    QCOMPARE(after.text("keys/page:banks").value_or(QString()), QString("Ctrl+8"));
    after.remove("keys/page:banks");
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
    QKeySequence free;
    {
      OpenWindow w;
      QVERIFY(w.ready());
      free = freeKey(w);
      named(w, "Help › Keys").action->trigger();
      auto* dialog = w.window.findChild<KeysDialog*>();
      QVERIFY(dialog != nullptr);
      // A key in use is refused, with the name of its action.
      QKeySequenceEdit* field = dialog->fieldOf("View › Charts");
      QVERIFY(field != nullptr);
      field->setKeySequence(QKeySequence("B"));
      emit field->editingFinished();
      QVERIFY2(dialog->message().contains("banks"), qPrintable(dialog->message()));
      QCOMPARE(field->keySequence(), QKeySequence("C"));
      field->setKeySequence(free);
      emit field->editingFinished();
      QVERIFY(dialog->message().isEmpty());
      dialog->close();
      w.window.view<LoomView>()->setFocus();
      QTest::keyClick(w.window.view<LoomView>(), free[0].key(), free[0].keyboardModifiers());
      QCOMPARE(w.window.currentPage(), std::string_view("charts"));
    }
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.loadKeys();
    QCOMPARE(named(w, "View › Charts").action->shortcut(), free);
    QCOMPARE(named(w, "View › Charts").usual, QKeySequence("C"));
    QVERIFY(keySheet(actionsOf(*w.window.menuBar()))
                .contains(QString("<td>Charts</td><td><b>%1</b></td>").arg(free.toString())));
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
