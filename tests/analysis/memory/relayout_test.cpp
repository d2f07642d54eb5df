// SPDX-License-Identifier: GPL-3.0-or-later
// Shared arrays in other layouts: the present layout has the same counts as everywhere else, and
// predicted padding has those of a recording of the padded kernel.
#include "kernels/analysis/memory/relayout.h"

#include <QtTest>
#include <map>
#include <set>
#include <tuple>

#include "kernels/analysis/counts/line_costs.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"
#include "tests/support/random.h"
#include "tests/support/random_tiles.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

using namespace tileloom;
using namespace tileloom::analysis;
using emulator::Kind;
using test::q;
using test::RecordingPointer;
using Part = LayoutCost::Part;

namespace {

std::vector<std::uint32_t> sharedArrays(const Recording& recording) {
  std::vector<std::uint32_t> arrays;
  for (std::uint32_t i = emulator::kFirstShared; i < recording.trace.arrays.size(); ++i)
    arrays.push_back(i);
  return arrays;
}

// The stages that keep tiles in shared memory.
std::vector<const Stage*> tiledStages() {
  std::vector<const Stage*> all;
  for (const Stage& s : stages()) {
    if (s.features().sharedTiles) all.push_back(&s);
  }
  return all;
}

// What one K tile costs in another layout.
LayoutCost costIn(const Recording& recording, const char* array, const ArrayLayout& layout) {
  const std::uint32_t a = test::arrayNamed(recording, array);
  return layoutCost(sharedUse(recording, 0), a, *arrayShape(recording.trace, a), layout);
}

std::string words(const SharedCount& c) {
  return std::to_string(c.accesses) + " accesses, " + std::to_string(c.wavefronts) +
         " wavefronts, " + std::to_string(c.conflicts) + " by conflicts";
}

void compare(const SharedCount& is, const SharedCount& wanted, const std::string& where) {
  QVERIFY2(is == wanted, (where + ": " + words(is) + " instead of " + words(wanted)).c_str());
}

}  // namespace

class RelayoutTest : public QObject {
  Q_OBJECT

 private slots:
  void shapesAreThoseOfTheSource() {
    const auto shapeOf = [](const RecordingPointer& r, const char* array) {
      return *arrayShape(r->trace, test::arrayNamed(*r, array));
    };
    const auto shared = test::recorded({.stage = "shared"});
    QCOMPARE(shapeOf(shared, "As"), (ArrayShape{32, 32, 32}));
    const auto rows = test::recorded({.stage = "blocktile2d"});  // As: BM x BK
    const TileShape& t5 = rows->trace.tile;
    QCOMPARE(shapeOf(rows, "As"),
             (ArrayShape{u(t5[Parameter::BM]), u(t5[Parameter::BK]), u(t5[Parameter::BK])}));
    const auto tuned = test::recorded({.stage = "tuned"});  // two of BK x (BM + PAD)
    const TileShape& t = tuned->trace.tile;
    QCOMPARE(shapeOf(tuned, "As"), (ArrayShape{2 * u(t[Parameter::BK]), u(t[Parameter::BM]),
                                               u(t[Parameter::BM] + t[Parameter::PAD])}));
    QCOMPARE(shapeOf(tuned, "Bs"),
             (ArrayShape{2 * u(t[Parameter::BK]), u(t[Parameter::BN]), u(t[Parameter::BN])}));
    const auto error = arrayShape(tuned->trace, emulator::kArrayC);
    QVERIFY(!error);
    QCOMPARE(error.error(), std::string("C holds no elements of A or B in this recording"));
    // Arrays of TMA loads and stores have the layouts of TMA alone.
    const auto hopper = test::recorded({.stage = "stored"});
    for (const char* array : {"As", "Bs", "Cs"}) {
      const auto boxes = arrayShape(hopper->trace, test::arrayNamed(*hopper, array));
      QVERIFY(!boxes && boxes.error().find("change SWIZZLE") != std::string::npos);
    }
  }

