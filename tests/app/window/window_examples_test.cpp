// SPDX-License-Identifier: GPL-3.0-or-later
// The examples: their list, the page of each, and the facts in their texts.
#include "app/pages/compare/examples_dialog.h"

#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTextBrowser>
#include <QToolButton>

#include "app/pages/compare/pair_line.h"
#include "app/services/teaching/role_pairs.h"
#include "app/services/teaching/teaching_pairs.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/comparing.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::compared;
using test::OpenWindow;
using test::pairNamed;

class WindowExamplesTest : public QObject {
  Q_OBJECT

  // The one line and the whole text of the line of an example: "pair" above the views, "look" on
  // the page Compare.
  static QLabel* lineOf(const OpenWindow& w, const char* name) {
    return w.window.findChild<PairLine*>(name)->findChild<QLabel*>("pairLine");
  }
  static QLabel* textOf(const OpenWindow& w, const char* name) {
    return w.window.findChild<PairLine*>(name)->findChild<QLabel*>("pairText");
  }

  // By its key, once the last one is gone.
  static ExamplesDialog* openExamples(OpenWindow& w) {
    const auto there = [&w] { return w.window.findChild<ExamplesDialog*>(); };
    if (!QTest::qWaitFor([&] { return there() == nullptr; })) qFatal("it does not close");
    w.window.activateWindow();  // as a desktop does
    if (!QTest::qWaitForWindowActive(&w.window)) qFatal("the window is not active");
    QTest::keyClick(&w.window, Qt::Key_D, Qt::ShiftModifier);
    if (there() == nullptr) qFatal("it does not open");
    return there();
  }

