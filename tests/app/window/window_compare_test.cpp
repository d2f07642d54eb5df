// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing as a person does it: pin, move on, swap, take a pair, stop.
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QUndoStack>
#include <algorithm>
#include <cmath>

#include "app/services/teaching_pairs.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "tests/app/comparing.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/describe.h"
#include "viz/compare/difference_table.h"

namespace tileloom {

using test::compared;
using test::OpenWindow;

class WindowCompareTest : public QObject {
  Q_OBJECT

  // Warp tiling beside the naive kernel.
  static bool besideNaive(OpenWindow& w) {
    const Stage& naive = test::stage("naive");
    if (!w.ready() || !w.pick(test::stage("warptiled"))) return false;
    w.explorer().pin(Pinned{&naive, naive.standardTile()});
    return compared(w);
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
    QVERIFY(besideNaive(w));
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
    QVERIFY(besideNaive(w));
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
