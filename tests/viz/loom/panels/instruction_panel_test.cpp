// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of one tensor-core instruction at the loom's lowest level.
#include "viz/loom/panels/instruction_panel.h"

#include <QtTest>

#include "kernels/emulator/fragment_layout.h"
#include "kernels/tile/placement.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/loom/loom_cells.h"
#include "viz/loom/loom_frame.h"
#include "viz/loom/loom_input.h"
#include "viz/loom/loom_trail.h"
#include "viz/loom/panels/instruction_painter.h"
#include "viz/loom/panels/panel_moves.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;

class InstructionPanelTest : public QObject {
  Q_OBJECT

  const Fonts fonts_ = Fonts::of(QFont());
  const test::RecordingPointer recording_ = test::recorded({.stage = "mmaring", .block = {1, 1}});

  struct View {
    Scene scene;
    LoomContents contents;
    LoomInput input;
    LoomGeometry geometry;
    ThreadPanel panel;
  };
  View view(const QSizeF& size = {900, 700}) const {
    View v;
    const auto first = test::indexOf(*recording_, 1, [](const Instruction& i) {
      return i.kind == Kind::Mma && i.kTile == 1 && i.dot == 16;
    });
    v.scene = makeScene(recording_, 1, first);
    v.contents = loomContents(v.scene);
    const LoomFrame frame = LoomFrame::of(QRectF(QPointF(0, 0), size), fonts_);
    v.input = loomInput(v.scene, 1, frame.viewport, fonts_);
    v.geometry = LoomGeometry(v.input, LoomGeometry::fit(v.input, LoomLevel::Thread));
    v.panel = loomPanel(v.scene, v.geometry, v.contents, 20);
    return v;
  }

 private slots:
  // 16 x 16 of A, 16 x 8 of B, 16 x 8 of C; none over another, all within the area; a row of A is
  // beside the sums that it contributes to, a column of B above them.
  void operandsMeet() {
    for (const QSizeF& size : {QSizeF(900, 700), QSizeF(500, 400), QSizeF(2400, 1400)}) {
      const View v = view(size);
      QVERIFY(v.panel.ofWarp && v.panel.shown());
      QCOMPARE(v.panel.a.size(), std::size_t{256});
      QCOMPARE(v.panel.b.size(), std::size_t{128});
      QCOMPARE(v.panel.cells.size(), std::size_t{128});
      std::vector<QRectF> all;
      for (const auto& p : v.panel.a) all.push_back(p.rect);
      for (const auto& p : v.panel.b) all.push_back(p.rect);
      for (const auto& p : v.panel.cells) all.push_back(p.rect);
      for (std::size_t i = 0; i < all.size(); ++i) {
        QVERIFY(v.panel.area.adjusted(-1, -1, 1, 1).contains(all[i]));
        for (std::size_t j = i + 1; j < all.size(); ++j)
          QVERIFY(!all[i].adjusted(0.1, 0.1, -0.1, -0.1).intersects(all[j]));
      }
      for (const auto& sum : v.panel.cells) {
        for (const auto& a : v.panel.a)
          QCOMPARE(a.element.row == sum.element.row, qFuzzyCompare(a.rect.top(), sum.rect.top()));
        for (const auto& b : v.panel.b)
          QCOMPARE(b.element.column == sum.element.column,
                   qFuzzyCompare(b.rect.left(), sum.rect.left()));
      }
    }
  }

  // The element under a pixel is the recorded one, and belongs to the lane that holds it.
  void cellsNameElementsAndLanes() {
    const View v = view();
    for (const auto& part : v.contents.warpProduct->a) {
      const auto place = v.panel.placeOf(part.element);
      QVERIFY(place.has_value());
      QVERIFY(v.panel.elementAt(place->center()) == part.element);
      QCOMPARE(v.panel.holderOf(part.element), emulator::kWarpSize + part.lane);
    }
    for (const auto& part : v.contents.warpProduct->c)
      QCOMPARE(v.panel.holderOf(part.element), emulator::kWarpSize + part.lane);
  }

  void theCursorWalksOverAllThree() {
    const View v = view();
    const auto& product = *v.contents.warpProduct;
    const Element corner{Matrix::C, product.tileC.row, product.tileC.column};
    const auto left = moveInPanel(v.panel, corner, CursorMove::Left);
    QVERIFY((left == Element{Matrix::A, product.tileA.row, product.tileA.column + 15}));
    const auto up = moveInPanel(v.panel, corner, CursorMove::Up);
    QVERIFY((up == Element{Matrix::B, product.tileB.row + 15, product.tileB.column}));
    // Several cells end at the edge of the matrix.
    const auto far =
        moveInPanel(v.panel, {Matrix::C, corner.row, corner.column + 5}, CursorMove::Left, 10);
    QVERIFY(far == corner);
    QVERIFY((moveInPanel(v.panel, *left, CursorMove::RowStart) ==
             Element{Matrix::A, product.tileA.row, product.tileA.column}));
    QVERIFY(moveInPanel(v.panel, corner, CursorMove::Next)->matrix == Matrix::A);
    QVERIFY(moveInPanel(v.panel, corner, CursorMove::Previous)->matrix == Matrix::B);
    // A move from an element outside the panel leads into it.
    QVERIFY(v.panel.placeOf(*moveInPanel(v.panel, {Matrix::C, 0, 0}, CursorMove::Right)));
  }

  // Four registers of A, two of B, with two elements each, and four sums.
  void aLanesRegistersAreListed() {
    const View v = view();
    const QStringList lines = laneRegisters(*v.contents.warpProduct, 9);
    QCOMPARE(lines.size(), qsizetype{10});
    const auto& tile = v.contents.warpProduct->tileA;
    QCOMPARE(lines.front(), QStringLiteral("a0: A[%1][%2] A[%1][%3]")
                                .arg(tile.row + 2)
                                .arg(tile.column + 2)
                                .arg(tile.column + 3));
    QVERIFY(productText(*v.contents.warpProduct, recording_->trace.stepK)
                .contains(QStringLiteral("mma 1 of 32")));
  }

  void theTrailNamesTheInstruction() {
    const View v = view();
    const auto trail = loomTrail(v.scene, QRectF(0, 0, 2000, 20), LoomLevel::Thread, fonts_);
    QVERIFY(trail.back().text.contains(QStringLiteral("16 × 8 × 16")));
    const Scene scalar = makeScene(test::recorded({.stage = "warptiled"}), 0, 40);
    QCOMPARE(loomTrail(scalar, QRectF(0, 0, 2000, 20), LoomLevel::Thread, fonts_).back().text,
             QStringLiteral("Lane 0"));
  }

  // The panel is empty while zoomed out, and on rungs whose lanes multiply one by one.
  void elsewhereThereIsNone() {
    const View v = view();
    const LoomGeometry block(v.input, LoomGeometry::fitBlock(v.input));
    QVERIFY(!loomPanel(v.scene, block, v.contents, 20).shown());
    const Scene scalar = makeScene(test::recorded({.stage = "warptiled"}), 0, 40);
    QVERIFY(!loomContents(scalar).warpProduct);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::InstructionPanelTest, Widgets)
#include "instruction_panel_test.moc"