  // Every stage with shared arrays, several tiles: the counts before are the program's present
  // counts, line by line, and K tile by K tile they have the same sum; the recorded layout changes
  // nothing.
  void beforeIsWhatIsCountedToday() {
    test::Random random(2611);
    for (const Stage* stage : tiledStages()) {
      for (const TileShape& tile : test::legalTiles(*stage, 5, random)) {
        const Problem problem = test::problemFor(*stage, tile, 4'000'000, random);
        const auto r = test::recorded({stage->id, tile, problem, {0, 0}, 3});
        const std::string where = std::string(stage->id) + " " + tileText(*stage, tile);
        const SharedUse all = sharedUse(*r);
        for (const std::uint32_t array : sharedArrays(*r)) {
          const auto shape = arrayShape(r->trace, array);
          QVERIFY2(shape.has_value(),
                   (where + ": " + (shape ? std::string() : shape.error())).c_str());
          const LayoutCost same = layoutCost(all, array, *shape, ArrayLayout{});
          QVERIFY2(same.possible(), (where + ": " + same.whyNot).c_str());
          QCOMPARE(same.bytes, r->trace.sharedBytes);
          std::size_t lines = 0;
          for (const LineCost& cost : lineCosts(r->trace)) {
            if (!emulator::isShared(cost.kind)) continue;
            ++lines;
            const auto line = std::ranges::find_if(same.lines, [&](const LayoutLine& l) {
              return l.line == cost.line && l.kind == cost.kind && 4 * l.width == cost.width &&
                     r->trace.arrays[l.array].name == cost.array;
            });
            QVERIFY(line != same.lines.end());
            compare(line->before, {cost.executions, cost.wavefronts, cost.conflicts}, where);
            compare(line->after, line->before, where);
          }
          QCOMPARE(same.lines.size(), lines);
          SharedCount tiles;
          for (std::uint32_t k = 0; k < r->trace.kTiles; ++k)
            tiles += layoutCost(sharedUse(*r, k), array, *shape, ArrayLayout{}).sum(true);
          compare(tiles, same.sum(false), where + ", by K tiles");
        }
        const Totals& t = r->totals();
        const LayoutCost same =
            layoutCost(all, emulator::kFirstShared, *arrayShape(r->trace, emulator::kFirstShared),
                       ArrayLayout{});
        compare(same.sum(false, Part::Loads),
                {t.sharedLoadInstructions, t.sharedLoadWavefronts, t.sharedLoadConflicts}, where);
        compare(same.sum(false, Part::Stores),
                {t.sharedStoreInstructions + t.asyncInstructions,
                 t.sharedStoreWavefronts + t.asyncWavefronts,
                 t.sharedStoreConflicts + t.asyncConflicts},
                where);
      }
    }
  }

  // The prediction against another recording: a rung with PAD = 0 moved to PAD = p is what the rung
  // records with that PAD, Bs and its copies included, and back.
  void paddingIsWhatThePaddedKernelRecords() {
    test::Random random(914);
    int compared = 0;
    for (const Stage& stage : stages()) {
      if (stage.spec(Parameter::PAD) == nullptr) continue;
      std::vector<TileShape> tiles = test::legalTiles(stage, test::briefly() ? 2 : 4, random);
      for (const TileShape& any : tiles) {
        for (const int pad : {0, 4, 8, 12, 20}) {
          const TileShape from = any.with(Parameter::PAD, 0), to = any.with(Parameter::PAD, pad);
          if (!isLegal(stage, from) || !isLegal(stage, to)) continue;
          const Problem cube{512, 512, 512};
          const auto plain = test::recorded({stage.id, from, cube});
          const auto padded = test::recorded({stage.id, to, cube});
          const LayoutCost predicted = costIn(*plain, "As", ArrayLayout::padded(u(pad)));
          const LayoutCost recorded = costIn(*padded, "As", ArrayLayout{});
          const std::string where = std::string(stage.id) + " " + tileText(stage, to);
          QVERIFY2(predicted.possible(), (where + ": " + predicted.whyNot).c_str());
          QCOMPARE(predicted.bytes, u(derive(stage, to).sharedBytes));
          QCOMPARE(predicted.lines.size(), recorded.lines.size());
          for (std::size_t i = 0; i < predicted.lines.size(); ++i)
            compare(predicted.lines[i].after, recorded.lines[i].before, where);
          const LayoutCost back = costIn(*padded, "As", ArrayLayout::plain());
          for (std::size_t i = 0; i < back.lines.size(); ++i)
            compare(back.lines[i].after, predicted.lines[i].before, where + ", back to plain");
          ++compared;
        }
      }
    }
    QVERIFY(compared > (test::briefly() ? 30 : 60));
  }

