// SPDX-License-Identifier: GPL-3.0-or-later
// The bank view under the mouse: a cell finds the word that it shows.
#include "viz/memory/bank_view.h"

#include <QHelpEvent>
#include <QToolTip>
#include <QtTest>

#include "kernels/analysis/recording.h"
#include "tests/support/pointer.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/base/text/describe.h"
#include "viz/memory/bank_picture.h"
#include "viz/memory/describe_word.h"

namespace tileloom {

using analysis::kBanks;
using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::recorded;

class BankViewTest : public QObject {
  Q_OBJECT

  struct Heard {
    Selection hovered, clicked;
    int hovers = 0, clicks = 0;
  };
  static void listen(BankView& view, Heard& heard) {
    connect(&view, &BankView::hovered, &view, [&heard](const Selection& s) {
      heard.hovered = s;
      ++heard.hovers;
    });
    connect(&view, &BankView::clicked, &view, [&heard](const Selection& s) {
      heard.clicked = s;
      ++heard.clicks;
    });
  }

  static Scene sceneOf(std::string_view stage, Kind kind, std::uint32_t array = 99) {
    const auto r = recorded({.stage = stage});
    return makeScene(r, 1, indexOf(*r, 1, [&](const Instruction& i) {
                       return i.kind == kind && (array == 99 || i.array == array);
                     }));
  }

 private slots:
  void hoverMeansTheCell() {
    for (const Kind kind : {Kind::SharedLoad, Kind::SharedStore}) {
      const Scene scene = sceneOf("warptiled", kind);
      const auto& trace = scene.recording->trace;
      const analysis::Moment& m = *scene.access;
      BankView view;
      view.setScene(scene);
      QVERIFY(test::shown(view, {900, 360}));
      Heard heard;
      listen(view, heard);
      const BankGeometry& g = view.geometry();
      QVERIFY(g.shownRows() > 0);
      int touched = 0;
      for (std::size_t row = 0; row < g.shownRows(); ++row) {
        for (auto bank = static_cast<std::uint32_t>(row % 3); bank < kBanks; bank += 3) {
          test::hoverAt(view, g.cell(row, bank).center());
          const std::uint32_t word = g.rows()[row] * kBanks + bank;
          const Selection there = complete(scene, heard.hovered);
          QVERIFY(there.word.has_value());
          QCOMPARE(trace.arrays[there.word->array].base + there.word->index, word);
          QVERIFY(there.word->index < trace.arrays[there.word->array].elements);
          const auto contents =
              scene.recording->contents(there.word->array, m.warp, scene.moment.index);
          QVERIFY(there.element == scene.recording->elementOf(contents[there.word->index]));
          // The selected thread is one that accesses the word, if any does.
          bool any = false, its = false;
          for (std::uint32_t lane = 0; lane < 32; ++lane) {
            const bool uses =
                word >= m.cost.addresses[lane] && word < m.cost.addresses[lane] + m.width;
            any = any || uses;
            its = its || (uses && there.thread == m.warp * 32 + lane);
          }
          QCOMPARE(there.thread.has_value(), any);
          QCOMPARE(its, any);
          touched += any ? 1 : 0;
        }
      }
      QVERIFY(touched > 5);
    }
  }

