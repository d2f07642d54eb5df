// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the memory views on an access, without a screen.
#include "viz/memory/access_words.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/memory/bank_picture.h"
#include "viz/memory/word_use.h"

namespace tileloom {

using analysis::MemoryPath;
using emulator::Instruction;
using emulator::Kind;
using test::indexOf;

class AccessWordsTest : public QObject {
  Q_OBJECT

  // The first access of this kind to the array, by warp 0; "": any array.
  static Scene sceneOf(const test::Take& take, Kind kind, std::string_view array = "") {
    const auto r = test::recorded(take);
    return makeScene(r, 0, indexOf(*r, 0, [&](const Instruction& i) {
                       return i.kind == kind &&
                              (array.empty() || r->trace.arrays[i.array].name == array);
                     }));
  }
  static void says(const Scene& scene, const QString& text, Tone tone) {
    const AccessVerdict verdict = accessVerdict(scene.moment);
    QCOMPARE(verdict.text, text);
    QVERIFY(verdict.tone == tone);
  }
  static QString at(const Scene& scene, MemoryPath::Station station) {
    return stationVerdict(analysis::memoryPath(*scene.recording, scene.moment), station,
                          scene.moment)
        .text;
  }

 private slots:
  // Rung 5: lanes 8 columns apart meet in four banks; the assembler makes 128-bit loads of them.
  void aConflictSaysWhatItAdds() {
    const Scene scene = sceneOf({.stage = "blocktile2d"}, Kind::SharedLoad, "Bs");
    says(scene,
         "8 wavefronts, 4 of them by bank conflicts (2-way) · without them a wavefront serves 8 "
         "lanes of 128 "
         "bits",
         Tone::Trouble);
    QCOMPARE(at(scene, MemoryPath::Station::Wavefronts), QString("8, 4 of them by bank conflicts"));
  }

  // ldmatrix of rung T1: the eight rows of each matrix of Bs are in the same four banks.
  void matricesAreReadInTurn() {
    const Scene scene = sceneOf({.stage = "mma"}, Kind::MatrixLoad, "Bs");
    says(scene,
         "32 wavefronts, 28 of them by bank conflicts (8-way) · four matrices in turn, a row of 16 "
         "bytes for each lane",
         Tone::Trouble);
    QCOMPARE(at(scene, MemoryPath::Station::Lanes),
             QString("128 bits per lane; 64 multiply-adds per element"));
    const Scene swizzled = sceneOf({.stage = "swizzled"}, Kind::MatrixLoad, "Bs");
    says(swizzled,
         "4 wavefronts, no bank conflict · four matrices in turn, a row of 16 bytes for each lane",
         Tone::Good);
  }

  // 16-byte copies bypass L1: narrow panels join a line of shared memory with four of B.
  void wideCopiesCostPairsOfLines() {
    const TileShape tile = test::stage("mmaring").standardTile();
    const Scene narrow = sceneOf({.stage = "mmaring", .tile = tile.with(Parameter::SWIZZLE, 32)},
                                 Kind::AsyncCopy, "Bs");
    says(narrow,
         "16 wavefronts, no bank conflict · one for each pair of a line of the matrix and a line "
         "of shared memory that 8 lanes join; 4 would suffice",
         Tone::Plain);
    QCOMPARE(at(narrow, MemoryPath::Station::Wavefronts), QString("16, for pairs of lines"));
    says(sceneOf({.stage = "mmaring", .tile = tile.with(Parameter::SWIZZLE, 128)}, Kind::AsyncCopy,
                 "Bs"),
         "4 wavefronts, no bank conflict · a wavefront serves 8 lanes of 128 bits", Tone::Good);
  }

  void whatIsServedAtOnceHasNoConflict() {
    const Scene scene = sceneOf({.stage = "shared"}, Kind::SharedStore, "As");
    says(scene, "1 wavefront, no bank conflict", Tone::Good);
    QCOMPARE(at(scene, MemoryPath::Station::Wavefronts), QString("1, no bank conflict"));
  }

  // Rung 1 reads down a column of A: 32 sectors, with 4 of 32 bytes used in each.
  void scatteredSectors() {
    const Scene scene = sceneOf({.stage = "naive"}, Kind::GlobalLoad);
    says(scene, "32 sectors of 32 bytes for one request, 4 would suffice · 128 of 1024 bytes used",
         Tone::Trouble);
    QCOMPARE(at(scene, MemoryPath::Station::Sectors),
             QString("32 sectors, 13 % of their bytes used"));
  }

  void neighbouringSectors() {
    const Scene scene = sceneOf({.stage = "coalesced"}, Kind::GlobalStore);
    says(scene, "4 sectors of 32 bytes for one request, the fewest possible", Tone::Good);
  }

  // Rung 2: all lanes read one word of A, which wastes nothing.
  void aBroadcastIsCalledSo() {
    says(sceneOf({.stage = "coalesced"}, Kind::GlobalLoad, "A"),
         "1 sector of 32 bytes for one request: one word, broadcast to 32 lanes", Tone::Good);
    says(sceneOf({.stage = "naive"}, Kind::GlobalLoad, "B"),
         "1 sector of 32 bytes for one request: one word, broadcast to 32 lanes", Tone::Good);
  }

