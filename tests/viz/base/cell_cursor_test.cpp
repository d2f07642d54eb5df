// SPDX-License-Identifier: GPL-3.0-or-later
// The keyboard cursor over cells: where it goes, what it says, and which signals it emits.

#include <QAccessible>
#include <QtTest>
#include <set>
#include <tuple>

#include "kernels/analysis/recording.h"
#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/describe_cell.h"
#include "viz/loom/loom_cells.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_cursor.h"
#include "viz/memory/bank_view.h"
#include "viz/memory/describe_word.h"
#include "viz/memory/path_view.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;

class CellCursorTest : public QObject {
  Q_OBJECT

  std::shared_ptr<const analysis::Recording> m_recording;
  Scene m_load, m_fma;

  static LoomCells small() { return {{10, 4, 3, 2}, {4, 20, 2, 5}, {10, 20, 3, 5}}; }

  Scene sceneAt(Kind kind) const {
    return makeScene(m_recording, 0, test::indexOf(*m_recording, 0, [kind](const Instruction& i) {
                       return i.kind == kind;
                     }));
  }
  static QString spoken(QWidget& view) {
    QAccessibleInterface* said = QAccessible::queryAccessibleInterface(&view);
    return said != nullptr ? said->text(QAccessible::Description) : QString();
  }

 private slots:
  void initTestCase() {
    m_recording = test::recorded({.stage = "warptiled"});
    m_load = sceneAt(Kind::SharedLoad);
    m_fma = sceneAt(Kind::Fma);
  }

  // From any cell to any other by single arrows, over the edges between A, B and C.
  void everyCellIsReached() {
    const LoomCells cells = small();
    std::set<std::tuple<int, std::int64_t, std::int64_t>> seen;
    std::vector<LoomCursor> open = {LoomCursor()};
    while (!open.empty()) {
      const LoomCursor at = open.back();
      open.pop_back();
      const Element e = at.element(cells);
      QVERIFY(cells.of(e.matrix).contains(e.row, e.column));
      if (!seen.emplace(static_cast<int>(e.matrix), e.row, e.column).second) continue;
      for (const auto move :
           {CursorMove::Left, CursorMove::Right, CursorMove::Up, CursorMove::Down}) {
        LoomCursor next = at;
        next.move(cells, move);
        open.push_back(next);
      }
    }
    QCOMPARE(seen.size(), std::size_t{3 * 2 + 2 * 5 + 3 * 5});
  }

  // A row of A meets the same row of C, and a column of B the same column.
  void edgesMeet() {
    const LoomCells cells = small();
    LoomCursor cursor;
    cursor.place(cells, {Matrix::C, 12, 20});
    QVERIFY(cursor.move(cells, CursorMove::Left));
    QVERIFY((cursor.element(cells) == Element{Matrix::A, 12, 5}));
    QVERIFY(cursor.move(cells, CursorMove::Right));
    QVERIFY((cursor.element(cells) == Element{Matrix::C, 12, 20}));
    cursor.place(cells, {Matrix::C, 10, 23});
    QVERIFY(cursor.move(cells, CursorMove::Up));
    QVERIFY((cursor.element(cells) == Element{Matrix::B, 5, 23}));
    QVERIFY(cursor.move(cells, CursorMove::Up));
    QVERIFY(!cursor.move(cells, CursorMove::Up));  // nothing is above B
    QVERIFY(cursor.move(cells, CursorMove::RowStart));
    QVERIFY((cursor.element(cells) == Element{Matrix::B, 4, 20}));
    QVERIFY(cursor.move(cells, CursorMove::Right, 8));  // no farther than the edge
    QVERIFY((cursor.element(cells) == Element{Matrix::B, 4, 24}));
    for (const Matrix next : {Matrix::C, Matrix::A, Matrix::B}) {
      QVERIFY(cursor.move(cells, CursorMove::Next));
      QVERIFY(cursor.element(cells).matrix == next);
    }
    QVERIFY(cursor.move(cells, CursorMove::Previous));
    QVERIFY(cursor.element(cells).matrix == Matrix::A);
  }