  // Rung T2 with SWIZZLE = 128 moved into plain rows loads as the rung with SWIZZLE = 0 records,
  // and back: the swizzle 3,2,S of its plain rows loads as the panels do. So does rung T3, whose
  // ring holds several K tiles.
  void swizzledPanelsAndPlainRows() {
    const Stage& stage = test::stage("swizzled");
    for (const int bk : {32, 64, 128}) {
      const TileShape tile = stage.standardTile().with(Parameter::BK, bk);
      const int wide = std::min(128, 2 * bk);
      const auto swizzled = test::recorded({"swizzled", tile.with(Parameter::SWIZZLE, wide)});
      const auto rows = test::recorded({"swizzled", tile.with(Parameter::SWIZZLE, 0)});
      for (const char* array : {"As", "Bs"}) {
        const std::string where = std::string(array) + ", BK " + std::to_string(bk);
        const std::uint32_t a = test::arrayNamed(*rows, array);
        const auto shape = arrayShape(swizzled->trace, a);
        QVERIFY2(shape.has_value(), where.c_str());
        QVERIFY(!shape->inRows());
        QVERIFY(arrayShape(rows->trace, a)->inRows());
        QCOMPARE(shape->length, u(tile[array[0] == 'A' ? Parameter::BK : Parameter::BN] / 2));
        const LayoutCost plain = costIn(*swizzled, array, ArrayLayout::plain());
        const LayoutCost recorded = costIn(*rows, array, ArrayLayout{});
        compare(plain.sum(true, Part::Loads, a), recorded.sum(false, Part::Loads, a), where);
        const BestLayouts best = bestLayouts(sharedUse(*rows, 0), a, *arrayShape(rows->trace, a));
        QVERIFY(best.swizzle.has_value());
        compare(costIn(*rows, array, *best.swizzle).sum(true, Part::Loads, a),
                costIn(*swizzled, array, ArrayLayout{}).sum(false, Part::Loads, a), where);
      }
    }
    const auto ring = test::recorded({.stage = "mmaring"});
    for (const char* array : {"As", "Bs"}) {
      const LayoutCost plain = costIn(*ring, array, ArrayLayout::plain());
      QVERIFY2(plain.possible(), plain.whyNot.c_str());
      QCOMPARE(plain.bytes, ring->trace.sharedBytes);
      const std::uint32_t a = test::arrayNamed(*ring, array);
      QCOMPARE(plain.sum(false, Part::Loads, a).conflicts, std::uint64_t{0});
      QCOMPARE(plain.sum(true, Part::Loads, a).wavefronts,
               8 * plain.sum(false, Part::Loads, a).wavefronts);
    }
  }

  // A word of two 16-bit elements moves as a whole, to one place and back.
  void wordsOfHalvesMoveToAndFro() {
    for (const auto& [id, swizzle] : {std::pair("mma", 0), std::pair("swizzled", 64)}) {
      TileShape tile = test::stage(id).standardTile();
      if (swizzle > 0) tile = tile.with(Parameter::SWIZZLE, swizzle);
      const auto r = test::recorded({id, tile});
      for (const std::uint32_t array : sharedArrays(*r)) {
        const ArrayShape shape = *arrayShape(r->trace, array);
        for (const ArrayLayout& layout :
             {ArrayLayout{}, ArrayLayout::plain(), ArrayLayout::padded(4),
              ArrayLayout::swizzled(usualSwizzle(shape))}) {
          const Relayout relayout(r->trace.arrays, array, shape, layout);
          std::set<std::uint32_t> places;
          for (std::uint32_t word = 0; word < r->trace.sharedBytes / 4; ++word) {
            const std::uint32_t moved = relayout.moved(word);
            QVERIFY(moved < relayout.sharedBytes() / 4);
            QVERIFY(places.insert(moved).second);
            QCOMPARE(relayout.origin(moved), word);
          }
        }
      }
    }
  }

  // Rung 8 has no PAD. With its As padded it loads as rung 9 does; where both deal out their lanes
  // alike (BK of 4 or 8), it stores as rung 9 does, too.
  void rung8PaddedIsRung9() {
    const Stage& eight = test::stage("warptiled");
    const Stage& nine = test::stage("padded");
    int stored = 0;
    for (const int bk : {4, 8, 16, 32}) {
      for (const int pad : {0, 4, 8, 16}) {
        TileShape tile = eight.standardTile().with(Parameter::BK, bk);
        if (!isLegal(eight, tile)) continue;
        const auto plain = test::recorded({"warptiled", tile});
        const auto padded = test::recorded({"padded", tile.with(Parameter::PAD, pad)});
        QVERIFY(isLegal(nine, padded->trace.tile));
        const std::uint32_t as = test::arrayNamed(*plain, "As");
        const LayoutCost predicted = costIn(*plain, "As", ArrayLayout::padded(u(pad)));
        const LayoutCost recorded = costIn(*padded, "As", ArrayLayout{});
        const std::string where = "BK " + std::to_string(bk) + ", PAD " + std::to_string(pad);
        compare(predicted.sum(true, Part::Loads), recorded.sum(false, Part::Loads), where);
        QCOMPARE(predicted.bytes, recorded.bytes);
        if (bk > 8) continue;
        compare(predicted.sum(true, Part::Stores, as), recorded.sum(false, Part::Stores, as),
                where);
        ++stored;
      }
    }
    QVERIFY(stored >= 4);
  }

