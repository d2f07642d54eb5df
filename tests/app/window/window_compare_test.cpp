// SPDX-License-Identifier: GPL-3.0-or-later
// Comparing in the window: pin, move on, swap, choose an example, stop.
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QUndoStack>
#include <algorithm>
#include <cmath>

#include "app/services/teaching/teaching_pairs.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "tests/app/comparing.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"
#include "viz/base/widgets/side_by_side.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_view.h"
#include "viz/compare/difference_table.h"
#include "viz/ring/ring_view.h"
#include "viz/waits/waits_view.h"

namespace tileloom {

using test::compared;
using test::OpenWindow;

class WindowCompareTest : public QObject {
  Q_OBJECT

  // Warp tiling beside the naive kernel.
  static bool besideNaive(OpenWindow& w) {
    const Stage& naive = test::stage("naive");
    if (!w.ready() || !w.pick(test::stage("warptiled"))) return false;
    w.explorer().pin(standardSubject(naive));
    return compared(w);
  }

  template <class View>
  static View* baselineOf(OpenWindow& w, const char* page, const char* name) {
    w.window.showPage(page);
    return w.window.page(page)->widget()->findChild<View*>(name);
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
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::WNITER), 2);
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().pinned()->tile, before);
    QCOMPARE(w.explorer().tile()[Parameter::WNITER], 2);
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
    QCOMPARE(w.explorer().pinned()->rung(), &test::stage("blocktile2d"));
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

  // A kernel without K tiles is compared with one with K tiles at the same k, or the headers say
  // where both are.
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

  // A click in the baseline selects with its threads, and watches there.
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
    // A click in the present picture selects with the present threads again.
    LoomView& right = *w.window.view<LoomView>();
    const analysis::Element other{analysis::Matrix::C, 3, 4};
    const QPointF there = right.geometry().of(other).center();
    test::hoverAt(right, there);
    test::clickAt(right, there);
    test::leave(right);
    QCOMPARE(&w.explorer().pointedAt(), &w.scene());
    QCOMPARE(told->text(), QString("Now: ") + describeSelection(w.scene()));
    QCOMPARE(w.explorer().baseline().moment.warp, w.scene().moment.warp);
    // The same click again releases the selection.
    test::clickAt(right, there);
    test::leave(right);
    QVERIFY(told->text().isEmpty());
  }

  // A word of the baseline's shared memory is in its own picture, too.
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

  // As in the examples, the earlier rung is the baseline, whichever key asks for it.
  void theEarlierRungIsTheBaseline() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("autotuned")));
    w.key(Qt::Key_BracketRight);
    QVERIFY(compared(w));
    const auto pinned = w.explorer().pinned();
    QCOMPARE(pinned->rung(), &test::stage("autotuned"));
    QCOMPARE(&w.explorer().stage(), &test::stage("warptiled"));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    QVERIFY(w.explorer().pinned() == pinned);
    QCOMPARE(&w.explorer().stage(), &test::stage("warptiled"));
  }

  // The grids of both say how many waves their blocks take.
  void bothGridsKnowTheirWaves() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("coalesced")));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    QTRY_VERIFY(w.scene().residency);
    QTRY_VERIFY(w.explorer().baseline().residency);
    QCOMPARE(w.explorer().baseline().residency->sms, w.scene().residency->sms);
  }

  // An example of single accesses leaves the level at which lanes are too small to be seen.
  void anExampleShowsLanes() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_1);
    QVERIFY(w.window.view<LoomView>()->level() == LoomView::Level::Grid);
    w.window.comparison().open(test::pairNamed("1 beside 2"));
    QVERIFY(compared(w));
    QVERIFY(w.window.view<LoomView>()->level() == LoomView::Level::Block);
    QVERIFY(w.window.baselineView<LoomView>()->level() == LoomView::Level::Block);
    // Another level is kept.
    w.window.view<LoomView>()->zoomTo(LoomView::Level::Warp);
    w.window.comparison().open(test::pairNamed("7 beside 8"));
    QVERIFY(compared(w));
    QVERIFY(w.window.view<LoomView>()->level() == LoomView::Level::Warp);
  }

  void swapping() {
    OpenWindow w;
    QVERIFY(w.ready());
    const TileShape first = w.explorer().tile();
    w.key(Qt::Key_P);
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::BK), 8);
    QVERIFY(compared(w));
    w.window.showPage("compare");
    QTest::mouseClick(w.window.findChild<QPushButton*>("swap"), Qt::LeftButton);
    QVERIFY(compared(w));
    QCOMPARE(w.explorer().tile(), first);
    QCOMPARE(w.explorer().pinned()->tile[Parameter::BK], 8);
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

  // Each page also shows the baseline, or a line that says why not.
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
    for (const char* id :
         {"path", "fragments", "banks", "sass", "timeline", "waits", "ring", "source"}) {
      w.window.showPage(id);
      const QWidget* there = w.window.page(id)->widget();
      const auto views = there->findChildren<QWidget*>(QRegularExpression("^baseline"));
      QVERIFY2(std::ranges::any_of(views, [](const QWidget* v) { return v->isVisible(); }), id);
    }
    w.window.showPage("layout");
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!w.window.page("layout")->widget()->findChild<QLabel*>("whyAlone")->isVisible());
  }

  // In a narrow window one path is above the other, and each has all its stations.
  void narrowPathsStandAboveOneAnother() {
    OpenWindow w(QSize(960, 720));
    QVERIFY(w.ready());
    ViewState state = w.explorer().state();
    state.stage = &test::stage("stored");
    state.tile = state.stage->standardTile();
    w.explorer().setState(state);
    QVERIFY(w.settled());
    const Stage& other = test::stage("specialised");
    w.explorer().pin(standardSubject(other));
    QVERIFY(compared(w));
    for (const char* id : {"path", "fragments"}) {
      w.window.showPage(id);
      QWidget& page = *w.window.page(id)->widget();
      auto* pair = page.findChild<SideBySide*>();
      QTRY_VERIFY2(pair->oneAboveTheOther(), id);
      auto* now = page.findChild<QWidget*>(id);
      const QString before = QStringLiteral("baseline") + QChar(id[0]).toUpper() + (id + 1);
      auto* baseline = page.findChild<QWidget*>(before);
      QTRY_VERIFY(baseline->isVisible());
      for (const QWidget* view : {now, baseline}) {
        QVERIFY(view->width() >= view->minimumSizeHint().width());
        QVERIFY(view->height() >= view->minimumSizeHint().height());
      }
    }
  }

  // Each side shows its content, or why it is empty; the tab is not grey for the present one.
  void aRingBesideNone() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setStage(test::stage("mma"));
    QVERIFY(w.settled());
    const Page& ring = *w.window.page("ring");
    QVERIFY(!ring.whyNothing().isEmpty());
    const Stage& three = test::stage("mmaring");
    w.explorer().pin(standardSubject(three));
    QVERIFY(compared(w));
    QVERIFY(ring.whyNothing().isEmpty());
    auto* there = baselineOf<RingView>(w, "ring", "baselineRing");
    QTRY_VERIFY(there->isVisible());
    QVERIFY(there->data().ready());
    auto* here = ring.widget()->findChild<RingView*>("ring");
    QVERIFY(!here->data().ready() && !here->data().why.isEmpty());
    w.explorer().pin(std::nullopt);
    QVERIFY(!ring.whyNothing().isEmpty());
  }

  // A click in the baseline goes to an instruction of the baseline, until the next selection.
  void aClickInTheBaselineIsTheBaselines() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("async")));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    const auto& trace = w.explorer().baseline().recording->trace;
    // Its store to As; the present rung has no such store.
    const std::uint32_t store =
        test::indexOf(*w.explorer().baseline().recording, 0, [&](const emulator::Instruction& i) {
          return i.kind == emulator::Kind::SharedStore && i.kTile == 0 &&
                 trace.arrays[i.array].name == "As";
        });
    const int line = test::instructionAt(*w.explorer().baseline().recording, 0, store).line;
    auto* source = baselineOf<SourceView>(w, "source", "baselineSource");
    QVERIFY(source != nullptr);
    emit source->lineAsked(line);
    QCOMPARE(int(w.explorer().baseline().moment.instruction.line), line);
    QCOMPARE(source->page()->current(), line);
    QVERIFY(w.scene().moment.instruction.line != line);
    emit source->lineAsked(line);  // its next execution
    QCOMPARE(int(w.explorer().baseline().moment.instruction.line), line);
    // The present tile leads again.
    w.explorer().goTo(1, 0);
    QVERIFY(w.explorer().baseline().moment.instruction.line != line);
    QCOMPARE(int(w.explorer().baseline().moment.instruction.dot), 0);
  }

  // Waits of both, with the same arrival removed on both.
  void bothWait() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setStage(test::stage("specialised"));
    QVERIFY(w.settled());
    const Stage& before = test::stage("overlapped");
    w.explorer().pin(standardSubject(before));
    QVERIFY(compared(w));
    auto* there = baselineOf<WaitsView>(w, "waits", "baselineWaits");
    QTRY_VERIFY(there->isVisible() && there->data().ready());
    auto* here = w.window.page("waits")->widget()->findChild<WaitsView*>("waits");
    QCOMPARE(there->data().facts->warps, 8u);
    QVERIFY(here->data().facts->warps != 8u);
    w.explorer().pin(std::nullopt);
    QTRY_VERIFY(!there->isVisible());
  }

  void instructionsOfBoth() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("async")));
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    w.window.showPage("instructions");
    auto* table = w.window.view<InstructionTable>();
    QTRY_VERIFY(table->isVisible() && table->comparing());
    QCOMPARE(table->table()->model()->columnCount(), int(InstructionPairModel::kColumns));
    // A click on something that only the baseline has goes there.
    const InstructionPairModel& pairs = table->pairs();
    int row = -1;
    for (int i = 0; i < pairs.rowCount(); ++i) {
      if (!pairs.pair(i).now && pairs.pair(i).what.cost.kind == emulator::Kind::SharedStore)
        row = i;
    }
    QVERIFY(row >= 0);
    const auto& model = *static_cast<QSortFilterProxyModel*>(table->table()->model());
    emit table->table()->clicked(model.mapFromSource(pairs.index(row, InstructionPairModel::What)));
    QCOMPARE(w.explorer().baseline().moment.instruction.kind, emulator::Kind::SharedStore);
    w.explorer().pin(std::nullopt);
    QTRY_COMPARE(table->table()->model()->columnCount(), int(InstructionModel::kColumns));
  }

  // The names say what each side does if its instruction differs at the same step.
  void namesTellACopyFromALoad() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto all = teachingPairs();
    const auto pair = std::ranges::find_if(
        all, [](const TeachingPair& p) { return p.now.rung()->id == "async"; });
    w.explorer().compare(pair->baseline, pair->now);
    QVERIFY(compared(w));
    QTRY_COMPARE(w.scene().moment.instruction.kind, emulator::Kind::AsyncCopy);
    QVERIFY(w.explorer().inStep());
    QCOMPARE(w.explorer().baseline().moment.instruction.kind, emulator::Kind::GlobalLoad);
    const auto labels = w.window.findChildren<QLabel*>("sideMoment");
    const auto says = [&](const char* words) {
      return std::ranges::any_of(labels, [&](const QLabel* label) {
        return label->isVisible() && label->text().contains(words);
      });
    };
    QVERIFY(says("global load of A") && says("asynchronous copy to As"));
  }

  // An illegal tile in the tile parameters keeps both views as they were.
  void anIllegalTileDisturbsNothing() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_BracketLeft);
    QVERIFY(compared(w));
    const auto shown = w.explorer().baseline().recording;
    w.explorer().setTile(w.explorer().tile().with(Parameter::WNITER, 3));
    QVERIFY(w.scene().stale);
    QVERIFY(w.explorer().baseline().ready());
    w.explorer().pinThis();  // what is on the screen
    QVERIFY(isLegal(*w.explorer().pinned()->rung(), w.explorer().pinned()->tile));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowCompareTest, Window)
#include "window_compare_test.moc"
