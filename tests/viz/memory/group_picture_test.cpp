// SPDX-License-Identifier: GPL-3.0-or-later
// The page Fragments for a wgmma: the registers agree with the recording and the PTX manual, a
// pixel finds the place that is shown there, and one selection holds for the map, the patch and the
// table.
#include "viz/memory/group_picture.h"

#include <QtTest>

#include "tests/support/group_tiles.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "viz/memory/fragment_view.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;
using Place = GroupPicture::Place;

class GroupPictureTest : public QObject {
  Q_OBJECT

  static Scene sceneOf(const test::RecordingPointer& r, std::uint32_t warp = 1, int dot = 0) {
    return makeScene(r, warp, test::indexOf(*r, warp, [dot](const Instruction& i) {
                       return i.kind == Kind::Product && i.dot == dot;
                     }));
  }
  static FragmentPicture pictureOf(const Scene& scene, const QSizeF& size) {
    return fragmentPicture(scene, QRectF(QPointF(0, 0), size), Fonts::of(QFont()));
  }
  static Scene wide() { return sceneOf(test::recordedTile(test::kGroupTiles[3]), 1, 16); }

 private slots:
  // The table's register of a lane has the documented place: PTX ISA, wgmma, D.
  void theTableHoldsTheDocumentedPlaces_data() { test::addGroupTiles(); }
  void theTableHoldsTheDocumentedPlaces() {
    const Scene scene = sceneOf(test::recordedTile(test::groupTileOfRow()), 2);
    const FragmentPicture picture = pictureOf(scene, {1600, 700});
    QVERIFY(picture.group.has_value());
    GroupPicture g = *picture.group;
    QCOMPARE(g.patch.warp, 2u);
    QCOMPARE(picture.title, QStringLiteral("wgmma.m64n%1k16").arg(g.product.columns));
    std::uint32_t seen = 0;
    for (g.patch.warp = 0; g.patch.warp < 4; ++g.patch.warp) {
      for (std::uint32_t lane = 0; lane < 32; ++lane) {
        for (std::uint32_t i = 0; i < g.product.columns / 2; ++i) {
          const auto place = g.placeOfValue(lane, i);
          if (!place) continue;
          ++seen;
          QCOMPARE(place->row, g.patch.warp * 16 + lane / 4 + i / 2 % 2 * 8);
          QCOMPARE(place->column, i / 4 * 8 + lane % 4 * 2 + i % 2);
        }
      }
    }
    QVERIFY(seen > 0);
  }

  // No overlaps and nothing outside, at any size of the page.
  void partsStandApart_data() {
    QTest::addColumn<int>("tile");
    QTest::addColumn<QSizeF>("size");
    for (const int tile : {0, 1, 3, 4}) {
      for (const QSizeF& size : {QSizeF(1230, 300), QSizeF(650, 200), QSizeF(1600, 700),
                                 QSizeF(700, 900), QSizeF(2600, 1500)}) {
        QTest::addRow("%s %.0f x %.0f", test::kGroupTiles[tile].name, size.width(), size.height())
            << tile << size;
      }
    }
  }
  void partsStandApart() {
    QFETCH(int, tile);
    QFETCH(QSizeF, size);
    const FragmentPicture picture =
        pictureOf(sceneOf(test::recordedTile(test::kGroupTiles[tile])), size);
    const GroupPicture& g = *picture.group;
    const QRectF canvas = picture.canvas.adjusted(-1, -1, 1, 1);
    const std::vector<QRectF> parts = {g.map.whole(),
                                       g.detail,
                                       g.table,
                                       g.wordsRoom,
                                       g.formulaRoom,
                                       g.detailTitle,
                                       g.descriptorRooms[0],
                                       g.descriptorRooms[1]};
    for (std::size_t i = 0; i < 6; ++i) {
      if (parts[i].isEmpty()) continue;
      QVERIFY(canvas.contains(parts[i]));
      for (std::size_t j = i + 1; j < parts.size(); ++j) {
        // Both descriptors may share a line.
        QVERIFY2(!parts[i].adjusted(1, 1, -1, -1).intersects(parts[j]),
                 qPrintable(QStringLiteral("%1 and %2").arg(i).arg(j)));
      }
    }
    for (std::uint32_t row = 0; row < 16; ++row) {
      for (std::uint32_t column = 0; column < 8; ++column) {
        QVERIFY(g.detail.adjusted(-0.1, -0.1, 0.1, 0.1).contains(g.detailCell(row, column)));
        const Selection s = groupUnder(g, {}, g.detailCell(row, column).center());
        QVERIFY(s.element == g.product.elementAt(g.placeInPatch(row, column)));
      }
    }
    for (const Place place : {Place{Matrix::A, 0, 0}, Place{Matrix::A, 63, 15},
                              Place{Matrix::B, 15, g.product.columns - 1}, Place{Matrix::C, 33, 9},
                              Place{Matrix::C, 63, 0}}) {
      QVERIFY(g.map.at(g.map.cell(place).center()) == place);
    }
  }

