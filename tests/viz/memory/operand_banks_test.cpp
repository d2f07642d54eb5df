// SPDX-License-Identifier: GPL-3.0-or-later
// The operands of a wgmma over the banks: counts agree with product_cost and with the counter's
// rule, chunks agree with the recording, and a pixel finds what is shown there.
#include "viz/memory/operand_banks.h"

#include <QtTest>
#include <set>

#include "kernels/tile/placement.h"
#include "tests/support/group_tiles.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/viz/painted_texts.h"
#include "viz/memory/bank_view.h"

namespace tileloom {

using analysis::Element;
using analysis::Matrix;
using emulator::Instruction;
using emulator::Kind;

class OperandBanksTest : public QObject {
  Q_OBJECT

  static Scene sceneOf(const test::GroupTile& tile, std::uint32_t warp = 1) {
    const auto r = test::recordedTile(tile);
    return makeScene(r, warp, test::indexOf(*r, warp, [](const Instruction& i) {
                       return i.kind == Kind::Product && i.dot == 0;
                     }));
  }
  static BankPicture pictureOf(const Scene& scene, const QSizeF& size = {1230, 260}) {
    return bankPicture(scene, QRectF(QPointF(0, 0), size), Fonts::of(QFont()));
  }

 private slots:
  // 16 wavefronts for A and N / 4 for B, as the hardware counts, for every swizzle of a tile; no
  // conflicts, because the eight rows of each read are in all 32 banks.
  void countsAreThoseOfTheCounter_data() { test::addGroupTiles(); }
  void countsAreThoseOfTheCounter() {
    const auto& tile = test::groupTileOfRow();
    const BankPicture picture = pictureOf(sceneOf(tile));
    QVERIFY(picture.product && !picture.access);
    const OperandBanks& banks = *picture.product;
    const auto& p = *banks.product;
    analysis::ProductCost a;
    for (std::uint32_t warp = 0; warp < 4; ++warp) a += analysis::costOfA(p.first, warp);
    QVERIFY(banks.costA == a);
    QVERIFY(banks.costB == analysis::costOfB(p.with, p.columns));
    QCOMPARE(banks.costA.wavefronts, 16u);
    QCOMPARE(banks.costB.wavefronts, static_cast<std::uint32_t>(tile.bn) / 4);
    QCOMPARE(banks.costA.conflicts + banks.costB.conflicts, 0u);
    QCOMPARE(banks.verdict.text,
             QStringLiteral("%1 wavefronts: 16 for A, %2 for B, no bank conflict")
                 .arg(16 + tile.bn / 4)
                 .arg(tile.bn / 4));
    for (const auto* panel : {&banks.a, &banks.b}) {
      QCOMPARE(panel->wavefronts.size(), std::size_t{1});
      std::set<std::uint32_t> rows;
      for (const auto& row : panel->wavefronts[0]) {
        QVERIFY(row.has_value());
        rows.insert(*row);
      }
      QCOMPARE(rows.size(), std::size_t{8});
      // Eight rows of SWIZZLE bytes.
      QCOMPARE(panel->lines.size() * OperandBanks::kLineBytes,
               std::size_t{8} * static_cast<std::size_t>(tile.swizzle));
    }
  }

  // The numbers of the banks stay apart at any width, also in half of a laptop's picture.
  void bankNumbersStayApart() {
    const Scene scene = sceneOf(test::kGroupTiles[0]);
    const Fonts fonts = Fonts::of(QFont());
    for (const int width : {300, 335, 400, 520, 660, 900, 1230}) {
      const BankPicture picture = pictureOf(scene, QSizeF(width, 260));
      test::TextRecorder recorder({width, 260});
      QPainter painter(&recorder);
      paintOperandBanks(painter, *picture.product, picture.frame.header, picture.frame.footer,
                        scene, Theme::make(Look::Light), fonts);
      painter.end();
      std::vector<test::PaintedText> numbers;
      for (const auto* panel : {&picture.product->a, &picture.product->b}) {
        for (const auto& text : recorder.texts()) {
          if (panel->numbers.contains(text.ink.center())) numbers.push_back(text);
        }
      }
      QVERIFY(numbers.size() >= 4);
      std::ranges::sort(numbers, {}, [](const auto& text) { return text.ink.left(); });
      for (std::size_t i = 1; i < numbers.size(); ++i) {
        QVERIFY2(
            numbers[i].ink.left() >= numbers[i - 1].ink.right() + 2,
            qPrintable(QString("%1: %2 %3").arg(width).arg(numbers[i - 1].text, numbers[i].text)));
      }
    }
  }

  // A chunk that the wgmma reads holds eight elements of one row, those of its place in the
  // operand; the wgmma does not read the rest of these lines.
  void chunksHoldTheRecordedElements_data() { test::addGroupTiles(); }
  void chunksHoldTheRecordedElements() {
    const BankPicture picture = pictureOf(sceneOf(test::groupTileOfRow(), 2));
    const OperandBanks& banks = *picture.product;
    const auto& p = *banks.product;
    QCOMPARE(banks.shown.row, 32u);  // of warp 2
    for (const auto* panel : {&banks.a, &banks.b}) {
      std::size_t read = 0;
      for (std::size_t line = 0; line < panel->lines.size(); ++line) {
        for (std::uint32_t c = 0; c < OperandBanks::kChunks; ++c) {
          const auto which = panel->readOf(panel->byteOf(line, c));
          const auto first = panel->first(line, c);
          if (!which) {
            if (first) QVERIFY(!p.placeOf(*first));
            continue;
          }
          ++read;
          const auto& of = panel->reads[*which];
          const auto row = static_cast<std::uint32_t>(
              std::ranges::find(of.bytes, panel->byteOf(line, c)) - of.bytes.begin());
          for (std::uint32_t i = 0; i < 8; ++i) {
            QVERIFY(panel->elements[(line * 8 + c) * 8 + i] ==
                    p.elementAt({panel->matrix, of.row + row, of.column + i}));
          }
        }
      }
      QCOMPARE(read, 8 * panel->reads.size());
    }
  }