  // One load of rung 1 is cheaper than that of rung 2; both loads together are not.
  void bothLoadsOfOneKAreAdded() {
    const auto sum = [](const Scene& scene) { return sectorsOfK(*scene.recording, scene.moment); };
    for (const char* array : {"A", "B"}) {
      QCOMPARE(sum(sceneOf({.stage = "naive"}, Kind::GlobalLoad, array)),
               QString("all loads of this k: 32 of A + 1 of B = 33 sectors"));
      const Scene coalesced = sceneOf({.stage = "coalesced"}, Kind::GlobalLoad, array);
      QCOMPARE(sum(coalesced), QString("all loads of this k: 1 of A + 4 of B = 5 sectors"));
      const QString verdict =
          bankPicture(coalesced, QRectF(0, 0, 900, 300), Fonts::of(QFont())).verdict.text;
      QVERIFY2(verdict.endsWith(sum(coalesced)), qPrintable(verdict));
    }
    QCOMPARE(sum(sceneOf({.stage = "shared"}, Kind::GlobalLoad)), QString());
    QCOMPARE(sum(sceneOf({.stage = "shared"}, Kind::SharedLoad)), QString());
  }

  // A copy of 4 bytes that the banks serve at once, and L1 does not: half of the lanes' lines share
  // its banks.
  void aCopyThatWaitsInL1() {
    bool seen = false;
    for (const Stage& stage : stages()) {
      if (!stage.features().sharedTiles) continue;
      const auto r = test::recorded({.stage = stage.id});
      for (std::uint32_t i = 0; i < r->trace.length(0); ++i) {
        if (test::instructionAt(*r, 0, i).kind != Kind::AsyncCopy) continue;
        const Scene scene = makeScene(r, 0, i);
        const auto& cost = scene.moment.cost;
        const QString said = accessVerdict(scene.moment).text;
        QCOMPARE(
            said.contains(
                QString("%1 in L1, where the copied floats share banks").arg(cost.wavefronts())),
            cost.wavefronts() > cost.shared.count);
        QCOMPARE(accessVerdict(scene.moment).tone == Tone::Trouble, cost.conflicted());
        seen = seen || cost.wavefronts() > cost.shared.count;
      }
    }
    QVERIFY(seen);
  }

  void aMergedLoadIsNotCountedTwice() {
    const auto r = test::recorded({.stage = "blocktile2d"});
    std::uint32_t follower = 0;
    while (!r->moment(0, follower).follower) ++follower;
    const AccessVerdict verdict = accessVerdict(r->moment(0, follower));
    QVERIFY(verdict.text.contains("merged into an earlier one"));
    QVERIFY(verdict.text.contains("whose access is shown"));  // its wavefronts are in the picture
    QVERIFY(verdict.tone == Tone::Plain);
  }

  void anEarlierAccessIsCalledTheLatest() {
    const auto r = test::recorded({});
    const Scene fma =
        makeScene(r, 0, indexOf(*r, 0, [](const Instruction& i) { return i.kind == Kind::Fma; }));
    QVERIFY(accessTitle(fma, *fma.access).startsWith("latest access: warp 0, "));
    const Scene load = sceneOf({}, Kind::SharedLoad);
    QVERIFY(accessTitle(load, *load.access).startsWith("warp 0, "));
  }

  // Every word of every lane is in exactly one wavefront, and in the rows above.
  void wavefrontsServeEveryWordOnce_data() { test::addStageRows(); }
  void wavefrontsServeEveryWordOnce() {
    const Stage& stage = test::stageOfRow();
    if (!stage.features().sharedTiles) QSKIP("this rung has no shared memory");
    if (stage.id == "wgmma") QSKIP("the threads of this rung do not access shared memory");
    const auto r = test::recorded({.stage = stage.id});
    int looked = 0;
    for (std::uint32_t i = 0; i < r->trace.length(0) && looked < 40; ++i) {
      if (!emulator::isShared(test::instructionAt(*r, 0, i).kind)) continue;
      ++looked;
      const analysis::Moment m = r->moment(0, i);
      const WordUses all = wordUses(m);
      const auto served = wavefrontUses(m);
      QCOMPARE(served.size(), std::size_t{m.cost.shared.count});
      std::map<std::uint32_t, std::uint32_t> lanes;  // by word
      for (const WordUses& wavefront : served) {
        std::set<std::uint32_t> banks;
        for (const auto& [word, use] : wavefront) {
          QVERIFY(banks.insert(word % analysis::kBanks).second);  // one word of each bank
          QCOMPARE(lanes[word] & use.lanes, 0u);
          lanes[word] |= use.lanes;
        }
      }
      QCOMPARE(lanes.size(), all.size());
      for (const auto& [word, use] : all) QCOMPARE(lanes[word], use.lanes);
    }
    QVERIFY(looked > 10);
  }

  // The picture says what it has no room for.
  void aSmallPictureSaysWhatIsHidden() {
    const Scene scene = sceneOf({.stage = "blocktile2d"}, Kind::SharedLoad, "Bs");
    const Fonts fonts = Fonts::of(QFont());
    const BankPicture large = bankPicture(scene, QRectF(0, 0, 900, 700), fonts);
    QCOMPARE(large.verdict, accessVerdict(scene.moment));
    QCOMPARE(large.strips.size(), std::size_t{8});
    const BankPicture small = bankPicture(scene, QRectF(0, 0, 900, 90), fonts);
    QVERIFY(small.strips.size() < 8);
    QVERIFY2(small.verdict.text.contains(" not fit here"), qPrintable(small.verdict.text));
    QVERIFY(bankPicture(Scene(), QRectF(0, 0, 900, 300), fonts).uses.empty());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::AccessWordsTest, Widgets)
#include "access_words_test.moc"