  // A row of A is beside the sums that it contributes to, a column of B above them.
  void operandsMeet() {
    const GroupPicture g = *pictureOf(wide(), {1600, 700}).group;
    for (const std::uint32_t row : {0u, 15u, 16u, 63u})
      QCOMPARE(g.map.cell({Matrix::A, row, 3}).top(), g.map.cell({Matrix::C, row, 40}).top());
    for (const std::uint32_t column : {0u, 7u, 255u})
      QCOMPARE(g.map.cell({Matrix::B, 3, column}).left(),
               g.map.cell({Matrix::C, 5, column}).left());
    QVERIFY(g.map.block(Matrix::A).right() < g.map.block(Matrix::C).left());
    QVERIFY(g.map.block(Matrix::B).bottom() < g.map.block(Matrix::C).top());
  }

  void onePointsAtTheMapAndThePatchFollows() {
    Scene scene = wide();
    FragmentView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {1230, 420}));
    Selection heard;
    connect(&view, &FragmentView::hovered, &view, [&](const Selection& s) { heard = s; });
    const auto group = [&view]() -> const GroupPicture& { return *view.picture().group; };
    QVERIFY((group().patch == GroupPicture::Patch{1, 0}));
    const Place far{Matrix::C, 50, 203};
    test::hoverAt(view, group().map.cell(far).center());
    QVERIFY(heard.element == group().product.elementAt(far));
    QCOMPARE(heard.thread.value_or(0), group().product.sumAt(50, 203)->thread);
    scene.selection = heard;
    view.setScene(scene);
    QVERIFY((group().patch == GroupPicture::Patch{3, 25}));
    // Pixels in the patch and in the table find the same element.
    test::hoverAt(view, group().detailCell(50 % 16, 203 % 8).center());
    QVERIFY(heard == scene.selection);
    const auto& sum = *group().product.sumAt(50, 203);
    QVERIFY(!group().table.isEmpty());
    const std::uint32_t first = firstLane(group(), chosenOfGroup(group(), scene.selection));
    test::hoverAt(
        view,
        group().tableCell(sum.thread % 32 - first, sum.value - group().firstValue()).center());
    QVERIFY(heard == scene.selection);
    // With nothing chosen the patch stays.
    scene.selection = {};
    view.setScene(scene);
    QVERIFY((group().patch == GroupPicture::Patch{3, 25}));
    // A column of B shows its columns of the same warp; a row of A its warp.
    scene.selection = groupSelection(group(), {Matrix::B, 4, 90});
    view.setScene(scene);
    QVERIFY((group().patch == GroupPicture::Patch{3, 11}));
    QVERIFY(!scene.selection.thread);
    scene.selection = groupSelection(group(), {Matrix::A, 17, 2});
    view.setScene(scene);
    QVERIFY((group().patch == GroupPicture::Patch{1, 11}));
  }

  void wordsSayWhatIsRecorded() {
    const Scene scene = wide();
    const auto& r = *scene.recording;
    const GroupPicture g = *pictureOf(scene, {1600, 700}).group;
    QCOMPARE(g.formula, QStringLiteral("C[0–63][0–255] += A[0–63][16–31] · B[16–31][0–255]"));
    // The second step along k of the first stage: A advances within its rows, B by 16 rows.
    QCOMPARE(g.descriptors[0], QStringLiteral("A: start at byte 32 (As, stage 0), leading "
                                              "offset 16, stride offset 1,024, swizzle 128 bytes"));
    QCOMPARE(g.descriptors[1],
             QStringLiteral("B: start at byte 67,584 (Bs, stage 0), leading offset 8,192, "
                            "stride offset 1,024, swizzle 128 bytes"));
    const auto& sum = *g.product.sumAt(20, 72);
    QCOMPARE(describePlace(r, g, {Matrix::C, 20, 72}),
             QStringLiteral("C[20][72], summed by lane %1 of warp 1 in its register d%2")
                 .arg(sum.thread % 32)
                 .arg(sum.value));
    QVERIFY(
        describePlace(r, g, {Matrix::A, 20, 3})
            .startsWith(QStringLiteral("A[20][19], not in a register: the tensor core reads it")));
    Selection s;
    s.thread = 5;
    QVERIFY(
        groupNote(r, g, chosenOfGroup(g, s)).startsWith(QStringLiteral("lane 5 of warp 0: d0 ")));
    s.thread = 4 * 32;  // of the other warpgroup
    QVERIFY(!chosenOfGroup(g, s).any());
  }

  // Over the edge of A to the sums and from these to B; Page Down to the next lane's register.
  void theCursorGoesThroughAllOperands() {
    const GroupPicture g = *pictureOf(wide(), {1600, 700}).group;
    Place at{Matrix::A, 18, 15};
    at = moveInGroup(g, at, CursorMove::Right);
    QVERIFY((at == Place{Matrix::C, 18, 0}));
    const auto& before = *g.product.sumAt(18, 0);
    at = moveInGroup(g, at, CursorMove::Next);
    const auto& after = *g.product.sumAt(at.row, at.column);
    QCOMPARE(after.thread, before.thread + 1);
    QCOMPARE(after.value, before.value);
    at = moveInGroup(g, {Matrix::C, 0, 77}, CursorMove::Up);
    QVERIFY((at == Place{Matrix::B, 15, 77}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::GroupPictureTest, Widgets)
#include "group_picture_test.moc"
