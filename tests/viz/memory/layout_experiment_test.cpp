// SPDX-License-Identifier: GPL-3.0-or-later
// The experiment on a shared array in words and in the bank view's picture.
#include "viz/memory/layout_experiment.h"

#include <QtTest>
#include <bit>
#include <map>

#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/memory/bank_painter.h"
#include "viz/memory/bank_view.h"

using namespace tileloom;
using analysis::ArrayLayout;

namespace {

// At a store to As; the rest of the K tile is in shared memory, except what this interval stores.
Scene storeOfAs(const test::RecordingPointer& r) {
  const std::uint32_t as = test::arrayNamed(*r, "As");
  return makeScene(r, 0, test::indexOf(*r, 0, [&](const emulator::Instruction& i) {
                     return i.kind == emulator::Kind::SharedStore && i.array == as;
                   }));
}

LayoutExperiment experiment(const Scene& scene, const char* array, const ArrayLayout& layout,
                            std::optional<int> registers = 165) {
  return layoutExperiment(scene, analysis::sharedUse(*scene.recording, 0), {array, layout},
                          {defaultArchitecture(), registers});
}

}  // namespace

class LayoutExperimentTest : public QObject {
  Q_OBJECT

 private slots:
  void words() {
    const Scene scene = storeOfAs(test::recorded({.stage = "warptiled"}));
    const auto padded = experiment(scene, "", ArrayLayout::padded(4));
    QVERIFY(padded.ready());
    QCOMPARE(padded.name, QStringLiteral("As"));
    QCOMPARE(experimentQuestion(padded),
             QStringLiteral("What if each row of As had 4 padding words at its end? Recorded "
                            "accesses, other addresses."));
    QVERIFY(!isTrouble(padded));
    QCOMPARE(
        experimentVerdict(padded),
        QStringLiteral(
            "16 rows of 128 words, 132 words from one row to the next instead of 128. One K tile "
            "takes 1,472 wavefronts instead of 1,600, 64 of them by bank conflicts instead of 192; "
            "16,640 bytes of shared memory per block instead of 16,384; 3 blocks per SM, as now."));
    QCOMPARE(accessNote(scene, padded), QString());
    const auto swizzled = experiment(scene, "As", ArrayLayout::swizzled({2, 3, 6}), std::nullopt);
    const QString said = experimentVerdict(swizzled);
    QVERIFY2(said.startsWith("Chunks of 8 words, their number XORed with row / 4 % 4. "),
             qPrintable(said));
    QVERIFY2(said.contains("16,384 bytes of shared memory per block, as now; ≤ "),
             qPrintable(said));
    const auto of = experiment(scene, "Bs", ArrayLayout::plain());
    QVERIFY(accessNote(scene, of).startsWith("The shown access is of As, not of Bs"));
    const auto odd = experiment(scene, "As", ArrayLayout::padded(1));
    QVERIFY(isTrouble(odd));
    QVERIFY(experimentVerdict(odd).startsWith(
        "Not possible: pad:1 would split the 128-bit loads of line "));
  }

  void whereNothingCanBeLaidOut() {
    const Scene none = makeScene(test::recorded({.stage = "naive"}), 0, 0);
    const auto e = experiment(none, "As", ArrayLayout::plain());
    QVERIFY(!e.ready());
    QVERIFY(e.whyNone.contains("nothing in shared memory"));
    QVERIFY(!layoutExperiment(Scene(), {}, {}, {}).ready());
  }

  // Padding takes enough shared memory that fewer blocks fit on an SM.
  void blocksPerSm() {
    const Scene scene = storeOfAs(test::recorded({.stage = "warptiled"}));
    const auto e = experiment(scene, "As", ArrayLayout::padded(32), 32);
    QVERIFY(e.blocksAfter < e.blocksBefore);
    QVERIFY(experimentVerdict(e).contains(
        QStringLiteral("%1 blocks per SM instead of %2").arg(e.blocksAfter).arg(e.blocksBefore)));
  }

