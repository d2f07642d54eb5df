// SPDX-License-Identifier: GPL-3.0-or-later
// All views share one selection: a target in one is highlighted in the others.
#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"

namespace tileloom {

using analysis::Element;
using analysis::kBanks;
using analysis::Matrix;
using test::OpenWindow;

class WindowSelectionTest : public QObject {
  Q_OBJECT

  static std::uint32_t wordUnder(const BankView& view, std::size_t row, std::uint32_t bank) {
    return view.geometry().rows()[row] * kBanks + bank;
  }

  // Selected word and element always match the content of shared memory at this instant.
  static void selectionIsTrue(const Scene& scene) {
    const Selection& s = scene.selection;
    if (!s.word || !s.element) return;
    const auto contents =
        scene.recording->contents(s.word->array, scene.moment.warp, scene.moment.index);
    const auto held = scene.recording->elementOf(contents[s.word->index]);
    QVERIFY2(held.has_value(), "an element is shown for a word that holds nothing");
    QCOMPARE(describeElement(*s.element), describeElement(*held));
  }

 private slots:
  void aBankCellLightsUpInTheLoom() {
    OpenWindow w;
    QVERIFY(w.ready());
    BankView& banks = *w.window.view<BankView>();
    const auto& geometry = banks.geometry();
    const QPointF at = geometry.cell(0, 5).center();
    const std::uint32_t word = wordUnder(banks, 0, 5);
    test::hoverAt(banks, at);
    const Selection s = w.scene().selection;
    QVERIFY(s.word && s.element);
    const auto& array = w.recording().trace.arrays[s.word->array];
    QCOMPARE(array.base + s.word->index, word);
    selectionIsTrue(w.scene());
    QVERIFY(!w.scene().held);
    // The same element under the mouse in the loom gives the same word.
    const QRectF cell = w.window.view<LoomView>()->geometry().of(*s.element);
    QVERIFY(cell.width() > 1 && cell.height() > 1);
    test::hoverAt(*w.window.view<LoomView>(), cell.center());
    if (w.window.view<LoomView>()->geometry().elementAt(cell.center().toPoint()) == s.element) {
      QVERIFY(w.scene().selection.element == s.element);
      QVERIFY(w.scene().selection.word == s.word);
    }
    test::leave(*w.window.view<LoomView>());
    QVERIFY(w.scene().selection.empty());
  }

  // Its ring is painted: the loom looks different while the mouse is over the bank view.
  void lightsAreVisible() {
    OpenWindow w;
    QVERIFY(w.ready());
    const QImage loom = w.window.view<LoomView>()->grab().toImage();
    const QImage banks = w.window.view<BankView>()->grab().toImage();
    test::hoverAt(*w.window.view<BankView>(),
                  w.window.view<BankView>()->geometry().cell(0, 9).center());
    QVERIFY(w.window.view<LoomView>()->grab().toImage() != loom);
    QVERIFY(w.window.view<BankView>()->grab().toImage() != banks);
    test::leave(*w.window.view<BankView>());
    QCOMPARE(w.window.view<LoomView>()->grab().toImage(), loom);
    QCOMPARE(w.window.view<BankView>()->grab().toImage(), banks);
  }

  void aClickHoldsAndAnotherLetsGo() {
    OpenWindow w;
    QVERIFY(w.ready());
    BankView& banks = *w.window.view<BankView>();
    const QPointF at = banks.geometry().cell(0, 5).center();
    test::hoverAt(banks, at);
    const Selection s = w.scene().selection;
    test::clickAt(banks, at);
    QVERIFY(w.scene().held);
    test::leave(banks);
    QVERIFY(w.scene().held);
    QVERIFY(w.scene().selection.word == s.word && w.scene().selection.element == s.element);
    // Hovering elsewhere does not release the selection.
    test::hoverAt(banks, banks.geometry().cell(0, 20).center());
    QVERIFY(!(w.scene().selection.word == s.word));
    test::leave(banks);
    QVERIFY(w.scene().selection.word == s.word);
    test::clickAt(banks, at);
    test::leave(banks);
    QVERIFY(!w.scene().held);
    QVERIFY(w.scene().selection.empty());
  }

  void anElementOfCSelectsItsThread() {
    OpenWindow w;
    QVERIFY(w.ready());
    const std::uint32_t thread = 13;
    const auto& subtile = w.recording().map.subtiles[thread][1];
    LoomView& loom = *w.window.view<LoomView>();
    const QRectF where = loom.geometry().ofC(subtile);
    const QImage banks = w.window.view<BankView>()->grab().toImage();
    test::hoverAt(loom, where.center());
    QVERIFY(w.scene().selection.thread == thread);
    QVERIFY(w.scene().selection.element->matrix == Matrix::C);
    QCOMPARE(w.scene().shownThread(), thread);
    QVERIFY(describeThread(w.scene()).startsWith("lane 13 of warp 0"));
    QVERIFY(w.window.view<BankView>()->grab().toImage() != banks);  // the ring around its words
  }

