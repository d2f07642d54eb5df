// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing as a person does it: pin, move on, swap, take a pair, stop.
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QTextBrowser>
#include <QToolButton>
#include <QUndoStack>
#include <algorithm>

#include "app/pages/compare/examples_dialog.h"
#include "app/services/teaching_pairs.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/telling_difference.h"
#include "kernels/analysis/totals.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/describe.h"
#include "viz/compare/difference_table.h"

namespace tileloom {

using test::OpenWindow;

class WindowCompareTest : public QObject {
  Q_OBJECT

  static bool compared(OpenWindow& w) {
    return w.settled() && QTest::qWaitFor([&] {
             const Scene& base = w.explorer().baseline();
             const auto& pinned = w.explorer().pinned();
             return base.ready() && pinned && base.recording->trace.stage == pinned->stage &&
                    base.recording->trace.tile == pinned->tile &&
                    base.recording->trace.asked == w.explorer().problem();
           });
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

  // The only one whose name begins so.
  static TeachingPair pairNamed(const QString& begin) {
    auto pairs = teachingPairs();
    std::erase_if(pairs, [&](const TeachingPair& p) { return !p.name.startsWith(begin); });
    if (pairs.size() != 1) qFatal("not one pair of this name");
    return pairs.front();
  }

 private slots:
  void nothingIsComparedAtFirst() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(!w.explorer().pinned());
    QVERIFY(!w.window.baselineView<LoomView>()->isVisible());
    QVERIFY(w.window.view<DifferenceTable>()->rows().empty());
  }