  // The recorded layout gives the bank view's own picture, and no other layout loses a word of it:
  // the same lanes touch as many words, and each word holds the same element.
  void picturesHoldTheSameWords() {
    const Fonts fonts = Fonts::of(QFont());
    const QRectF room(0, 0, 900, 500);
    for (const char* id : {"warptiled", "padded", "async", "tuned"}) {
      const auto r = test::recorded({.stage = id});
      const std::uint32_t as = test::arrayNamed(*r, "As");
      const Scene scene = makeScene(
          r, 0,
          test::indexOf(
              *r, 0, [&](const auto& i) { return emulator::isShared(i.kind) && i.array == as; },
              r->trace.length(0) / 3));
      const BankPicture usual = bankPicture(scene, room, fonts);
      const std::uint32_t base = r->trace.arrays[as].base;
      const auto shape = *analysis::arrayShape(r->trace, as);
      for (const ArrayLayout& layout : {ArrayLayout{}, ArrayLayout::plain(), ArrayLayout::padded(8),
                                        ArrayLayout::swizzled(usualSwizzle(shape))}) {
        const auto e = experiment(scene, "As", layout);
        const BankPicture picture = bankPicture(scene, room, fonts, e.other);
        QVERIFY(picture.access && picture.layout);
        QCOMPARE(picture.uses.size(), usual.uses.size());
        std::map<std::uint32_t, std::uint32_t> lanes;
        for (const auto& [word, use] : picture.uses) {
          const std::uint32_t origin = picture.layout->origin(word);
          QVERIFY(origin != analysis::kSpare);
          QVERIFY(usual.uses.at(origin) == use);
          QVERIFY(picture.contents[word - picture.layout->placed(as).base] ==
                  usual.contents[origin - base]);
        }
        std::size_t known = 0, wanted = 0;
        for (const auto& p : picture.contents) known += p.known() ? 1 : 0;
        for (const auto& p : usual.contents) wanted += p.known() ? 1 : 0;
        QCOMPARE(known, wanted);
        if (layout == ArrayLayout{}) {
          QVERIFY(picture.uses == usual.uses);
          QVERIFY(picture.contents == usual.contents);
          QCOMPARE(picture.verdict.text, usual.verdict.text);
        }
      }
    }
  }

  // Hovering a word of the other layout selects the recorded word that would be there.
  void theOtherLayoutPointsBack() {
    const Scene scene = storeOfAs(test::recorded({.stage = "warptiled"}));
    const auto e = experiment(scene, "As", ArrayLayout::padded(4));
    BankView before, after;
    for (BankView* view : {&before, &after}) view->resize(900, 400);
    before.setScene(scene);
    after.setScene(scene, e.other);
    const std::uint32_t word = scene.access->cost.addresses[5];
    const std::uint32_t moved = e.other.layout->moved(word);
    QVERIFY(moved != word);
    const auto selectionOf = [](BankView& view, std::uint32_t at) {
      Selection got;
      const auto c = QObject::connect(&view, &BankView::hovered, &view,
                                      [&got](const Selection& s) { got = s; });
      const QPointF pixel = view.geometry().cellOfWord(at).value().center();
      QMouseEvent move(QEvent::MouseMove, pixel, pixel, Qt::NoButton, Qt::NoButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&view, &move);
      QObject::disconnect(c);
      return got;
    };
    const Selection wanted = selectionOf(before, word);
    QVERIFY(wanted.word && wanted.thread);
    QVERIFY(selectionOf(after, moved) == wanted);
    // The four words after its row are empty.
    const std::uint32_t spare = e.other.layout->placed(scene.access->instruction.array).base + 128;
    QCOMPARE(e.other.layout->origin(spare), analysis::kSpare);
  }

  // For an impossible layout the picture gives the reason instead of banks.
  void whatCannotBeIsSaid() {
    const Fonts fonts = Fonts::of(QFont());
    const auto r = test::recorded({.stage = "padded"});
    // Row 1: row 0 does not move.
    const std::uint32_t as = test::arrayNamed(*r, "As");
    const Scene load =
        makeScene(r, 0, test::indexOf(*r, 0, [&](const emulator::Instruction& i) {
                    return i.kind == emulator::Kind::SharedLoad && i.array == as && i.dot == 1;
                  }));
    const auto split = experiment(load, "As", ArrayLayout::swizzled({3, 0, 7}));
    const BankPicture picture = bankPicture(load, QRectF(0, 0, 500, 300), fonts, split.other);
    QVERIFY(!picture.access);
    QVERIFY(picture.verdict.text.contains("would split the 128-bit access"));
    const TileShape odd = test::stage("shared").standardTile().with(Parameter::BLOCKSIZE, 12);
    const Scene small = storeOfAs(test::recorded({"shared", odd}));
    const auto none = experiment(small, "As", ArrayLayout::swizzled({5, 0, 5}));
    QVERIFY(isTrouble(none));
    QVERIFY(!none.other.layout);
    QVERIFY(none.other.whyNot.contains("would move words out of the array"));
    QCOMPARE(bankPicture(small, QRectF(0, 0, 500, 300), fonts, none.other).verdict.text,
             none.other.whyNot);
  }
};

TILELOOM_TEST(LayoutExperimentTest, Widgets)
#include "layout_experiment_test.moc"
