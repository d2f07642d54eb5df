// SPDX-License-Identifier: GPL-3.0-or-later
// The page Fragments: every value has one cell, cells do not overlap, a pixel finds the value that
// is shown there, and words agree with the recording.
#include "viz/memory/fragment_view.h"

#include <QtTest>
#include <cmath>
#include <map>

#include "kernels/analysis/recording.h"
#include "kernels/tile/mma_table.h"
#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using analysis::Operand;
using emulator::Instruction;
using emulator::Kind;
using test::recorded;

class FragmentViewTest : public QObject {
  Q_OBJECT

  static Scene sceneOf(std::string_view stage, Kind kind, const char* array = nullptr) {
    const auto r = recorded({.stage = stage, .problem = {256, 256, 256}});
    return makeScene(r, 1, test::indexOf(*r, 1, [&](const Instruction& i) {
                       return i.kind == kind &&
                              (array == nullptr || r->trace.arrays[i.array].name == array);
                     }));
  }
  static FragmentPicture pictureOf(const Scene& scene, const QSizeF& size) {
    return fragmentPicture(scene, QRectF(QPointF(0, 0), size), Fonts::of(QFont()));
  }

 private slots:
  void cellsStandApart_data() {
    QTest::addColumn<int>("kind");
    QTest::addColumn<QSizeF>("size");
    for (const Kind kind : {Kind::Mma, Kind::MatrixLoad}) {
      for (const QSizeF& size : {QSizeF(1600, 600), QSizeF(1200, 330), QSizeF(650, 200),
                                 QSizeF(700, 900), QSizeF(2600, 1500)}) {
        QTest::addRow("%s %.0f x %.0f", kind == Kind::Mma ? "mma" : "ldmatrix", size.width(),
                      size.height())
            << int(kind) << size;
      }
    }
  }
  void cellsStandApart() {
    QFETCH(int, kind);
    QFETCH(QSizeF, size);
    const Scene scene = sceneOf("swizzled", static_cast<Kind>(kind));
    const FragmentPicture picture = pictureOf(scene, size);
    const FragmentGeometry& g = picture.geometry;
    QCOMPARE(g.cells(), picture.operands.values.size());
    const QRectF canvas = picture.canvas.adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::size_t i = 0; i < g.cells(); ++i) {
      QVERIFY(!g.cell(i).isEmpty());
      QVERIFY(canvas.contains(g.cell(i)));
      QCOMPARE(g.valueAt(g.cell(i).center()).value_or(9999), i);
      if (!g.table().isEmpty()) QVERIFY(!g.table().intersects(g.cell(i)));
      if (!g.words().isEmpty()) QVERIFY(!g.words().intersects(g.cell(i)));
    }
    for (const auto& block : g.blocks()) QVERIFY(canvas.contains(block.rect));
    if (!g.table().isEmpty()) QVERIFY(canvas.contains(g.table()));
  }

  // The operands of each instruction of the table, by its lane maps, fill their rectangles.
  void eachInstructionFillsItsBlocks() {
    for (const MmaRow& mma : kMmaTable) {
      if (mma.inShared) continue;
      analysis::WarpOperands operands;
      operands.mma = &mma;
      const auto add = [&](Operand operand, std::uint32_t count, auto place) {
        for (std::uint32_t lane = 0; lane < MmaRow::kLanes; ++lane) {
          for (std::uint32_t i = 0; i < count; ++i) {
            const FragmentPlace at = place(lane, i);
            auto& value = operands.values.emplace_back();
            value.operand = operand;
            value.row = at.row;
            value.column = at.column;
          }
        }
      };
      add(Operand::A, mma.laneA(), [&](auto lane, auto i) { return mma.placeInA(lane, i); });
      add(Operand::B, mma.laneB(), [&](auto lane, auto i) { return mma.placeInB(lane, i); });
      add(Operand::C, mma.laneC(), [&](auto lane, auto i) { return mma.placeInC(lane, i); });
      for (const QSizeF& size : {QSizeF(1600, 600), QSizeF(1200, 330)}) {
        FragmentInput input;
        input.canvas = QRectF(QPointF(0, 0), size);
        const FragmentGeometry g(input, operands);
        std::map<Operand, QRectF> filled;
        for (std::size_t i = 0; i < g.cells(); ++i) {
          QCOMPARE(g.valueAt(g.cell(i).center()).value_or(9999), i);
          filled[operands.values[i].operand] |= g.cell(i);
        }
        for (const auto& block : g.blocks()) {
          const QRectF& cells = filled[block.operand];
          QVERIFY(std::abs(cells.width() - block.rect.width()) < 1e-6 &&
                  std::abs(cells.height() - block.rect.height()) < 1e-6);
        }
      }
    }
  }

  // As in the loom, if the height allows it: A left of C, B above C.
  void operandsStandAsInTheLoom() {
    const Scene scene = sceneOf("mma", Kind::Mma);
    const FragmentPicture high = pictureOf(scene, {1600, 600});
    QVERIFY(high.geometry.cornered());
    QVERIFY(!high.geometry.table().isEmpty());
    const auto& blocks = high.geometry.blocks();
    QCOMPARE(blocks.size(), std::size_t{3});
    const QRectF a = blocks[0].rect, b = blocks[1].rect, c = blocks[2].rect;
    QVERIFY(a.right() < c.left() && b.bottom() < c.top());
    QCOMPARE(a.top(), c.top());
    QCOMPARE(a.bottom(), c.bottom());
    QCOMPARE(b.left(), c.left());
    QCOMPARE(b.right(), c.right());
    // With little height, side by side, and without an illegible table.
    const FragmentPicture low = pictureOf(scene, {1200, 300});
    QVERIFY(!low.geometry.cornered());
    QVERIFY(low.geometry.table().isEmpty());
    QVERIFY(low.geometry.cellSize().height() > high.geometry.cellSize().height() * 0.8);
  }

  // Every register of every lane is in the table with the elements that the recording has there.
  void tableHoldsTheRecordedElements() {
    const Scene scene = sceneOf("mmaring", Kind::Mma);
    const FragmentPicture p = pictureOf(scene, {1600, 600});
    QStringList names;
    for (const auto& column : p.columns) names += column.name;
    QCOMPARE(names.join(u' '), QStringLiteral("a0 a1 a2 a3 b0 b1 c0 c1 c2 c3"));
    const auto at = scene.recording->trace.position(1, scene.moment.index);
    const auto view = scene.recording->trace.at(1, at.interval);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      const std::uint32_t* words = view.payload(at.instruction, lane);
      for (std::size_t c = 0; c < 6; ++c) {
        for (std::size_t half = 0; half < 2; ++half) {
          const auto value = p.columns[c].held[lane][half];
          QVERIFY(value.has_value());
          QVERIFY(p.operands.values[*value].element ==
                  scene.recording->elementOf(emulator::Provenance(words[2 * c + half])));
        }
        const auto first = *scene.recording->elementOf(emulator::Provenance(words[2 * c]));
        const QString text = p.columns[c].texts[lane];
        QVERIFY2(
            text.startsWith(c < 4 ? QStringLiteral("A[%1][%2–").arg(first.row).arg(first.column)
                                  : QStringLiteral("B[%1–").arg(first.row)),
            qPrintable(text));
      }
    }
  }

  void hoverMeansTheCell() {
    const Scene scene = sceneOf("mma", Kind::Mma);
    FragmentView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {1600, 600}));
    Selection heard;
    int clicks = 0;
    connect(&view, &FragmentView::hovered, &view, [&](const Selection& s) { heard = s; });
    connect(&view, &FragmentView::clicked, &view, [&](const Selection&) { ++clicks; });
    const FragmentPicture& p = view.picture();
    for (std::size_t i = 0; i < p.geometry.cells(); i += 37) {
      test::hoverAt(view, p.geometry.cell(i).center());
      QCOMPARE(heard.thread.value_or(0), 32 + p.operands.values[i].lane);
      QVERIFY(heard.element == p.operands.values[i].element);
    }
    // The halves of a register in the table, and a lane's own column.
    for (const std::uint32_t lane : {0u, 13u, 31u}) {
      const QRectF cell = p.geometry.tableCell(lane, 3);
      test::hoverAt(view, cell.center() + QPointF(0.4 * cell.width(), 0));
      QVERIFY(heard.element == p.operands.values[*p.columns[2].held[lane][1]].element);
      test::hoverAt(view, cell.center() - QPointF(0.4 * cell.width(), 0));
      QVERIFY(heard.element == p.operands.values[*p.columns[2].held[lane][0]].element);
      test::hoverAt(view, p.geometry.tableCell(lane, 0).center());
      QCOMPARE(heard.thread.value_or(0), 32 + lane);
      QVERIFY(!heard.element);
    }
    test::clickAt(view, p.geometry.cell(3).center());
    QCOMPARE(clicks, 1);
    test::leave(view);
    QVERIFY(heard.empty());
  }

  // The row that a lane addresses is a word of shared memory.
  void rowsOfMatricesAreWords() {
    const Scene scene = sceneOf("swizzled", Kind::MatrixLoad, "Bs");
    const FragmentPicture p = pictureOf(scene, {1600, 600});
    for (const std::uint32_t lane : {0u, 9u, 30u}) {
      const Selection s = fragmentUnder(p, p.geometry.rowName(lane).center());
      QCOMPARE(s.thread.value_or(0), 32 + lane);
      QVERIFY(s.word.has_value());
      QCOMPARE(s.word->index / 2 + scene.recording->trace.arrays[s.word->array].base,
               scene.moment.cost.addresses[lane]);
    }
  }

  void wordsOfWhatIsChosen() {
    Scene scene = sceneOf("mma", Kind::Mma);
    const FragmentPicture p = pictureOf(scene, {1600, 600});
    const auto& value = p.operands.values[17];
    const QString text = describeValue(p, 17);
    QVERIFY2(text.contains(QStringLiteral("held by lane %1 ").arg(value.lane)), qPrintable(text));
    Selection s;
    s.element = value.element;
    QCOMPARE(fragmentNote(p, chosenFragment(p, s)), text);
    s = {};
    s.thread = 32 + 13;
    const QString lane = fragmentNote(p, chosenFragment(p, s));
    QVERIFY2(lane.startsWith(QStringLiteral("lane 13: a0 ")), qPrintable(lane));
    // A thread of another warp is none of these.
    s.thread = 13;
    QVERIFY(!chosenFragment(p, s).any());
  }

  void otherInstantsAndRungs() {
    const auto r = recorded({.stage = "mma", .problem = {256, 256, 256}});
    const auto said = [&](std::uint32_t index) {
      return pictureOf(makeScene(r, 0, index), {1600, 600});
    };
    QVERIFY(said(0).what.startsWith(QStringLiteral("next tensor instruction: ")));
    const FragmentPicture last = said(r->trace.length(0) - 1);
    QVERIFY(last.what.startsWith(QStringLiteral("latest tensor instruction: ")));
    QCOMPARE(last.title, QStringLiteral("mma.m16n8k16"));
    const auto fp32 = recorded({.stage = "warptiled"});
    const FragmentPicture none = pictureOf(makeScene(fp32, 0, 0), {1600, 600});
    QVERIFY(none.whyNone.contains(QStringLiteral("key 4")));
    QVERIFY(!pictureOf(Scene(), {1600, 600}).whyNone.isEmpty());
  }

  // Arrows go to a neighbour, from A to C and from C to B; Page Down to the next lane.
  void theCursorGoesThroughAllOperands() {
    const FragmentPicture p = pictureOf(sceneOf("mma", Kind::Mma), {1600, 600});
    const auto& values = p.operands.values;
    std::size_t at = 0;  // A[0][0]
    for (int i = 0; i < 16; ++i) at = moveInFragments(p, at, CursorMove::Right);
    QCOMPARE(values[at].operand, Operand::C);
    QCOMPARE(values[at].column, 0u);
    at = moveInFragments(p, at, CursorMove::Up);
    QCOMPARE(values[at].operand, Operand::B);
    QCOMPARE(values[at].row, 15u);
    at = moveInFragments(p, at, CursorMove::RowEnd);
    QCOMPARE(values[at].column, 7u);
    const std::uint32_t lane = values[at].lane;
    at = moveInFragments(p, at, CursorMove::Next);
    QCOMPARE(values[at].lane, (lane + 1) % 32);
    QCOMPARE(values[at].operand, Operand::B);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::FragmentViewTest, Widgets)
#include "fragment_view_test.moc"
