// SPDX-License-Identifier: GPL-3.0-or-later
// The memory path of TMA boxes and wgmma: when it is shown, that nothing overlaps, and that a pixel
// finds what is shown there.
#include "viz/memory/chunk_picture.h"

#include <QSignalSpy>
#include <QtTest>

#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/memory/path_view.h"

namespace tileloom {

using analysis::ChunkPath;
using emulator::Instruction;
using emulator::Kind;
using Station = ChunkPicture::Station;

class ChunkPictureTest : public QObject {
  Q_OBJECT

  static Scene sceneOf(std::string_view stage, Kind kind, std::uint32_t warp) {
    const auto r = test::recorded({.stage = stage});
    return makeScene(
        r, warp, test::indexOf(*r, warp, [kind](const Instruction& i) { return i.kind == kind; }));
  }
  static std::optional<ChunkPicture> pictureOf(const Scene& scene,
                                               const QSizeF& size = {900, 320}) {
    return chunkPicture(scene, QRectF(QPointF(0, 0), size), Fonts::of(QFont()));
  }
  static std::vector<Station> stationsOf(const ChunkPicture& picture) {
    std::vector<Station> stations;
    for (const auto& grid : picture.grids) {
      if (grid.path == 0) stations.push_back(grid.station);
    }
    return stations;
  }

  static bool inside(const QRectF& inner, const QRectF& outer) {
    return outer.adjusted(-1, -1, 1, 1).contains(inner);
  }

 private slots:
  // Of two beside one another on a laptop, each has its last station whole, with its name.
  void aNarrowPictureHasAllStations() {
    const QFontMetricsF body(Fonts::of(QFont()).body);
    for (const double width : {420.0, 520.0, 680.0, 1000.0}) {
      const auto picture = pictureOf(sceneOf("wgmma", Kind::Product, 1), {width, 320});
      QVERIFY(picture.has_value());
      const QRectF canvas(0, 0, width, 320);
      for (const auto& grid : picture->grids) QVERIFY2(inside(grid.body, canvas), "cut off");
      const auto& titles = picture->titles;
      QVERIFY(inside(titles.back().place, canvas));
      QVERIFY(titles.back().place.width() >=
              body.horizontalAdvance(titles.back().name.section(',', 0, 0)));
      for (std::size_t i = 1; i < titles.size(); ++i)
        QVERIFY(titles[i - 1].place.right() <= titles[i].place.left() + 1);
    }
  }

  void whatPassesWhere() {
    const auto product = pictureOf(sceneOf("wgmma", Kind::Product, 1), {900, 500});
    QVERIFY(product.has_value());
    QCOMPARE(product->paths.size(), std::size_t{2});
    QVERIFY((stationsOf(*product) ==
             std::vector{Station::Global, Station::Shared, Station::TensorCore}));
    QVERIFY(product->titles.back().verdict.text.contains("wavefronts"));
    QVERIFY(product->titles.back().verdict.tone == Tone::Good);

    const auto box = pictureOf(sceneOf("specialised", Kind::BoxLoad, 4));
    QVERIFY(box.has_value());
    QVERIFY((stationsOf(*box) == std::vector{Station::Global, Station::Shared}));

    const auto stored = pictureOf(sceneOf("stored", Kind::BoxStore, 0));
    QVERIFY(stored.has_value());
    QVERIFY((stationsOf(*stored) == std::vector{Station::Shared, Station::Global}));
    QVERIFY(stored->paths.front().matrix == analysis::Matrix::C);

    // An access of threads has its own path.
    QVERIFY(!pictureOf(sceneOf("mma", Kind::MatrixLoad, 0)));
  }

  // A multicast box is in both blocks of a cluster, and was fetched once.
  void aBoxForTwoBlocks() {
    const Scene own = sceneOf("cluster", Kind::BoxLoad, 8);
    bool shared = false;
    for (std::uint32_t i = 0; i < own.recording->trace.length(8); ++i) {
      const Scene scene = makeScene(own.recording, 8, i);
      if (!scene.moment.box || scene.moment.box->ranks != 3) continue;
      shared = true;
      const auto picture = pictureOf(scene);
      QVERIFY(picture.has_value());
      QVERIFY(
          (stationsOf(*picture) == std::vector{Station::Global, Station::Shared, Station::Shared}));
      QVERIFY(!picture->grids[1].echo && picture->grids[2].echo);
      QVERIFY(picture->note.contains("blocks 0 and 1"));
      break;
    }
    QVERIFY(shared);
  }

