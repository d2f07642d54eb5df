// SPDX-License-Identifier: GPL-3.0-or-later
// What the views ask a recording. Touches, contents and links are checked against each other: two
// ways through the trace must name the same element.

#include <QtTest>
#include <set>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/warp_product.h"
#include "tests/support/random.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::instructionAt;
using test::recorded;

class RecordingTest : public QObject {
  Q_OBJECT

  // Every word that a shared access touches holds the element that the touch names.
  static void touchesAgreeWithContents(const Recording& recording, std::uint32_t warp,
                                       std::uint32_t index) {
    const Moment m = recording.moment(warp, index);
    const auto& array = recording.trace.arrays[m.instruction.array];
    const auto contents = recording.contents(m.instruction.array, warp, index);
    std::set<std::pair<std::uint32_t, std::uint32_t>> seen;
    for (const Touch& touch : m.touches) {
      QVERIFY(touch.word < m.width);
      QVERIFY2(seen.insert({touch.lane, touch.word}).second, "a word is touched twice");
      const std::uint32_t at = m.cost.addresses[touch.lane] + touch.word - array.base;
      QVERIFY(at < contents.size());
      const auto element = recording.elementOf(contents[at]);
      QVERIFY(element.has_value());
      QVERIFY(*element == touch.element);
      QCOMPARE(array.name[0], touch.element.matrix == Matrix::A ? 'A' : 'B');
    }
    QCOMPARE(seen.size(), std::size_t{32} * m.width);
  }

 private slots:
  void sharedTouchesAgreeWithContents_data() {
    QTest::addColumn<QString>("id");
    for (const char* id :
         {"shared", "blocktile1d", "blocktile2d", "vectorized", "autotuned", "warptiled"}) {
      QTest::newRow(id) << id;
    }
  }
  void sharedTouchesAgreeWithContents() {
    QFETCH(QString, id);
    const auto recording = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    test::Random random(test::seed());
    int loads = 0, stores = 0;
    for (int round = 0; round < 3000 && (loads < 40 || stores < 10); ++round) {
      const auto warp =
          static_cast<std::uint32_t>(random.integer(0, int(recording->trace.warps) - 1));
      const auto index =
          static_cast<std::uint32_t>(random.integer(0, int(recording->trace.length(warp)) - 1));
      const Kind kind = instructionAt(*recording, warp, index).kind;
      if (!emulator::isShared(kind)) continue;
      int& count = kind == Kind::SharedLoad ? loads : stores;
      if (++count > 40) continue;
      touchesAgreeWithContents(*recording, warp, index);
      if (QTest::currentTestFailed()) {
        qWarning("warp %u, instruction %u (TILELOOM_TEST_SEED=%u)", warp, index, test::seed());
        return;
      }
    }
    QVERIFY(loads >= 10 && stores >= 1);
  }

  // A multiply-add of the loop takes A[i][k] and B[k][j] to C[i][j].
  void multiplyAddsNameTheirFactors_data() { test::addFp32StageRows(); }
  void multiplyAddsNameTheirFactors() {
    const auto recording = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const std::uint32_t warp = recording->trace.warps - 1;
    const std::uint32_t index = indexOf(*recording, warp, [](const Instruction& i) {
      return i.kind == Kind::Fma && i.kTile == 1 && i.dot == 3;
    });
    const Moment m = recording->moment(warp, index);
    QVERIFY(m.array.empty());
    QCOMPARE(m.touches.size(), std::size_t{3 * 32});
    for (std::size_t i = 0; i < m.touches.size(); i += 3) {
      const Element &a = m.touches[i].element, &b = m.touches[i + 1].element,
                    &c = m.touches[i + 2].element;
      QVERIFY(a.matrix == Matrix::A && b.matrix == Matrix::B && c.matrix == Matrix::C);
      QCOMPARE(a.row, c.row);
      QCOMPARE(b.column, c.column);
      QCOMPARE(a.column, b.row);
      QCOMPARE(a.column, std::int64_t{recording->trace.stepK} + 3);
      const std::uint32_t thread = warp * 32 + m.touches[i].lane;
      QCOMPARE(std::uint32_t{recording->map.ownerOf(c.row, c.column)}, thread);
    }
  }

  void globalTouchesNameAddresses() {
    const auto recording = recorded({.problem = {256, 256, 64}, .block = {1, 1}});
    const Moment m = recording->moment(3, indexOf(*recording, 3, [](const Instruction& i) {
                                         return i.kind == Kind::GlobalLoad &&
                                                i.array == emulator::kArrayA && i.kTile == 1;
                                       }));
    QCOMPARE(m.array, std::string("A"));
    QCOMPARE(m.width, 4u);
    QCOMPARE(m.touches.size(), std::size_t{32 * 4});
    for (const Touch& t : m.touches) {
      QVERIFY(t.element.matrix == Matrix::A);
      QCOMPARE(t.element.row * 64 + t.element.column,
               std::int64_t{m.cost.addresses[t.lane]} + t.word);
      QVERIFY(recording->map.tileA[1].contains(t.element.row, t.element.column));
    }
  }