  // The next K tile slides under the cursor; a smaller one takes it along.
  void tilesSlideUnderIt() {
    LoomCells cells = small();
    LoomCursor cursor;
    cursor.place(cells, {Matrix::A, 11, 5});
    cells.a.column += 2;
    QVERIFY((cursor.element(cells) == Element{Matrix::A, 11, 7}));
    cells.a = {10, 6, 1, 1};
    QVERIFY((cursor.element(cells) == Element{Matrix::A, 10, 6}));
  }

  void lanesInWords() {
    QCOMPARE(describeLanes(0), QString());
    QCOMPARE(describeLanes(1u << 7), QString("lane 7"));
    QCOMPARE(describeLanes(0b11), QString("lanes 0 and 1"));
    QCOMPARE(describeLanes(0xF0), QString("lanes 4 to 7"));
    QCOMPARE(describeLanes(~0u), QString("lanes 0 to 31"));
    QCOMPARE(describeLanes(0b100010001), QString("lanes 0, 4 and 8"));
  }

  // The sentence says what the trace says.
  void cellsInWords() {
    const auto& map = m_recording->map;
    const auto& touch = m_load.moment.touches.front();
    std::uint32_t lanes = 0;
    for (const auto& t : m_load.moment.touches)
      if (t.element == touch.element) lanes |= 1u << t.lane;
    const QString said = describeCell(m_load, touch.element);
    const auto word = m_recording->wordOf(touch.element, 0, m_load.moment.index);
    QVERIFY(word.has_value());
    const auto& array = m_recording->trace.arrays[word->array];
    QVERIFY2(said.startsWith(describeElement(touch.element)), qPrintable(said));
    QVERIFY(said.contains(
        QString("row %1 and column %2 of A").arg(touch.element.row).arg(touch.element.column)));
    QVERIFY2(said.contains(QString("held in %1 word %2, bank %3")
                               .arg(QString::fromStdString(array.name))
                               .arg(word->index)
                               .arg((array.base + word->index) % 32)),
             qPrintable(said));
    QVERIFY2(said.endsWith(QString("read by %1 of warp 0").arg(describeLanes(lanes))),
             qPrintable(said));

    const Element corner{Matrix::C, map.c.row, map.c.column};
    QVERIFY(describeCell(m_load, corner).endsWith("owned by lane 0 of warp 0"));
    const QString summed = describeCell(m_fma, [&] {
      for (const auto& t : m_fma.moment.touches)
        if (t.element.matrix == Matrix::C) return t.element;
      return corner;
    }());
    QVERIFY2(summed.contains("accumulated by lane"), qPrintable(summed));
    QCOMPARE(describeCell(Scene(), corner), QString());
  }

  void bankCellsInWords() {
    const analysis::Moment& m = *bankMoment(m_load);
    const QString said = describeBankCell(m_load, m.cost.addresses[0]);
    QVERIFY2(said.contains(QString("bank %1, holds A[").arg(m.cost.addresses[0] % 32)),
             qPrintable(said));
    QVERIFY2(said.contains(describeLanes(lanesAt(m, m.cost.addresses[0]))), qPrintable(said));
    QVERIFY(said.endsWith("in wavefront 1"));
    std::uint32_t quiet = 0;
    while (lanesAt(m, quiet) != 0) ++quiet;
    QVERIFY(describeBankCell(m_load, quiet).endsWith("not touched by this access"));
  }

  void loomByKeys() {
    LoomView view;
    view.setScene(m_load);
    QVERIFY(test::shown(view, {800, 700}));
    view.setFocus();
    Selection hovered, clicked;
    connect(&view, &LoomView::hovered, &view, [&](const Selection& s) { hovered = s; });
    connect(&view, &LoomView::clicked, &view, [&](const Selection& s) { clicked = s; });
    QVERIFY(!view.wantsArrows());
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(hovered.empty());  // arrows play while cursor mode is off
    const QImage before = view.grab().toImage();

    view.setCursorMode(true);
    QVERIFY(view.wantsArrows());
    const auto& map = m_recording->map;
    QVERIFY((hovered.element == Element{Matrix::C, map.c.row, map.c.column}));
    QVERIFY(view.grab().toImage() != before);  // it can be seen
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right, Qt::ControlModifier);
    QVERIFY((hovered.element == Element{Matrix::C, map.c.row + 1, map.c.column + 8}));
    QCOMPARE(spoken(view), describeCell(m_load, *hovered.element));
    QTest::keyClick(&view, Qt::Key_PageDown);
    QVERIFY(hovered.element->matrix == Matrix::A);
    QVERIFY(spoken(view).contains("held in As word"));
    QTest::keyClick(&view, Qt::Key_Return);
    QVERIFY(clicked == hovered);