  // Holding a thread of another warp watches that warp.
  void holdingAThreadWatchesItsWarp() {
    OpenWindow w;
    QVERIFY(w.ready());
    const std::uint32_t thread = 3 * 32 + 7;
    LoomView& loom = *w.window.view<LoomView>();
    const QPointF at = loom.geometry().ofC(w.recording().map.subtiles[thread][0]).center();
    test::clickAt(loom, at);
    QCOMPARE(w.scene().moment.warp, 3u);
    QVERIFY(w.scene().selection.thread == thread);
    QVERIFY(w.scene().held);
    QCOMPARE(w.scene().shownThread(), thread);
  }

  // Time goes on under a held selection: it stays true.
  void heldWordsStayTrue() {
    OpenWindow w;
    QVERIFY(w.ready());
    BankView& banks = *w.window.view<BankView>();
    test::clickAt(banks, banks.geometry().cell(0, 5).center());
    test::leave(banks);
    QVERIFY(w.scene().held && w.scene().selection.word);
    const auto word = w.scene().selection.word;
    const auto length = static_cast<int>(w.recording().trace.length(0));
    for (int index = 0; index < length; index += length / 40) {
      w.explorer().setIndex(index);
      QVERIFY(w.scene().selection.word == word);
      selectionIsTrue(w.scene());
      if (QTest::currentTestFailed()) return;
    }
  }

  void heldElementsStayTrue() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().goTo(0, 0);
    const Element e{Matrix::B, 5, 100};
    LoomView& loom = *w.window.view<LoomView>();
    test::clickAt(loom, loom.geometry().of(e).center());
    test::leave(loom);
    QVERIFY(w.scene().held);
    QVERIFY(w.scene().selection.element == e);
    const auto length = static_cast<int>(w.recording().trace.length(0));
    for (int index = 0; index < length; index += length / 40) {
      w.explorer().setIndex(index);
      QVERIFY(w.scene().selection.element == e);
      selectionIsTrue(w.scene());
      if (QTest::currentTestFailed()) return;
    }
  }

  // A new tile, rung or block has other threads and words: nothing refers to the old ones.
  void newRecordingsDropWhatIsGone() {
    OpenWindow w;
    QVERIFY(w.ready());
    LoomView& loom = *w.window.view<LoomView>();
    const std::uint32_t thread = 3 * 32 + 31;
    test::clickAt(loom, loom.geometry().ofC(w.recording().map.subtiles[thread][0]).center());
    QVERIFY(w.scene().selection.thread == thread);
    const TileShape smaller{{Parameter::BM, 64}, {Parameter::BN, 64},   {Parameter::BK, 16},
                            {Parameter::WM, 64}, {Parameter::WN, 64},   {Parameter::TM, 8},
                            {Parameter::TN, 4},  {Parameter::WNITER, 4}};
    w.explorer().setTile(smaller);
    QVERIFY(w.settled());
    const auto& trace = w.recording().trace;
    QVERIFY(w.scene().moment.warp < trace.warps);
    const Selection& s = w.scene().selection;
    QVERIFY(!s.thread || *s.thread < trace.threads);
    selectionIsTrue(w.scene());
    QVERIFY(w.pick(test::stage("naive")));
    QVERIFY(w.scene().selection.empty());
    QVERIFY(!w.scene().held);
  }

  void clickingAnotherBlockShowsIt() {
    OpenWindow w;
    QVERIFY(w.ready());
    LoomView& loom = *w.window.view<LoomView>();
    loom.zoomTo(LoomView::Level::Grid, false);
    const Element e{Matrix::C, 900, 300};
    test::clickAt(loom, loom.geometry().of(e).center());
    QTRY_VERIFY(w.recording().map.c.contains(900, 300));
    QVERIFY(w.scene().selection.empty());
  }

  // The clicked block is shown, also if blocks cross the edge.
  void theClickedBlockIsTheOneShown_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"naive", "coalesced", "shared", "blocktile2d", "warptiled"}) {
      QTest::newRow(id) << id;
    }
  }
  void theClickedBlockIsTheOneShown() {
    QFETCH(QString, id);
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage(id.toStdString())));
    QCOMPARE(w.explorer().setProblem({1000, 1010, 64}), QString());
    QVERIFY(w.settled());
    for (const auto& [row, column] :
         {std::pair{0, 0}, {31, 32}, {63, 63}, {95, 95}, {447, 511}, {999, 1009}}) {
      emit w.window.view<LoomView>()->blockChosen(row, column);
      QTRY_VERIFY2(w.recording().map.c.contains(row, column),
                   qPrintable(QString("C[%1][%2]").arg(row).arg(column)));
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowSelectionTest, Window)
#include "window_selection_test.moc"