  // Rung 3 reads As along its rows: the assembler merges four loads; three of them are followers.
  void mergedLoadsAreOneAccess() {
    const auto recording = recorded({.stage = "shared"});
    const std::uint32_t array = test::arrayNamed(*recording, "As");
    int leaders = 0, followers = 0;
    for (std::uint32_t i = 0; i < recording->trace.length(0); ++i) {
      const Instruction& instruction = instructionAt(*recording, 0, i);
      if (instruction.kind != Kind::SharedLoad || instruction.array != array) continue;
      const Moment m = recording->moment(0, i);
      QCOMPARE(m.width, 4u);
      QCOMPARE(m.merged, 4u);
      QCOMPARE(m.touches.size(), std::size_t{32 * 4});
      ++(m.follower ? followers : leaders);
    }
    QCOMPARE(leaders, 2 * 32 / 4);
    QCOMPARE(followers, 3 * leaders);
  }

  void findIsTheFirst_data() { test::addStageRows(); }
  void findIsTheFirst() {
    const auto recording = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const std::uint32_t warp = recording->trace.warps / 2;
    for (std::uint32_t tile = 0; tile < 2; ++tile) {
      const auto depth = static_cast<std::uint16_t>(dotDepth(recording->trace));
      for (const std::uint16_t dot :
           {std::uint16_t{0}, std::uint16_t(depth == 1 ? 5 : depth), emulator::kNoDot}) {
        const std::uint32_t wanted = indexOf(*recording, warp, [&](const Instruction& i) {
          return i.kTile == tile && (dot == emulator::kNoDot || i.dot == dot);
        });
        const auto found = recording->find(warp, tile, dot);
        QVERIFY(found.has_value());
        QCOMPARE(*found, wanted);
      }
    }
    const std::uint32_t traced = recording->trace.kTilesTraced;
    QVERIFY(!recording->find(warp, traced, emulator::kNoDot));
    QVERIFY(!recording->find(warp, 0, std::uint16_t{1000}));
  }

  // Walking forward and remembering gives the same as asking.
  void lastAccessIsTheLast_data() { test::addStageRows(); }
  void lastAccessIsTheLast() {
    const auto recording = recorded({.stage = test::stageOfRow().id, .problem = {256, 256, 128}});
    const bool shared = recording->trace.sharedBytes > 0;
    std::optional<std::uint32_t> last;
    const std::uint32_t length = recording->trace.length(1);
    const std::uint32_t stride = length / 400 + 1;  // asking is slow
    for (std::uint32_t i = 0; i < length; ++i) {
      const Kind kind = instructionAt(*recording, 1, i).kind;
      if (shared ? emulator::isShared(kind) : emulator::isMemory(kind)) last = i;
      if (i < 40 || i % stride == 0 || i + 1 == length) {
        QCOMPARE(recording->lastAccess(1, i), last);
      }
    }
    // Rung T5's tensor core reads shared memory, and its threads do not.
    QCOMPARE(last.has_value(), test::stageOfRow().id != "wgmma");
  }

  // Between the barriers of a K tile, As and Bs hold just the slabs of A and B, each element once.
  void fullTilesHoldTheSlabs_data() { sharedTouchesAgreeWithContents_data(); }
  void fullTilesHoldTheSlabs() {
    QFETCH(QString, id);
    const auto recording = recorded({.stage = id.toStdString(), .problem = {256, 256, 128}});
    for (std::uint32_t tile = 0; tile < 2; ++tile) {
      const std::uint32_t index = indexOf(*recording, 0, [tile](const Instruction& i) {
        return i.kTile == tile && i.dot != emulator::kNoDot;
      });
      for (const char* name : {"As", "Bs"}) {
        const auto words = recording->contents(test::arrayNamed(*recording, name), 0, index);
        const Region& slab =
            name[0] == 'A' ? recording->map.tileA[tile] : recording->map.tileB[tile];
        std::set<std::uint32_t> distinct;
        for (const emulator::Provenance word : words) {
          const auto element = recording->elementOf(word);
          QVERIFY(element.has_value());
          QVERIFY(element->matrix == (name[0] == 'A' ? Matrix::A : Matrix::B));
          QVERIFY(slab.contains(element->row, element->column));
          distinct.insert(word.bits());
        }
        QCOMPARE(distinct.size(), words.size());
        QCOMPARE(static_cast<std::int64_t>(words.size()), slab.rows * slab.columns);
      }
    }
  }

  void nothingIsStoredAtTheStart() {
    const auto recording = recorded({.problem = {128, 128, 32}});
    for (const char* name : {"As", "Bs"}) {
      for (const auto word : recording->contents(test::arrayNamed(*recording, name), 0, 0)) {
        QVERIFY(!word.known());
      }
    }
    QVERIFY(!recording->wordOf({Matrix::A, 0, 0}, 0, 0));
    QVERIFY(!recording->lastAccess(0, 0));
  }

  void unknownProvenanceIsNoElement() {
    const auto recording = recorded({.problem = {128, 128, 32}});
    using emulator::Provenance;
    QVERIFY(!recording->elementOf(Provenance()));
    QVERIFY(!recording->elementOf(Provenance::accumulator(3)));
    const auto element = recording->elementOf(Provenance::element(Provenance::Source::B, 128 + 7));
    QVERIFY((element == Element{Matrix::B, 1, 7}));
  }

  // The loop's counts are those that all K tiles have in common.
  void loopTotalsLeaveTheEpilogueOut() {
    const auto recording = recorded({.problem = {128, 128, 32}});
    QCOMPARE(recording->loop().ffmaThreadInstructions, std::uint64_t{128 * 128 * 32});
    QCOMPARE(recording->totals().ffmaThreadInstructions, std::uint64_t{128 * 128 * 33});
    QCOMPARE(recording->loop().globalStoreRequests, std::uint64_t{0});
    QVERIFY(recording->totals().globalStoreRequests > 0);
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::RecordingTest, Nothing)
#include "recording_test.moc"