  // What the swizzle does that padding cannot: rung 8 stores As without a conflict, although its
  // lanes are dealt out so that no padding that keeps 128-bit loads does.
  void aSwizzleMendsWhatPaddingCannot() {
    const auto r = test::recorded({.stage = "warptiled"});
    const std::uint32_t as = test::arrayNamed(*r, "As");
    const SharedUse use = sharedUse(*r, 0);
    const ArrayShape shape = *arrayShape(r->trace, as);
    const BestLayouts best = bestLayouts(use, as, shape);
    QVERIFY(best.padding && best.swizzle);
    const auto after = [&](const ArrayLayout& layout) {
      return layoutCost(use, as, shape, layout).sum(true, Part::All, as);
    };
    QCOMPARE(layoutText(*best.padding), std::string("pad:4"));
    QVERIFY(after(*best.padding).conflicts > 0);
    QCOMPARE(layoutText(*best.swizzle), std::string("swizzle:2,3,6"));
    QCOMPARE(after(*best.swizzle).conflicts, std::uint64_t{0});
    QCOMPARE(swizzleSource(best.swizzle->swizzle, shape), std::string("row / 4 % 4"));
  }

  // The standard tile of rung 9 needs its four words: the result equals its descriptor's.
  void theBestPaddingOfRung9IsItsOwn() {
    const auto r = test::recorded({.stage = "padded"});
    const std::uint32_t as = test::arrayNamed(*r, "As");
    const BestLayouts best = bestLayouts(sharedUse(*r, 0), as, *arrayShape(r->trace, as));
    QVERIFY(best.padding.has_value());
    QCOMPARE(best.padding->pad, u(test::stage("padded").standardTile()[Parameter::PAD]));
  }

  void nothingFoundIsWorseThanWhatWasTried() {
    test::Random random(77);
    for (const Stage* stage : tiledStages()) {
      const TileShape tile = test::legalTiles(*stage, 2, random).back();
      const auto r =
          test::recorded({stage->id, tile, test::problemFor(*stage, tile, 2'000'000, random)});
      const SharedUse use = sharedUse(*r, 0);
      for (const std::uint32_t array : sharedArrays(*r)) {
        const ArrayShape shape = *arrayShape(r->trace, array);
        const BestLayouts best = bestLayouts(use, array, shape);
        const auto sum = [&](const ArrayLayout& layout) {
          const LayoutCost cost = layoutCost(use, array, shape, layout);
          return cost.possible() ? cost.sum(true).wavefronts : ~std::uint64_t{0};
        };
        const std::uint64_t plain = sum(ArrayLayout::plain());
        const std::uint64_t padded = best.padding ? sum(*best.padding) : plain;
        const std::uint64_t swizzled = best.swizzle ? sum(*best.swizzle) : plain;
        QVERIFY(!best.padding || padded < plain);
        QVERIFY(!best.swizzle || swizzled < plain);
        for (std::uint32_t pad = 0; pad <= kMostPad; pad += 4)
          QVERIFY(sum(ArrayLayout::padded(pad)) >= padded);
        QVERIFY(sum(ArrayLayout::swizzled(usualSwizzle(shape))) >= swizzled);
      }
    }
  }