 private slots:
  // An example may have a certain page and slower memory.
  void aPairOpensItsPage() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TeachingPair pair = pairNamed("Latency that varies");
    QCOMPARE(QString(pair.page), QString("timeline"));
    QVERIFY(pair.varies > 0);
    auto* button = w.window.findChild<QPushButton*>("whyRoles");
    QVERIFY(button != nullptr && button->menu() != nullptr);
    QStringList names;
    for (QAction* action : button->menu()->actions()) {
      if (action->isSeparator()) continue;
      names += action->text();
      if (action->text() == pair.name) action->trigger();
    }
    QVERIFY(names.size() >= 3);
    QVERIFY(names.contains(pair.name));
    QCOMPARE(w.window.currentPage(), std::string_view("timeline"));
    QCOMPARE(w.window.session().timeline.delay, pair.delay);
    QCOMPARE(w.window.session().timeline.varies, pair.varies);
    QVERIFY(w.explorer().pinned() == pair.baseline);
    QVERIFY(&w.explorer().stage() == pair.now.rung());
    // Its text is shown: on one line, in a high window all of it, until it is closed.
    QVERIFY(compared(w));
    const auto* line = lineOf(w, "pair");
    const auto* text = textOf(w, "pair");
    QVERIFY(line->isVisible() != text->isVisible());
    QCOMPARE(line->text(), pair.look);
    QCOMPARE(text->text(), pair.look);
    const bool folded = line->isVisible();
    w.window.findChild<PairLine*>("pair")->findChild<QToolButton*>("pairUnfolds")->click();
    QVERIFY(line->isVisible() != folded && text->isVisible() == folded);
    // The page Compare shows the text itself.
    w.window.showPage("compare");
    QVERIFY(!line->isVisible() && !text->isVisible());
    QVERIFY(lineOf(w, "look")->isVisible() || textOf(w, "look")->isVisible());
    w.window.showPage("waits");
    QVERIFY(text->isVisible() == folded);
    w.window.findChild<QToolButton*>("pairCloses")->click();
    QVERIFY(!line->isVisible() && !text->isVisible());
    // Until the next example.
    const TeachingPair other = pairNamed("TN 16");
    w.explorer().compare(other.baseline, other.now);
    QVERIFY(compared(w));
    QVERIFY(line->isVisible() || text->isVisible());
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!line->isVisible() && !text->isVisible());
  }

  // A text that fits on one line has nothing to unfold, and a long one can be folded, also on the
  // page Compare.
  void onlyALongTextUnfolds() {
    OpenWindow w({1280, 800});
    QVERIFY(w.ready());
    const auto fold = [&](const char* name) {
      return w.window.findChild<PairLine*>(name)->findChild<QToolButton*>("pairUnfolds");
    };
    const TeachingPair brief = pairNamed("8 beside 9");
    QVERIFY(brief.look.size() < 50);
    w.explorer().compare(brief.baseline, brief.now);
    QVERIFY(compared(w));
    QTRY_VERIFY(lineOf(w, "pair")->isVisible());
    QVERIFY(!fold("pair")->isVisible() && !textOf(w, "pair")->isVisible());
    const TeachingPair tall = pairNamed("Latency that varies");
    w.explorer().compare(tall.baseline, tall.now);
    QVERIFY(compared(w));
    w.window.showPage("compare");
    QTRY_VERIFY(fold("look")->isVisible());
    if (!lineOf(w, "look")->isVisible()) fold("look")->click();
    QVERIFY(lineOf(w, "look")->isVisible() && !textOf(w, "look")->isVisible());
    fold("look")->click();
    QVERIFY(textOf(w, "look")->isVisible() && !lineOf(w, "look")->isVisible());
    // Back at a short one: neither arrow nor an empty line, although the last was unfolded.
    w.explorer().compare(brief.baseline, brief.now);
    QVERIFY(compared(w));
    QTRY_VERIFY(lineOf(w, "look")->isVisible());
    QVERIFY(!fold("look")->isVisible() && !textOf(w, "look")->isVisible());
  }

  // The sentences of a group are one text, in their order, and each paragraph leads to its pair.
  void aGroupCanBeReadAsOneText() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* button = w.window.findChild<QPushButton*>("whyRoles");
    QVERIFY(button != nullptr && button->menu() != nullptr);
    button->menu()->actions().back()->trigger();
    auto* text = w.window.findChild<QTextBrowser*>("pairsText");
    QVERIFY(text != nullptr && text->isVisible());
    const QString all = text->toPlainText();
    qsizetype at = 0;
    std::vector<TeachingPair> pairs;
    for (const TeachingPair& pair : teachingPairs()) {
      if (pair.group != rolesGroup()) continue;
      const qsizetype name = all.indexOf(pair.name, at), look = all.indexOf(pair.look, name);
      QVERIFY2(name >= at && look > name, qPrintable(pair.name));
      at = look;
      pairs.push_back(pair);
    }
    QCOMPARE(pairs.size(), std::size_t{9});
    // The fifth one is about 8192.
    emit text->anchorClicked(QUrl("#5"));
    QVERIFY(compared(w));
    QVERIFY(w.explorer().pinned() == pairs[4].baseline);
    QVERIFY(&w.explorer().stage() == pairs[4].now.rung());
    QCOMPARE(w.explorer().problem().m, 8192);
    QCOMPARE(textOf(w, "look")->text(), pairs[4].look);
  }

  void pairsAreLegalAndDiffer() {
    const auto pairs = teachingPairs();
    int rungs = 0;
    for (const TeachingPair& pair : pairs) {
      QVERIFY2(isLegal(*pair.baseline.rung(), pair.baseline.tile), qPrintable(pair.name));
      QVERIFY2(isLegal(*pair.now.rung(), pair.now.tile), qPrintable(pair.name));
      QVERIFY(!(pair.baseline == pair.now));
      QVERIFY(!pair.look.isEmpty());
      // Those that explain warp specialisation may leave rungs out.
      if (pair.baseline.rung() == pair.now.rung() || pair.group == rolesGroup()) continue;
      QVERIFY2(pair.baseline.rung()->id == pair.now.rung()->parent, qPrintable(pair.name));
      ++rungs;
    }
    // All but the first of each ladder.
    QCOMPARE(rungs, static_cast<int>(stages().size() + tensorStages().size()) - 2);
    // The text of the example with TN 16 matches the counts of the trace.
    const auto loop = [](const Subject& p) {
      return test::recorded({.stage = p.rung()->id, .tile = p.tile})->loop();
    };
    const TeachingPair wide = pairNamed("TN 16");
    QVERIFY(loop(wide.baseline).sharedLoadConflicts > 0);
    QCOMPARE(loop(wide.now).sharedLoadConflicts, std::uint64_t{0});
    // So do the texts on padding.
    const TeachingPair four = pairNamed("PAD 0"), eight = pairNamed("PAD 4 beside PAD 8");
    QVERIFY(loop(four.baseline).sharedStoreConflicts > 0);
    QCOMPARE(loop(four.now).sharedStoreConflicts, std::uint64_t{0});
    QVERIFY(four.now == eight.baseline);
    QVERIFY(loop(eight.now).sharedStoreConflicts > 0);
    for (const TeachingPair& pair : {four, eight}) {
      QCOMPARE(loop(pair.baseline).sharedLoadConflicts, std::uint64_t{0});
      QCOMPARE(loop(pair.now).sharedLoadConflicts, std::uint64_t{0});
    }
  }

  // The texts on SWIZZLE match the counts of the trace.
  void pairsOfSwizzlesSayWhatIsCounted() {
    const auto at = [](const Subject& p, const char* array) {
      const auto r = test::recorded({.stage = p.rung()->id, .tile = p.tile});
      std::uint32_t index = 0;
      for (analysis::Moment m = r->moment(0, 0);
           m.array != array || emulator::isStore(m.instruction.kind);) {
        m = r->moment(0, ++index);
      }
      return r->moment(0, index);
    };
    const TeachingPair rows = pairNamed("SWIZZLE 0"), narrow = pairNamed("SWIZZLE 32");
    QVERIFY(narrow.now == rows.now);
    for (const char* array : {"As", "Bs"}) {
      QCOMPARE(at(rows.baseline, array).cost.wavefronts(), 32u);
      QCOMPARE(at(rows.now, array).cost.wavefronts(), 4u);
      QCOMPARE(at(narrow.baseline, array).cost.wavefronts(), 4u);
    }
    for (const char* array : {"A", "B"}) {
      const analysis::Moment before = at(narrow.baseline, array), after = at(narrow.now, array);
      QCOMPARE(before.cost.global.sectors, 16u);
      QCOMPARE(before.cost.global.lines, 16u);
      QCOMPARE(after.cost.global.sectors, 16u);
      QCOMPARE(after.cost.global.lines, 4u);
    }
  }

  void aPairSaysWhatToLookAt() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TeachingPair pair = pairNamed("TN 16");
    w.explorer().compare(pair.baseline, pair.now);
    QVERIFY(compared(w));
    auto* look = textOf(w, "look");
    QCOMPARE(look->text(), pair.look);
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::BK), 8);
    QVERIFY(compared(w));
    QVERIFY(look->text().isEmpty());
  }

  // A pair opens at the access that differs most, on both sides, also as the rung before.
  void aPairOpensWhereItIsSeen() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto telling = [&] {
      return analysis::tellingDifference(*w.explorer().baseline().recording, w.recording(), 0);
    };
    for (const char* begin : {"TN 16", "PAD 0", "SWIZZLE 0", "7 beside 8"}) {
      const TeachingPair pair = pairNamed(begin);
      ExamplesDialog* examples = openExamples(w);
      examples->field()->setText(pair.name);
      QCOMPARE(examples->offered(), QStringList{pair.name});
      QTest::keyClick(examples->field(), Qt::Key_Return);
      QVERIFY(compared(w));
      QTRY_COMPARE(w.scene().moment.index, telling());
      const auto& moment = w.explorer().baseline().moment;
      QVERIFY(moment.array == w.scene().moment.array);
      QVERIFY(moment.cost.conflicts() > 0);
      QCOMPARE(w.scene().moment.cost.conflicts(), 0u);
      QVERIFY(w.explorer().inStep());
    }
    w.explorer().pin(std::nullopt);
    w.explorer().setIndex(0);
    w.window.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&w.window));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    QTRY_COMPARE(w.scene().moment.index, telling());
    QVERIFY(w.scene().moment.index > 0);
    // Another chosen instant stays.
    w.key(Qt::Key_Home);
    QTest::qWait(50);
    QCOMPARE(w.scene().moment.index, 0u);
  }

  // All examples in their groups, in a list that fits a small window, found by typing.
  void examplesAreAListThatFits() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    ExamplesDialog* examples = openExamples(w);
    QVERIFY(examples != nullptr && examples->isVisible());
    QVERIFY(examples->width() <= 1280 && examples->height() <= 720);
    QCOMPARE(examples->offered().size(), qsizetype(teachingPairs().size()));
    // Only the visible pictures are recorded.
    QTRY_VERIFY(examples->sketches().sketch(0) != nullptr);
    QTRY_VERIFY(examples->sketches().sketch(3) != nullptr);
    QVERIFY(examples->sketches().sketch(teachingPairs().size() - 1) == nullptr);
    QCOMPARE(examples->sketches().sketch(0)->baseline.passes, 32u);
    // The keyboard alone opens the second example on padding.
    QTest::keyClicks(examples->field(), "pad");
    const QStringList found = examples->offered();
    QVERIFY(found.size() >= 2 && found.size() < 10);
    QTest::keyClick(examples->field(), Qt::Key_Down);
    QTest::keyClick(examples->field(), Qt::Key_Return);
    QVERIFY(compared(w));
    QTRY_VERIFY(w.window.findChild<ExamplesDialog*>() == nullptr);
    const auto pair = teachingPair(*w.explorer().pinned(),
                                   usualSubject(w.explorer().stage(), w.explorer().tile()));
    QVERIFY(pair && pair->name == found[1]);
    // A word without a match lists nothing, and Return does nothing.
    examples = openExamples(w);
    QTest::keyClicks(examples->field(), "zebra");
    QVERIFY(examples->offered().isEmpty());
    QTest::keyClick(examples->field(), Qt::Key_Return);
    QVERIFY(examples->isVisible());
    examples->close();
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowExamplesTest, Window)
#include "window_examples_test.moc"