    // Another K tile or another instruction is announced, too.
    const QString was = spoken(view);
    view.setScene(makeScene(m_recording, 0, m_recording->trace.length(0) - 1));
    QVERIFY(spoken(view) != was);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!view.cursorMode() && hovered.empty());
  }

  // Zoomed in, the cursor scrolls the view.
  void theCursorStaysInSight() {
    LoomView view;
    view.setScene(m_load);
    QVERIFY(test::shown(view, {300, 260}));
    view.setFocus();
    view.zoomTo(LoomView::Level::Warp, false);
    Selection hovered;
    connect(&view, &LoomView::hovered, &view, [&](const Selection& s) { hovered = s; });
    view.setCursorMode(true);
    for (int i = 0; i < 12; ++i) {
      QTest::keyClick(&view, i % 2 == 0 ? Qt::Key_Down : Qt::Key_Right, Qt::ControlModifier);
      QVERIFY(QRectF(view.rect()).contains(view.geometry().of(*hovered.element).center()));
    }
  }

  void banksByKeys() {
    BankView view;
    view.setScene(m_load);
    QVERIFY(test::shown(view, {800, 300}));
    view.setFocus();
    Selection hovered, clicked;
    connect(&view, &BankView::hovered, &view, [&](const Selection& s) { hovered = s; });
    connect(&view, &BankView::clicked, &view, [&](const Selection& s) { clicked = s; });
    view.setCursorMode(true);
    const analysis::Moment& m = *bankMoment(m_load);
    QVERIFY(hovered.thread.has_value() && hovered.word.has_value());
    // Every shown cell, row by row.
    std::set<std::uint32_t> seen;
    for (std::size_t row = 0; row < view.geometry().shownRows(); ++row) {
      QTest::keyClick(&view, Qt::Key_Home);
      for (int bank = 0; bank < 32; ++bank) {
        const auto& array = m_recording->trace.arrays[hovered.word->array];
        QVERIFY(seen.insert(array.base + hovered.word->index).second);
        QVERIFY(spoken(view).contains(QString("bank %1").arg(bank)));
        QTest::keyClick(&view, Qt::Key_Right);
      }
      QTest::keyClick(&view, Qt::Key_Down);
    }
    QCOMPARE(seen.size(), 32 * view.geometry().shownRows());
    // Page keys visit the words that the access touches.
    QTest::keyClick(&view, Qt::Key_Home);
    for (int i = 0; i < 3; ++i) {
      QTest::keyClick(&view, Qt::Key_PageUp);
      QVERIFY2(hovered.thread.has_value(), qPrintable(spoken(view)));
      QVERIFY(lanesAt(m, m_recording->trace.arrays[hovered.word->array].base +
                             hovered.word->index) != 0);
    }
    QTest::keyClick(&view, Qt::Key_Enter);
    QVERIFY(clicked == hovered);
  }

  // The memory path: left and right follow a value, up and down visit a station's cells.
  void pathByKeys() {
    PathView view;
    view.setScene(m_load);
    QVERIFY(test::shown(view, {1200, 420}));
    view.setFocus();
    Selection hovered, clicked;
    connect(&view, &PathView::hovered, &view, [&](const Selection& s) { hovered = s; });
    connect(&view, &PathView::clicked, &view, [&](const Selection& s) { clicked = s; });
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(hovered.empty());  // arrows play while cursor mode is off
    const QImage before = view.grab().toImage();
    view.setCursorMode(true);
    QVERIFY(view.grab().toImage() != before);
    const auto picture = pathPicture(m_load, QRectF(view.rect()), Fonts::of(view.font()));
    const auto& path = picture->path;
    QCOMPARE(path.stations.size(), std::size_t{4});

    // Every float of the sectors once, in order.
    std::set<std::pair<std::int64_t, std::int64_t>> seen, wanted;
    for (const auto& v : path.values) wanted.emplace(v.element.row, v.element.column);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      QVERIFY(seen.emplace(hovered.element->row, hovered.element->column).second);
      QVERIFY2(spoken(view).contains("of the 32-byte sector that begins with A["),
               qPrintable(spoken(view)));
      QTest::keyClick(&view, Qt::Key_Down);
    }
    QVERIFY(seen == wanted);

    // The same value in flight.
    const auto element = hovered.element;
    const auto word = m_recording->wordOf(*element, 0, m_load.moment.index);
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(hovered.element == element);
    QVERIFY2(spoken(view).contains(QString("As word %1, bank").arg(word->index)),
             qPrintable(spoken(view)));
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(hovered.element == element && spoken(view).contains("in wavefront "));
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(!hovered.element && hovered.thread);  // a lane means all that it moves
    QVERIFY2(
        spoken(view).contains(QString("registers of lane %1, value ").arg(*hovered.thread % 32)),
        qPrintable(spoken(view)));
    const QString end = spoken(view);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(spoken(view), end);
    QTest::keyClick(&view, Qt::Key_Home);
    QVERIFY(hovered.element == element);
    QTest::keyClick(&view, Qt::Key_End);
    QCOMPARE(spoken(view), end);

    // Page keys move through the lanes.
    for (int i = 0; i < 40; ++i) QTest::keyClick(&view, Qt::Key_PageUp);
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      QCOMPARE(*hovered.thread % 32, lane);
      QTest::keyClick(&view, Qt::Key_PageDown);
    }
    QTest::keyClick(&view, Qt::Key_Enter);
    QVERIFY(clicked == hovered && !clicked.empty());

    // Another access under the cursor is announced, and playback has its keys again.
    const QString was = spoken(view);
    view.setScene(sceneAt(Kind::GlobalLoad));
    QVERIFY(spoken(view) != was);
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!view.cursorMode() && hovered.empty());
  }

  // The cursor's last cell may not exist in what came while the view was hidden.
  void pathChangesBehindItsBack() {
    const Scene store = sceneAt(Kind::SharedStore);
    PathView view;
    view.setScene(m_load);
    QVERIFY(test::shown(view, {1200, 420}));
    view.setFocus();
    Selection clicked;
    connect(&view, &PathView::clicked, &view, [&](const Selection& s) { clicked = s; });
    view.setCursorMode(true);
    QTest::keyClick(&view, Qt::Key_End);
    for (int i = 0; i < 32; ++i) QTest::keyClick(&view, Qt::Key_PageDown);
    QVERIFY(pathPicture(m_load, QRectF(view.rect()), Fonts::of(view.font()))->path.values.size() >
            pathPicture(store, QRectF(view.rect()), Fonts::of(view.font()))->path.values.size());
    view.hide();
    view.setScene(store);
    QVERIFY(test::shown(view, {1200, 420}));
    QVERIFY(!view.grab().isNull());
    QTest::keyClick(&view, Qt::Key_Enter);
    QVERIFY(clicked.element);
    QVERIFY(std::ranges::any_of(store.moment.touches, [&](const analysis::Touch& t) {
      return t.element == *clicked.element;
    }));
  }

  // Every value can be reached at every kind of access, and the ring is around its cell.
  void everyValueOfThePathIsReached() {
    for (const Kind kind :
         {Kind::GlobalLoad, Kind::SharedStore, Kind::SharedLoad, Kind::GlobalStore}) {
      const auto picture = pathPicture(sceneAt(kind), QRectF(0, 0, 1200, 420), Fonts::of(QFont()));
      const auto& g = picture->geometry;
      for (std::size_t column = 0; column < g.columns().size(); ++column) {
        std::vector<QRectF> places;
        std::optional<PathCell> at = PathCell{};
        for (std::size_t i = 0; i < column; ++i)
          at = moveInPath(g, picture->path, at, CursorMove::Right);
        at = moveInPath(g, picture->path, at, CursorMove::Up, 1000);
        QCOMPARE(at->column, column);
        for (std::optional<PathCell> last; last != at;
             last = at, at = moveInPath(g, picture->path, at, CursorMove::Down))
          places.push_back(g.of(g.columns()[column], picture->path.values[at->value]));
        for (const auto& v : picture->path.values)
          QVERIFY(std::ranges::find(places, g.of(g.columns()[column], v)) != places.end());
      }
    }
  }

  // Zoomed in, cells are in the thread's panel: the ring is there, and arrows move through it.
  void theCursorInTheThreadPanel() {
    struct Probe : LoomView {
      using LoomView::cursorCell;
    } view;
    Scene scene = m_fma;
    scene.selection.thread = 5;
    view.setScene(scene);
    QVERIFY(test::shown(view, {1000, 700}));
    view.setFocus();
    view.zoomTo(LoomView::Level::Thread, false);
    Selection hovered;
    // As the window answers: what is hovered is selected in the next scene.
    connect(&view, &LoomView::hovered, &view, [&](const Selection& s) {
      hovered = s;
      scene.selection = complete(scene, s);
      view.setScene(scene);
    });
    view.setCursorMode(true);
    const auto panel = [&] {
      return threadPanel(
          scene, view.geometry(),
          analysis::outerProduct(*m_recording, scene.shownThread(), scene.moment.index),
          QFontMetricsF(Fonts::of(view.font()).title).height());
    };
    QVERIFY(panel().shown());
    const auto isFramed = [&] {
      return panel().thread == 5 &&
             panel().elementAt(view.cursorCell().center()) == hovered.element;
    };
    QVERIFY(isFramed());
    // Over all accumulators, which are subtiles apart in C, as over one grid.
    std::set<std::pair<std::int64_t, std::int64_t>> seen;
    for (int i = 0; i < 40; ++i) QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Home);
    for (int row = 0; row < 8; ++row) {
      QTest::keyClick(&view, Qt::Key_Home);
      for (int column = 0; column < 16; ++column) {
        QVERIFY(isFramed());
        QVERIFY(hovered.element->matrix == Matrix::C);
        QVERIFY(seen.emplace(hovered.element->row, hovered.element->column).second);
        QTest::keyClick(&view, Qt::Key_Right);
      }
      QTest::keyClick(&view, Qt::Key_Up);
    }
    QCOMPARE(seen.size(), std::size_t{128});
    // Over the top edge to the fragments of B, over the left one to those of A, and back.
    QVERIFY(hovered.element->matrix == Matrix::B && isFramed());
    const auto column = hovered.element->column;
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(hovered.element->matrix == Matrix::C && hovered.element->column == column);
    QTest::keyClick(&view, Qt::Key_Home);
    const auto row = hovered.element->row;
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(hovered.element->matrix == Matrix::A && hovered.element->row == row && isFramed());
    QTest::keyClick(&view, Qt::Key_Up);
    QVERIFY(hovered.element->matrix == Matrix::A && isFramed());
    QTest::keyClick(&view, Qt::Key_Right);
    QVERIFY(hovered.element->matrix == Matrix::C && isFramed());
    for (const Matrix next : {Matrix::A, Matrix::B, Matrix::C}) {
      QTest::keyClick(&view, Qt::Key_PageDown);
      QVERIFY(hovered.element->matrix == next && isFramed());
    }
    // Far away the ring is at the element's own place again.
    view.zoomTo(LoomView::Level::Block, false);
    QCOMPARE(view.cursorCell(), view.geometry().of(*hovered.element));
  }

  void nothingToWalkThrough() {
    LoomView loom;
    BankView banks;
    PathView path;
    for (CellView* view : {static_cast<CellView*>(&loom), static_cast<CellView*>(&banks),
                           static_cast<CellView*>(&path)}) {
      QVERIFY(test::shown(*view, {600, 400}));
      view->setFocus();
      view->setCursorMode(true);
      for (const auto key : {Qt::Key_Down, Qt::Key_PageDown, Qt::Key_End, Qt::Key_Return})
        QTest::keyClick(view, key);
      QVERIFY(!view->grab().isNull());
    }
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::CellCursorTest, Widgets)
#include "cell_cursor_test.moc"