  // No layout loses a word or maps two to one; origin() is the inverse of moved().
  void layoutsAreBijections() {
    test::Random random(4242);
    int held = 0, refused = 0;
    for (int i = 0; i < 400; ++i) {
      const auto some = [&](int least, int most) { return u(random.integer(least, most)); };
      ArrayShape shape{some(1, 40), some(1, 160), 0};
      if (i % 2 == 0) shape.length = 1u << some(0, 8);
      shape.pitch = shape.length + some(0, 8);
      ArrayLayout layout;
      layout.form = static_cast<LayoutForm>(some(0, 3));
      layout.pad = some(0, 32);
      layout.swizzle = {some(1, 5), some(0, 5), some(1, 9)};
      if (!whyNoLayout(layout, shape).empty()) {
        ++refused;
        continue;
      }
      ++held;
      std::set<std::uint32_t> taken;
      for (std::uint32_t row = 0; row < shape.rows; ++row) {
        for (std::uint32_t column = 0; column < shape.length; ++column) {
          const std::uint32_t word = wordOf(layout, shape, row, column);
          QVERIFY(word < wordsTaken(layout, shape));
          QVERIFY(taken.insert(word).second);
          QCOMPARE(standsAt(layout, shape, word), row * shape.length + column);
        }
      }
      std::uint32_t spare = 0;
      for (std::uint32_t w = 0; w < wordsTaken(layout, shape); ++w)
        spare += standsAt(layout, shape, w) == kSpare ? 1 : 0;
      QCOMPARE(taken.size() + spare, std::size_t{wordsTaken(layout, shape)});
    }
    QVERIFY(held > 150);
    QVERIFY(refused > 30);
  }

  void movedWordsComeBack() {
    const auto r = test::recorded({.stage = "async"});
    const std::uint32_t as = test::arrayNamed(*r, "As");
    const ArrayShape shape = *arrayShape(r->trace, as);
    for (const ArrayLayout& layout : {ArrayLayout{}, ArrayLayout::plain(), ArrayLayout::padded(7),
                                      ArrayLayout::swizzled(usualSwizzle(shape))}) {
      const Relayout relayout(r->trace.arrays, as, shape, layout);
      std::set<std::uint32_t> places;
      for (std::uint32_t w = 0; w < r->trace.sharedBytes / 4; ++w) {
        const std::uint32_t to = relayout.moved(w);
        if (to == kSpare) continue;
        QVERIFY(to < relayout.sharedBytes() / 4);
        QVERIFY(places.insert(to).second);
        QCOMPARE(relayout.origin(to), w);
      }
    }
  }

  // A layout that breaks wide accesses is reported and not counted.
  void whatSplitsWideAccessesIsNotCounted() {
    const auto r = test::recorded({.stage = "padded"});
    const LayoutCost odd = costIn(*r, "As", ArrayLayout::padded(1));
    QVERIFY(!odd.possible());
    const int line = test::lineOf(test::stage("padded"), "load_run(regM + wm * TM, As");
    QCOMPARE(q(odd.whyNot), QStringLiteral("pad:1 would split the 128-bit loads of line %1: some "
                                           "would begin 4 bytes after a multiple of 16")
                                .arg(line));
    for (const LayoutLine& l : odd.lines) {
      if (l.kind != Kind::SharedLoad || r->trace.arrays[l.array].name != "As") continue;
      QVERIFY(!l.possible);
      QCOMPARE(l.after, SharedCount());
      QVERIFY(l.before.wavefronts > 0);
    }
    const LayoutCost fine = costIn(*r, "As", ArrayLayout::swizzled({3, 0, 7}));
    QVERIFY(
        q(fine.whyNot).endsWith(QStringLiteral("a lane's 4 words would no longer be adjacent")));
  }

  void whatDoesNotFitIsRefused() {
    const auto r = test::recorded({.stage = "padded"});
    const std::uint32_t as = test::arrayNamed(*r, "As");
    Architecture small = defaultArchitecture();
    small.sharedPerBlock = static_cast<int>(r->trace.sharedBytes) + 256;
    const auto costOf = [&](std::uint32_t pad) {
      return layoutCost(sharedUse(*r, 0), as, *arrayShape(r->trace, as), ArrayLayout::padded(pad),
                        small);
    };
    QVERIFY(costOf(8).possible());
    QCOMPARE(costOf(8).bytes, r->trace.sharedBytes + 16 * 4 * 4);
    QVERIFY(!costOf(12).possible());
    QVERIFY(q(costOf(12).whyNot).startsWith(QStringLiteral("pad:12 would take 17,152 bytes")));
  }

