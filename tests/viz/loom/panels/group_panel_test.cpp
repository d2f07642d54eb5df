// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a wgmma at the loom's lowest level.
#include "viz/loom/panels/group_panel.h"

#include <QtTest>

#include "kernels/tile/placement.h"
#include "tests/support/group_tiles.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_cells.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_trail.h"
#include "viz/loom/panels/instruction_panel.h"
#include "viz/loom/panels/panel_moves.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;

class GroupPanelTest : public QObject {
  Q_OBJECT

  const Fonts fonts_ = Fonts::of(QFont());

  struct View {
    Scene scene;
    LoomContents contents;
    LoomGeometry geometry;
    ThreadPanel panel;
  };
  View view(const test::GroupTile& tile, const QSizeF& size = {900, 700},
            LoomLevel level = LoomLevel::Thread) const {
    View v;
    const auto r = test::recordedTile(tile);
    v.scene = makeScene(
        r, 1, test::indexOf(*r, 1, [](const Instruction& i) { return i.kind == Kind::Product; }));
    v.contents = loomContents(v.scene);
    const LoomFrame frame = LoomFrame::of(QRectF(QPointF(0, 0), size), fonts_);
    const LoomInput input = loomInput(v.scene, 1, frame.viewport, fonts_);
    v.geometry = LoomGeometry(input, LoomGeometry::fit(input, level));
    v.panel = loomPanel(v.scene, v.geometry, v.contents, 20);
    return v;
  }

 private slots:
  // All three operands, within the area, and every cell is the recorded element and its thread.
  void itHasAllOperands_data() { test::addGroupTiles(); }
  void itHasAllOperands() {
    for (const QSizeF& size : {QSizeF(900, 700), QSizeF(500, 400), QSizeF(2400, 1400)}) {
      const View v = view(test::groupTileOfRow(), size);
      QVERIFY(v.panel.group && v.panel.shown());
      const auto& [product, layout] = *v.panel.group;
      QVERIFY(v.panel.area.adjusted(-1, -1, 1, 1).contains(layout.whole()));
      for (const Matrix m : {Matrix::A, Matrix::B, Matrix::C}) {
        for (std::uint32_t i = 0; i < 40; ++i) {
          const GroupLayout::Place place{m, i * 7 % product->rowsOf(m),
                                         i * 13 % product->columnsOf(m)};
          const auto element = product->elementAt(place);
          const QRectF cell = layout.cell(place);
          QVERIFY(v.panel.elementAt(cell.center()) == element);
          if (!element) continue;
          QCOMPARE(*v.panel.placeOf(*element), cell);
          QCOMPARE(v.panel.holderOf(*element), m == Matrix::C
                                                   ? product->sumAt(place.row, place.column)->thread
                                                   : v.scene.shownThread());
        }
      }
    }
  }

  void theCursorWalksOverAllThree() {
    const View v = view(test::kGroupTiles[3]);
    const auto& product = *v.panel.group->product;
    const Element corner = v.panel.front();
    QVERIFY((corner == Element{Matrix::C, product.tileC.row, product.tileC.column}));
    const auto left = moveInPanel(v.panel, corner, CursorMove::Left);
    QVERIFY((left == Element{Matrix::A, product.tileA.row, product.tileA.column + 15}));
    const auto up = moveInPanel(v.panel, corner, CursorMove::Up);
    QVERIFY((up == Element{Matrix::B, product.tileB.row + 15, product.tileB.column}));
    QVERIFY((moveInPanel(v.panel, corner, CursorMove::RowEnd) ==
             Element{Matrix::C, corner.row, corner.column + 255}));
    // A move from an element outside the panel leads into it.
    QVERIFY(moveInPanel(v.panel, {Matrix::C, 1000, 0}, CursorMove::Right) == corner);
  }

  void wordsSayWhichProductAndWhatALaneHolds() {
    const View v = view(test::kGroupTiles[4]);  // 256 x 192: two wgmma of 64 rows each
    const auto& product = *v.panel.group->product;
    QCOMPARE(groupText(product, v.scene.recording->trace.stepK),
             QStringLiteral("wgmma 1 of 2 · k = 0–15 of K tile 1 · m64n192k16"));
    const QStringList lines = groupRegisters(product, 32 + 5, 3);
    QCOMPARE(lines.size(), qsizetype{3});
    QCOMPARE(lines[1], QStringLiteral("d4–d7: C[17][10] C[17][11] C[25][10] C[25][11]"));
    const auto trail = loomTrail(v.scene, QRectF(0, 0, 2000, 20), LoomLevel::Thread, fonts_);
    QVERIFY(trail.back().text.contains(QStringLiteral("64 × 192 × 16")));
    Scene other = v.scene;
    other.selection.thread = 3 * 32 + 7;
    QCOMPARE(brightThread(other, product), 3u * 32 + 7);
    other.selection.thread = 4 * 32;  // of the other warpgroup
    QCOMPARE(brightThread(other, product), v.scene.shownThread());
  }

  void fartherAwayThereIsNone() {
    QVERIFY(!view(test::kGroupTiles[0], {900, 700}, LoomLevel::Block).panel.shown());
    QVERIFY(!view(test::kGroupTiles[0], {900, 700}, LoomLevel::Warp).panel.shown());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::GroupPanelTest, Widgets)
#include "group_panel_test.moc"