  void pinAndGoOn() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TileShape before = w.explorer().tile();
    w.key(Qt::Key_P);
    QVERIFY(w.explorer().pinned());
    QVERIFY(w.window.baselineView<LoomView>()
                ->isVisible());  // at once, from the recording on the screen
    QVERIFY(w.window.baselineView<BankView>()->isVisible());
    OpenWindow::type(*w.window.view<KnobPanel>()->spinBox(Knob::WNITER), 2);
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().pinned()->tile, before);
    QCOMPARE(w.explorer().tile()[Knob::WNITER], 2);
    QVERIFY(!w.window.view<DifferenceTable>()->rows().empty());
    w.key(Qt::Key_U);
    QVERIFY(!w.explorer().pinned());
    QVERIFY(!w.window.baselineView<LoomView>()->isVisible());
    QVERIFY(w.window.view<DifferenceTable>()->rows().empty());
  }

  void bothStepTogether() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("vectorized")));
    w.key(Qt::Key_BracketLeft);  // rung 5
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().pinned()->stage, &test::stage("blocktile2d"));
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Down, Qt::Key_Down, Qt::Key_PageDown}) {
      w.key(key);
      const auto& now = w.scene().moment.instruction;
      const auto& then = w.explorer().baseline().moment.instruction;
      QCOMPARE(then.kTile, now.kTile);
      if (now.kind == emulator::Kind::SharedLoad) {
        QCOMPARE(then.dot, now.dot);
        QCOMPARE(then.kind, now.kind);
      }
    }
  }

  static QStringList momentsSaid(const OpenWindow& w) {
    QStringList said;
    const QWidget* pair = w.window.baselineView<LoomView>()->parentWidget()->parentWidget();
    for (const auto* label : pair->findChildren<QLabel*>("sideMoment")) {
      if (label->isVisible()) said += label->text();
    }
    return said;
  }

  // A kernel without K tiles meets one with K tiles at the same k, or the headers say where both
  // are.
  void bothAreAtTheSameMomentOrSayWhere() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("warptiled")));
    const Stage& naive = test::stage("naive");
    w.explorer().pin(Pinned{&naive, naive.standardTile()});
    QVERIFY(compared(w));
    w.key(Qt::Key_Home);
    const auto length = static_cast<int>(w.recording().trace.length(0));
    int agree = 0, said = 0;
    for (int i = 0; i < length; i += 5) {
      w.explorer().setIndex(i);
      const Scene &now = w.scene(), &then = w.explorer().baseline();
      QCOMPARE(then.beforeTiles(), now.beforeTiles());
      QCOMPARE(then.afterTiles(), now.afterTiles());
      if (w.explorer().inStep()) {
        ++agree;
        QVERIFY(momentsSaid(w).isEmpty());
        QCOMPARE(emulator::isMultiplyAdd(then.moment.instruction.kind),
                 emulator::isMultiplyAdd(now.moment.instruction.kind));
        QCOMPARE(then.moment.array, now.moment.array);
      } else {
        ++said;
        QCOMPARE(momentsSaid(w).size(), 2);
        QVERIFY(momentsSaid(w).contains(describeStep(now)));
        QVERIFY(momentsSaid(w).contains(describeStep(then)));
      }
    }
    QVERIFY(agree > 0 && said > 0);
    // The first step is the load of A in both.
    w.key(Qt::Key_Home);
    QVERIFY(w.explorer().inStep());
    QCOMPARE(w.explorer().baseline().moment.array, std::string("A"));
    w.key(Qt::Key_U);
    QVERIFY(momentsSaid(w).isEmpty());
  }

  // What is clicked in the baseline is told with its threads, and watched there.
  void aClickBelongsToItsSide() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("warptiled")));
    const Stage& naive = test::stage("naive");
    w.explorer().pin(Pinned{&naive, naive.standardTile()});
    QVERIFY(compared(w));
    // Both have the halves that they keep.
    QTRY_VERIFY(std::abs(w.window.baselineView<LoomView>()->width() -
                         w.window.view<LoomView>()->width()) < 4);
    const auto* told = w.window.findChild<QLabel*>("selection");
    LoomView& left = *w.window.baselineView<LoomView>();
    const analysis::Element element{analysis::Matrix::C, 9, 20};
    const auto owner = w.explorer().baseline().recording->map.ownerOf(9, 20);
    QVERIFY(owner != w.recording().map.ownerOf(9, 20));
    const QPointF at = left.geometry().of(element).center();
    test::hoverAt(left, at);
    QVERIFY(told->text().startsWith("Baseline: "));
    test::clickAt(left, at);
    test::leave(left);
    const Scene* side = &w.explorer().pointedAt();
    QCOMPARE(side, &w.explorer().baseline());
    QVERIFY(side->held);
    QCOMPARE(*side->selection.thread, owner);
    QCOMPARE(side->moment.warp, owner / 32);
    QCOMPARE(told->text(), QString("Baseline: ") + describeSelection(*side));
    QVERIFY(told->text().contains(QString("thread %1 = ").arg(owner)));
    // The other side shows the same element with its own thread.
    QCOMPARE(*w.scene().selection.thread, w.recording().map.ownerOf(9, 20));
    // A click in the present picture is told with the present threads again.
    LoomView& right = *w.window.view<LoomView>();
    const analysis::Element other{analysis::Matrix::C, 3, 4};
    const QPointF there = right.geometry().of(other).center();
    test::hoverAt(right, there);
    test::clickAt(right, there);
    test::leave(right);
    QCOMPARE(&w.explorer().pointedAt(), &w.scene());
    QCOMPARE(told->text(), QString("Now: ") + describeSelection(w.scene()));
    QCOMPARE(w.explorer().baseline().moment.warp, w.scene().moment.warp);
    // The same click again lets go.
    test::clickAt(right, there);
    test::leave(right);
    QVERIFY(told->text().isEmpty());
  }

  // A word of the baseline's shared memory stands in its own picture, too.
  void aWordOfTheBaselineIsHeldThere() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("warptiled")));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    BankView& left = *w.window.baselineView<BankView>();
    QTRY_VERIFY(left.width() > 100);
    const QPointF at = left.geometry().cell(0, 5).center();
    test::hoverAt(left, at);
    const Selection hovered = w.explorer().baseline().selection;
    QVERIFY(hovered.word.has_value());
    test::clickAt(left, at);
    test::leave(left);
    QVERIFY(w.explorer().baseline().selection.word == hovered.word);
    QVERIFY(w.explorer().baseline().held);
  }

  void theBaselineFollowsTheSizeAndTheBlock() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().setProblem({512, 768, 256}), QString());
    QVERIFY(compared(w));
    w.explorer().setBlockAt(300, 700);
    QVERIFY(compared(w));
    QVERIFY(QTest::qWaitFor([&] {
      return w.explorer().baseline().recording->map.c.contains(300, 700) &&
             w.recording().map.c.contains(300, 700);
    }));
  }

  void anElementIsChosenInBoth() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    Selection s;
    s.element = analysis::Element{analysis::Matrix::C, 9, 77};
    w.explorer().hold(s);
    const Scene& base = w.explorer().baseline();
    QVERIFY(base.selection.element == s.element);
    QCOMPARE(int(*base.selection.thread), int(base.recording->map.ownerOf(9, 77)));
    QCOMPARE(int(*w.scene().selection.thread), int(w.recording().map.ownerOf(9, 77)));
  }

  void swapping() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TileShape first = w.explorer().tile();
    w.key(Qt::Key_P);
    OpenWindow::type(*w.window.view<KnobPanel>()->spinBox(Knob::BK), 8);
    QVERIFY(compared(w));
    w.window.showPage("compare");
    QTest::mouseClick(w.window.findChild<QPushButton*>("swap"), Qt::LeftButton);
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().tile(), first);
    QCOMPARE(w.explorer().pinned()->tile[Knob::BK], 8);
  }

  void comparingIsUndone() {
    OpenWindow w;
    QVERIFY(w.ready());
    const ViewState before = w.explorer().state();
    const TeachingPair pair = teachingPairs().front();
    w.explorer().compare(pair.baseline, pair.now);
    QVERIFY(compared(w));
    QCOMPARE(w.window.undoStack().count(), 1);
    w.window.undoStack().undo();
    QVERIFY(w.settled());
    QVERIFY(w.explorer().state().sameChoice(before));
    w.window.undoStack().redo();
    QVERIFY(compared(w));
    QVERIFY(w.explorer().pinned() == pair.baseline);
  }

  // A pair may be seen best on a page of its own, with slower memory.
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
    QVERIFY(&w.explorer().stage() == pair.now.stage);
    // What it teaches is read there: on one line, in a high window all of it, until it is closed.
    QVERIFY(compared(w));
    const auto* line = w.window.findChild<QLabel*>("pairLine");
    const auto* text = w.window.findChild<QLabel*>("pairText");
    QVERIFY(line->isVisible() != text->isVisible());
    QCOMPARE(line->text(), pair.look);
    QCOMPARE(text->text(), pair.look);
    const bool folded = line->isVisible();
    w.window.findChild<QToolButton*>("pairUnfolds")->click();
    QVERIFY(line->isVisible() != folded && text->isVisible() == folded);
    // The page Compare says it itself.
    w.window.showPage("compare");
    QVERIFY(!line->isVisible() && !text->isVisible());
    QVERIFY(w.window.findChild<QLabel*>("look")->isVisible());
    w.window.showPage("waits");
    QVERIFY(text->isVisible() == folded);
    w.window.findChild<QToolButton*>("pairCloses")->click();
    QVERIFY(!line->isVisible() && !text->isVisible());
    // Until another pair is compared.
    const TeachingPair other = pairNamed("TN 16");
    w.explorer().compare(other.baseline, other.now);
    QVERIFY(compared(w));
    QVERIFY(line->isVisible() || text->isVisible());
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!line->isVisible() && !text->isVisible());
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
    QVERIFY(&w.explorer().stage() == pairs[4].now.stage);
    QCOMPARE(w.explorer().problem().m, 8192);
    QCOMPARE(w.window.findChild<QLabel*>("look")->text(), pairs[4].look);
  }

  void pairsAreLegalAndDiffer() {
    const auto pairs = teachingPairs();
    int rungs = 0;
    for (const TeachingPair& pair : pairs) {
      QVERIFY2(isLegal(*pair.baseline.stage, pair.baseline.tile), qPrintable(pair.name));
      QVERIFY2(isLegal(*pair.now.stage, pair.now.tile), qPrintable(pair.name));
      QVERIFY(!(pair.baseline == pair.now));
      QVERIFY(!pair.look.isEmpty());
      // Those that tell why warps get roles may leave rungs out.
      if (pair.baseline.stage == pair.now.stage || pair.group == rolesGroup()) continue;
      QVERIFY2(pair.baseline.stage->id == pair.now.stage->parent, qPrintable(pair.name));
      ++rungs;
    }
    // All but the first of each ladder.
    QCOMPARE(rungs, static_cast<int>(stages().size() + tensorStages().size()) - 2);
    // What the pair of TN 16 says is what the trace counts.
    const auto loop = [](const Pinned& p) {
      return test::recorded({.stage = p.stage->id, .tile = p.tile})->loop();
    };
    const TeachingPair wide = pairNamed("TN 16");
    QVERIFY(loop(wide.baseline).sharedLoadConflicts > 0);
    QCOMPARE(loop(wide.now).sharedLoadConflicts, std::uint64_t{0});
    // And what those of padding say.
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

  // What the sentences about SWIZZLE say is what the trace counts.
  void pairsOfSwizzlesSayWhatIsCounted() {
    const auto at = [](const Pinned& p, const char* array) {
      const auto r = test::recorded({.stage = p.stage->id, .tile = p.tile});
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
    auto* look = w.window.findChild<QLabel*>("look");
    QCOMPARE(look->text(), pair.look);
    OpenWindow::type(*w.window.view<KnobPanel>()->spinBox(Knob::BK), 8);
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
    // Who goes elsewhere stays there.
    w.key(Qt::Key_Home);
    QTest::qWait(50);
    QCOMPARE(w.scene().moment.index, 0u);
  }

  // All pairs in their groups, in a list that a small window holds, found by typing.
  void examplesAreAListThatFits() {
    OpenWindow w({1280, 720});
    QVERIFY(w.ready());
    ExamplesDialog* examples = openExamples(w);
    QVERIFY(examples != nullptr && examples->isVisible());
    QVERIFY(examples->width() <= 1280 && examples->height() <= 720);
    QCOMPARE(examples->offered().size(), qsizetype(teachingPairs().size()));
    // Pictures of what is seen come from recordings, and no others are recorded.
    QTRY_VERIFY(examples->sketches().sketch(0) != nullptr);
    QTRY_VERIFY(examples->sketches().sketch(3) != nullptr);
    QVERIFY(examples->sketches().sketch(teachingPairs().size() - 1) == nullptr);
    QCOMPARE(examples->sketches().sketch(0)->baseline.passes, 32u);
    // The keyboard alone opens the second one that speaks of padding.
    QTest::keyClicks(examples->field(), "pad");
    const QStringList found = examples->offered();
    QVERIFY(found.size() >= 2 && found.size() < 10);
    QTest::keyClick(examples->field(), Qt::Key_Down);
    QTest::keyClick(examples->field(), Qt::Key_Return);
    QVERIFY(compared(w));
    QTRY_VERIFY(w.window.findChild<ExamplesDialog*>() == nullptr);
    const auto pair =
        teachingPair(*w.explorer().pinned(), {&w.explorer().stage(), w.explorer().tile()});
    QVERIFY(pair && pair->name == found[1]);
    // What nothing speaks of lists nothing, and Return does nothing.
    examples = openExamples(w);
    QTest::keyClicks(examples->field(), "zebra");
    QVERIFY(examples->offered().isEmpty());
    QTest::keyClick(examples->field(), Qt::Key_Return);
    QVERIFY(examples->isVisible());
    examples->close();
  }

  // Each page has the baseline, too, or a line that says why not.
  void everyPageShowsBothSidesOrSaysWhyNot() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("warptiled")));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    for (const auto& page : w.window.pages()) {
      const PageRow& row = page->row();
      w.window.showPage(row.id);
      const auto* note = page->widget()->findChild<QLabel*>("whyAlone");
      QVERIFY2(row.showsBothSides == (note == nullptr), row.id);
      QVERIFY2(note == nullptr || (note->isVisible() && !note->text().isEmpty()), row.id);
    }
    for (const char* id : {"path", "fragments", "banks", "sass", "timeline"}) {
      w.window.showPage(id);
      const QWidget* there = w.window.page(id)->widget();
      const auto views = there->findChildren<QWidget*>(QRegularExpression("^baseline"));
      QVERIFY2(std::ranges::any_of(views, [](const QWidget* v) { return v->isVisible(); }), id);
    }
    w.window.showPage("waits");
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!w.window.page("waits")->widget()->findChild<QLabel*>("whyAlone")->isVisible());
  }

  // An illegal tile in the knobs keeps both views as they were.
  void anIllegalTileDisturbsNothing() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    const auto shown = w.explorer().baseline().recording;
    w.explorer().setTile(w.explorer().tile().with(Knob::WNITER, 3));
    QVERIFY(w.scene().stale);
    QVERIFY(w.explorer().baseline().ready());
    w.explorer().pinThis();  // what is on the screen
    QVERIFY(isLegal(*w.explorer().pinned()->stage, w.explorer().pinned()->tile));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowCompareTest, Window)
#include "window_compare_test.moc"