  void partsStandApart() {
    for (const int tile : {0, 1, 2, 3}) {
      for (const QSizeF& size : {QSizeF(650, 180), QSizeF(1230, 260), QSizeF(2000, 900)}) {
        const BankPicture picture = pictureOf(sceneOf(test::kGroupTiles[tile]), size);
        const OperandBanks& banks = *picture.product;
        const QRectF canvas = picture.frame.canvas.adjusted(-1, -1, 1, 1);
        for (const auto* panel : {&banks.a, &banks.b}) {
          for (std::size_t line = 0; line < panel->lines.size(); ++line) {
            for (std::uint32_t c = 0; c < 8; ++c) {
              const QRectF cell = panel->chunk(line, c);
              QVERIFY(canvas.contains(cell));
              const auto hit = banks.at(cell.center());
              QVERIFY(hit && hit->panel == panel && hit->line == line && hit->chunk == c);
              QCOMPARE(banks.cellOf(panel->byteOf(line, c)), cell);
              QVERIFY(!cell.intersects(panel->strip(0, c)));
            }
          }
          QVERIFY(canvas.contains(panel->strip(panel->wavefronts.size() - 1, 7)));
        }
        QVERIFY(banks.a.chunk(0, 7).right() < banks.b.lineName(0).left() + 1);
      }
    }
  }

  // A selection shows its rows; one that this wgmma does not read changes nothing.
  void theSelectionIsFollowed() {
    Scene scene = sceneOf(test::kGroupTiles[3]);
    AccessView view;
    view.setScene(scene);
    QVERIFY(test::shown(view, {1230, 320}));
    Selection heard;
    connect(&view, &AccessView::hovered, &view, [&](const Selection& s) { heard = s; });
    const auto shown = [&](const Selection& s) {
      scene.selection = s;
      view.setScene(scene);
      return *view.product();
    };
    const auto p = shown({}).product;
    const OperandBanks far = shown({{}, *p->elementAt({Matrix::C, 41, 200}), {}});
    QVERIFY((far.shown == ShownReads{40, 0, 0, 200}));
    QCOMPARE(far.b.chosen, std::size_t{1});
    const OperandBanks ofB = shown({{}, *p->elementAt({Matrix::B, 9, 70}), {}});
    QVERIFY((ofB.shown == ShownReads{40, 0, 8, 64}));
    // A chunk of A that another step along k reads.
    std::optional<Element> other;
    for (std::uint32_t c = 0; c < 8 && !other; ++c) {
      if (!ofB.a.readOf(ofB.a.byteOf(3, c))) {
        test::hoverAt(view, ofB.a.chunk(3, c).center());
        other = heard.element;
      }
    }
    QVERIFY(other && !p->placeOf(*other));
    QVERIFY(shown(heard).shown == ofB.shown);
    QVERIFY(heard.word.has_value());
    QCOMPARE(scene.recording->trace.arrays[heard.word->array].name, std::string("As"));
    // A thread without an element shows rows of its warp.
    QCOMPARE(shown({3 * 32 + 1, {}, {}}).shown.row, 48u);
  }

  void wordsAndTheCursor() {
    const BankPicture picture = pictureOf(sceneOf(test::kGroupTiles[0]));
    const OperandBanks& banks = *picture.product;
    const auto recording = test::recordedTile(test::kGroupTiles[0]);
    const auto& r = *recording;
    std::uint32_t at = banks.a.byteOf(0, 7);
    QVERIFY2(describeOperandByte(r, banks, banks.a.reads[0].bytes[0])
                 .contains(QStringLiteral("in 1 wavefront")),
             qPrintable(describeOperandByte(r, banks, banks.a.reads[0].bytes[0])));
    at = moveInOperandBanks(banks, at, CursorMove::Right);
    QCOMPARE(at, banks.b.byteOf(0, 0));
    at = moveInOperandBanks(banks, at, CursorMove::Down);
    QCOMPARE(at, banks.b.byteOf(1, 0));
    at = moveInOperandBanks(banks, at, CursorMove::Next);
    QCOMPARE(at, banks.a.byteOf(1, 0));
  }

  // Later accesses of threads are shown instead, and other rungs have no wgmma.
  void otherInstantsAndRungs() {
    const auto r = test::recordedTile(test::kGroupTiles[3]);
    QVERIFY(pictureOf(makeScene(r, 0, 0)).product);
    const BankPicture last = pictureOf(makeScene(r, 0, r->trace.length(0) - 1));
    QVERIFY(!last.product && last.access);
    const auto mma = test::recorded({.stage = "mma"});
    QVERIFY(!pictureOf(makeScene(mma, 0, 300)).product);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::OperandBanksTest, Widgets)
#include "operand_banks_test.moc"