  // The instant that is shown, moved, is what the counts say of it.
  void theMovedMomentCostsWhatIsCounted() {
    for (const char* id : {"padded", "async", "tuned"}) {
      const auto r = test::recorded({.stage = id});
      const std::uint32_t as = test::arrayNamed(*r, "As");
      const ArrayShape shape = *arrayShape(r->trace, as);
      const ArrayLayout layout = ArrayLayout::plain();
      const Relayout relayout(r->trace.arrays, as, shape, layout);
      SharedCount sum;
      for (std::uint32_t warp = 0; warp < r->trace.warps; ++warp) {
        for (std::uint32_t i = 0; i < r->trace.length(warp); ++i) {
          if (!emulator::isShared(test::instructionAt(*r, warp, i).kind)) continue;
          const Moment m = r->moment(warp, i);
          if (m.follower) continue;
          const auto moved = movedMoment(*r, m, relayout);
          QVERIFY(moved.has_value());
          QCOMPARE(moved->touches.size(), m.touches.size());
          sum += {1, moved->cost.wavefronts(), moved->cost.conflicts()};
        }
      }
      compare(sum, layoutCost(sharedUse(*r), as, shape, layout).sum(true), id);
    }
  }

  void layoutsAreWritten() {
    for (const char* text : {"recorded", "plain", "pad:0", "pad:32", "swizzle:3,2,5"}) {
      const auto layout = parseLayout(text);
      QVERIFY2(layout.has_value(), text);
      QCOMPARE(layoutText(*layout), std::string(text));
    }
    for (const char* text : {"", "padded", "pad:", "pad:33", "pad:-1", "pad:4x", "swizzle:3,2",
                             "swizzle:6,2,6", "swizzle:3,2,2", "swizzle:3,6,5", "swizzle:3,2,17",
                             "swizzle:3,2,5,1", "pad:99999999999"}) {
      const auto layout = parseLayout(text);
      QVERIFY2(!layout.has_value(), text);
      QVERIFY(!layout.error().empty() && layout.error().back() != '.');
    }
    // CuTe counts elements: of 16 bits two are a word, of 32 bits one.
    for (const auto& [text, perWord, words] :
         {std::tuple{"swizzle:3,3,3:elements", 2u, "swizzle:3,2,3"},
          {"swizzle:3,3,3:words", 2u, "swizzle:3,3,3"},
          {"swizzle:3,3,3", 2u, "swizzle:3,3,3"},
          {"swizzle:3,3,3:elements", 1u, "swizzle:3,3,3"},
          {"pad:4", 2u, "pad:4"},
          {"plain", 2u, "plain"}}) {
      const auto layout = parseLayoutInUnits(text, perWord);
      QVERIFY2(layout.has_value(), text);
      QCOMPARE(layoutText(layout->layout), std::string(words));
      QCOMPARE(layout->unitGiven, std::string_view(text).ends_with('s'));
    }
    QCOMPARE(cuteText({3, 2, 3}, 2), std::string("Swizzle<3,3,3>"));
    QCOMPARE(cuteText({3, 2, 3}, 1), std::string("Swizzle<3,2,3>"));
    for (const char* text : {"swizzle:3,0,3:elements", "swizzle:3,3,3:", "swizzle:3,3,3:bytes",
                             "swizzle:", "swizzle::elements", "plain:words", "pad:4:words"}) {
      const auto layout = parseLayoutInUnits(text, 2);
      QVERIFY2(!layout.has_value(), text);
      QVERIFY(!layout.error().empty() && layout.error().back() != '.');
    }
    // What its form does not use makes no difference.
    QVERIFY((ArrayLayout{LayoutForm::Plain, 4} == ArrayLayout{LayoutForm::Plain, 8}));
    QVERIFY((ArrayLayout::padded(4) != ArrayLayout::padded(8)));
  }

  void theUsualSwizzleFits() {
    QCOMPARE(usualSwizzle({16, 128, 132}), (Swizzle{3, 2, 5}));
    QCOMPARE(swizzleSource({3, 2, 5}, {16, 128, 128}), std::string("row % 8"));
    QCOMPARE(swizzleSource({3, 2, 4}, {16, 96, 96}), std::string("word / 64 % 8"));
    for (std::uint32_t rows = 1; rows <= 64; rows *= 2) {
      for (const std::uint32_t length : {8u, 16u, 24u, 64u, 96u, 256u}) {
        const ArrayShape shape{rows, length, length};
        QCOMPARE(whyNoLayout(ArrayLayout::swizzled(usualSwizzle(shape)), shape), std::string());
      }
    }
  }

 private:
  static std::uint32_t u(int value) { return static_cast<std::uint32_t>(value); }
};

TILELOOM_TEST(RelayoutTest, Nothing)
#include "relayout_test.moc"
