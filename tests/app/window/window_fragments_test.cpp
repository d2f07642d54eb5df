// SPDX-License-Identifier: GPL-3.0-or-later
// The page of fragments in the window, of a rung with wgmma: it opens, shows which thread holds
// each sum, and shares the selection with the other views.
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "viz/memory/fragment_view.h"

namespace tileloom {

using test::OpenWindow;

class WindowFragmentsTest : public QObject {
  Q_OBJECT

  OpenWindow w_;
  FragmentView& view() { return *w_.window.findChild<FragmentView*>(); }
  Explorer& explorer() { return w_.window.explorer(); }

 private slots:
  void initTestCase() { QVERIFY(w_.ready()); }

  void itShowsTheSumsOfAWarpgroup() {
    explorer().setStage(**stageNamed("t7"));
    QTRY_VERIFY(explorer().scene().ready() &&
                explorer().scene().recording->trace.rung()->id == "overlapped");
    w_.window.showPage("fragments");
    QTRY_VERIFY(view().isVisible() && view().picture().whyNone.isEmpty());
    const auto& group = view().picture().group;
    QVERIFY(group.has_value());
    QCOMPARE(view().picture().title, QStringLiteral("wgmma.m64n256k16"));
    std::size_t held = 0;
    for (const auto& sum : group->product.sums) held += sum.has_value();
    QCOMPARE(held, std::size_t{64 * 256});
    // One selection: a cell of the patch is an element and its thread, everywhere.
    const auto cell = group->placeInPatch(9, 4);
    const Selection wanted = groupSelection(*group, cell);
    test::clickAt(view(), group->detailCell(9, 4).center());
    QVERIFY(explorer().scene().selection.element == wanted.element);
    QCOMPARE(explorer().scene().selection.thread.value_or(9999), *wanted.thread);
    QVERIFY(chosenOfGroup(*view().picture().group, explorer().scene().selection).place == cell);
    // A selection of other views is shown here: a column of B far to the right.
    explorer().hold(groupSelection(*group, {analysis::Matrix::B, 3, 250}));
    QCOMPARE(view().picture().group->patch.eight, 31u);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowFragmentsTest, Window)
#include "window_fragments_test.moc"