  // A waiting producer shows its latest box, and nothing before its first one.
  void theLatestBox() {
    const Scene first = sceneOf("specialised", Kind::BoxLoad, 4);
    const auto waits = test::indexOf(
        *first.recording, 4, [](const Instruction& i) { return i.kind != Kind::BoxLoad; },
        first.moment.index);
    const auto later = makeScene(first.recording, 4, waits);
    const auto picture = pictureOf(later);
    QVERIFY(picture && picture->what.startsWith("latest box: "));
    const auto at = [&](std::uint32_t i) { return makeScene(first.recording, 4, i); };
    QVERIFY(first.moment.index > 0 && !pictureOf(at(0)));
    PathView view;
    view.resize(600, 200);
    view.show();
    view.setScene(at(0));
    QVERIFY(!view.grab().isNull());  // a sentence
  }

  void nothingOverlaps_data() {
    QTest::addColumn<QSizeF>("size");
    QTest::newRow("wide") << QSizeF(1900, 500);
    QTest::newRow("usual") << QSizeF(655, 200);
    QTest::newRow("narrow") << QSizeF(420, 160);
  }
  void nothingOverlaps() {
    QFETCH(QSizeF, size);
    const QRectF canvas(QPointF(0, 0), size);
    for (const Scene& scene :
         {sceneOf("overlapped", Kind::Product, 1), sceneOf("cluster", Kind::BoxLoad, 8)}) {
      const auto picture = pictureOf(scene, size);
      QVERIFY(picture.has_value());
      const auto& grids = picture->grids;
      for (std::size_t g = 0; g < grids.size(); ++g) {
        QVERIFY(canvas.contains(grids[g].body));
        for (std::size_t other = 0; other < g; ++other) {
          const QRectF named = grids[g].body.adjusted(-grids[g].label, 0, 0, 0);
          QVERIFY(!named.intersects(grids[other].body));
        }
        for (const ChunkPath::Chunk& chunk : picture->paths[grids[g].path].chunks) {
          const QRectF cell = picture->cellOf(grids[g], chunk);
          if (!cell.isEmpty()) QVERIFY(grids[g].body.adjusted(-1, -1, 1, 1).contains(cell));
        }
      }
    }
  }

  // In a low window one operand is shown, that of the selection.
  void oneOperandWhereThereIsNoRoom() {
    Scene scene = sceneOf("overlapped", Kind::Product, 1);
    const auto matrixOf = [&] {
      const auto picture = pictureOf(scene, {655, 170});
      return picture && picture->paths.size() == 1 ? picture->paths.front().matrix
                                                   : analysis::Matrix::C;
    };
    QVERIFY(matrixOf() == analysis::Matrix::A);
    scene.selection.element = analysis::Element{analysis::Matrix::B, 0, 0};
    QVERIFY(matrixOf() == analysis::Matrix::B);
    QCOMPARE(pictureOf(scene, {900, 500})->paths.size(), std::size_t{2});
  }

  void whatOnePointsAt() {
    const Scene scene = sceneOf("overlapped", Kind::Product, 1);
    PathView view;
    view.resize(900, 500);
    view.show();
    view.setScene(scene);
    const auto picture = pictureOf(scene, {900, 500});
    const auto& grid = picture->grids.front();
    const ChunkPath::Chunk& chunk = picture->paths[grid.path].chunks[3];
    QSignalSpy hovered(&view, &PathView::hovered);
    test::hoverAt(view, picture->cellOf(grid, chunk).center());
    QVERIFY(!hovered.isEmpty());
    const auto said = hovered.last().first().value<Selection>();
    QVERIFY(said.element == chunk.first);
    QVERIFY(said.word.has_value());
    // The selection sets the followed column.
    Scene selected = scene;
    selected.selection = said;
    QCOMPARE(pictureOf(selected, {900, 500})->chosen[grid.path], std::size_t{chunk.column});
    QVERIFY(describeChunk(scene, *picture, {0, 3}).contains("banks"));
  }

  void theKeyboardGoesEverywhere() {
    const auto picture = pictureOf(sceneOf("overlapped", Kind::Product, 1), {900, 500});
    ChunkPicture::Cell cell = moveInChunks(*picture, {}, CursorMove::Next);
    QVERIFY((cell == ChunkPicture::Cell{0, 0}));
    cell = moveInChunks(*picture, cell, CursorMove::Right);
    QVERIFY(picture->grids[cell.grid].station == Station::Shared);
    cell = moveInChunks(*picture, cell, CursorMove::Right);
    QVERIFY(picture->grids[cell.grid].station == Station::TensorCore);
    QVERIFY(moveInChunks(*picture, cell, CursorMove::Right) == cell);
    cell = moveInChunks(*picture, {{0, 0}}, CursorMove::Down, 2);
    QCOMPARE(picture->paths[0].chunks[cell.chunk].row, 2u);
    const auto last = picture->paths[0].chunks.size() - 1;
    cell = moveInChunks(*picture, {{0, last}}, CursorMove::Next);
    QCOMPARE(picture->grids[cell.grid].path, std::size_t{1});
    QVERIFY((moveInChunks(*picture, cell, CursorMove::Previous) == ChunkPicture::Cell{0, last}));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ChunkPictureTest, Widgets)
#include "chunk_picture_test.moc"