  // A word of 16-bit elements has two halves, and each is the element that it holds.
  void halvesOfWords() {
    for (const Kind kind : {Kind::MatrixLoad, Kind::SharedStore}) {
      const Scene scene = sceneOf("swizzled", kind);
      const auto& trace = scene.recording->trace;
      BankView view;
      view.setScene(scene);
      QVERIFY(test::shown(view, {900, 360}));
      Heard heard;
      listen(view, heard);
      const BankGeometry& g = view.geometry();
      for (std::uint32_t bank = 0; bank < kBanks; bank += 5) {
        const QRectF cell = g.cell(0, bank);
        const std::uint32_t word = g.rows()[0] * kBanks + bank;
        for (std::uint32_t half = 0; half < 2; ++half) {
          test::hoverAt(view,
                        cell.center() + QPointF((half == 0 ? -0.25 : 0.25) * cell.width(), 0));
          QVERIFY(heard.hovered.word.has_value());
          const auto& array = trace.arrays[heard.hovered.word->array];
          QCOMPARE(heard.hovered.word->index, 2 * (word - array.base) + half);
          const auto held =
              scene.recording->contents(heard.hovered.word->array, 1, scene.moment.index);
          QVERIFY(complete(scene, heard.hovered).element ==
                  scene.recording->elementOf(held[heard.hovered.word->index]));
        }
        // The accessible description names both.
        const Selection first = complete(scene, bankSelection(scene, word, 0));
        const Selection second = complete(scene, bankSelection(scene, word, 1));
        const QString text = describeBankCell(scene, word);
        QVERIFY2(text.contains(describeElement(*first.element)) &&
                     text.contains(describeElement(*second.element)),
                 qPrintable(text));
      }
    }
    // The tool tip also names both.
    const Scene scene = sceneOf("swizzled", Kind::MatrixLoad);
    BankView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {900, 360}));
    const QPoint at = view.geometry().cell(0, 9).center().toPoint();
    QHelpEvent help(QEvent::ToolTip, at, view.mapToGlobal(at));
    QApplication::sendEvent(&view, &help);
    QCOMPARE(QToolTip::text(), describeBankCell(scene, view.geometry().rows()[0] * kBanks + 9));
    QToolTip::hideText();
    // Rows of 128 bytes begin with every 64th element, in global memory, too.
    const Scene load = sceneOf("swizzled", Kind::GlobalLoad);
    const std::uint32_t columns = load.recording->trace.arrays[emulator::kArrayA].columns;
    const std::uint32_t word = load.access->cost.addresses[3];
    const Selection there = bankSelection(load, word, 1);
    QCOMPARE(there.element->row * columns + there.element->column, 2 * word + 1);
    QVERIFY(std::ranges::any_of(load.access->touches, [&](const analysis::Touch& t) {
      return t.lane == 3 && t.element == *there.element;
    }));
  }

  void clickAndLeave() {
    const Scene scene = sceneOf("warptiled", Kind::SharedLoad);
    BankView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {900, 360}));
    Heard heard;
    listen(view, heard);
    const QPointF at = view.geometry().cell(0, 4).center();
    test::hoverAt(view, at);
    QVERIFY(!heard.hovered.empty());
    test::clickAt(view, at);
    QCOMPARE(heard.clicks, 1);
    QVERIFY(heard.clicked == heard.hovered);
    QTest::mouseClick(&view, Qt::RightButton, {}, at.toPoint());
    QCOMPARE(heard.clicks, 1);
    test::leave(view);
    QVERIFY(heard.hovered.empty());
  }

  void besideTheCellsIsNothing() {
    BankView view;
    view.setScene(sceneOf("warptiled", Kind::SharedLoad));
    QVERIFY(test::shown(view, {900, 360}));
    Heard heard;
    listen(view, heard);
    test::hoverAt(view, view.geometry().cell(0, 0).center());
    QVERIFY(!heard.hovered.empty());
    test::hoverAt(view, view.geometry().cell(0, 0).topLeft() - QPointF(20, -4));
    QVERIFY(heard.hovered.empty());
  }

  // Global lines select elements of the matrix, not shared words.
  void globalLines() {
    const Scene scene = sceneOf("naive", Kind::GlobalLoad, emulator::kArrayA);
    BankView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {900, 400}));
    Heard heard;
    listen(view, heard);
    const BankGeometry& g = view.geometry();
    const std::uint32_t lane = 1;
    const auto cell = g.cellOfWord(scene.access->cost.addresses[lane]);
    QVERIFY(cell.has_value());
    test::hoverAt(view, cell->center());
    QVERIFY(heard.hovered.element.has_value());
    QVERIFY((*heard.hovered.element == analysis::Element{analysis::Matrix::A, 1, 0}));
    QCOMPARE(*heard.hovered.thread, 32 + lane);
    QVERIFY(!heard.hovered.word);
  }

  // The geometry follows the scene and the size at once, without waiting for paint.
  void geometryFollows() {
    BankView view;
    QVERIFY(test::shown(view, {900, 360}));
    QCOMPARE(view.geometry().shownRows(), std::size_t{0});
    Heard heard;
    listen(view, heard);
    test::hoverAt(view, {300, 150});
    test::clickAt(view, {300, 150});
    QVERIFY(heard.hovered.empty() && heard.clicked.empty());  // nothing is recorded yet
    view.setScene(sceneOf("blocktile2d", Kind::SharedLoad));
    QVERIFY(view.geometry().shownRows() > 0);
    const double before = view.geometry().cellWidth();
    view.resize(1400, 360);
    QVERIFY(view.geometry().cellWidth() > before);
    view.resize(view.minimumSizeHint());
    QVERIFY(!view.grab().isNull());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::BankViewTest, Widgets)
#include "bank_view_test.moc"
