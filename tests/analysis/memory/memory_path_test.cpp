// SPDX-License-Identifier: GPL-3.0-or-later
// The way of an access's values, against what moment() and contents() say by other routes.
#include "kernels/analysis/memory/memory_path.h"

#include <QtTest>
#include <set>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/kinds.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using test::indexOf;
using test::recorded;
using Station = MemoryPath::Station;

class MemoryPathTest : public QObject {
  Q_OBJECT

  static Moment first(const Recording& r, std::uint32_t warp, Kind kind, const char* array) {
    return r.moment(warp, indexOf(r, warp, [&](const Instruction& i) {
                      return i.kind == kind && r.trace.arrays[i.array].name == array;
                    }));
  }

  static void addTensorRows() {
    QTest::addColumn<QString>("id");
    for (const Stage& stage : tensorStages()) {
      if (!stage.features().warpMma) continue;
      QTest::newRow(test::q(stage.id).toUtf8()) << test::q(stage.id);
    }
  }

 private slots:
  // Every value is at the place that moment() gives for its lane's word.
  void valuesAgreeWithTheMoment_data() {
    QTest::addColumn<QString>("id");
    for (const Stage& stage : stages())
      QTest::newRow(test::q(stage.id).toUtf8()) << test::q(stage.id);
  }
  void valuesAgreeWithTheMoment() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    const std::uint32_t warp = r->trace.warps - 1;
    for (std::uint32_t i = 0; i < r->trace.length(warp); i += 5) {
      const Moment m = r->moment(warp, i);
      if (!emulator::isMemory(m.instruction.kind)) continue;
      const MemoryPath p = memoryPath(*r, m);
      QCOMPARE(p.values.size(), m.touches.size());
      if (emulator::isGlobal(m.instruction.kind)) {
        QCOMPARE(std::uint32_t(p.sectors.size()), m.cost.global.sectors);
        QCOMPARE(p.usedBytes(), m.cost.global.usefulBytes);
      } else {
        QCOMPARE(p.sharedArray, m.array);
        for (const auto& v : p.values) {
          QCOMPARE(*v.word, m.cost.addresses[v.lane] + v.part);
          QVERIFY(*v.wavefront < m.cost.shared.count);
        }
      }
      QCOMPARE(p.stations.front() == Station::Lanes, m.instruction.kind == Kind::GlobalStore);
    }
  }

  // HARDWARE.md: contiguous floats 4 sectors, contiguous float4 16, fully scattered 32.
  void sectorsOfTheLadder() {
    const auto naive = recorded({.stage = "naive"});
    const auto a = memoryPath(*naive, first(*naive, 0, Kind::GlobalLoad, "A"));
    QCOMPARE(a.sectors.size(), std::size_t{32});
    QCOMPARE(a.usedBytes(), 128u);
    QCOMPARE(a.stations, (std::vector{Station::Sectors, Station::Lanes}));
    const auto coalesced = recorded({.stage = "coalesced"});
    QCOMPARE(memoryPath(*coalesced, first(*coalesced, 0, Kind::GlobalLoad, "B")).sectors.size(),
             std::size_t{4});
    const auto wide = recorded({.stage = "vectorized"});
    QCOMPARE(memoryPath(*wide, first(*wide, 0, Kind::GlobalLoad, "B")).sectors.size(),
             std::size_t{16});
  }

  // A global load of a tiled kernel lands where the stores put its values.
  void loadsLandWhereStoresPutThem() {
    const auto r = recorded({.stage = "vectorized"});
    const MemoryPath load = memoryPath(*r, first(*r, 1, Kind::GlobalLoad, "A"));
    QCOMPARE(load.stations.back(), Station::SharedWords);
    QCOMPARE(load.sharedArray, std::string("As"));
    const auto filled = *r->find(1, 0, 0);
    for (const auto& v : load.values) {
      QVERIFY(v.word.has_value());
      const auto word = r->wordOf(v.element, 1, filled);
      QVERIFY(word.has_value());
      QCOMPARE(*v.word, r->trace.arrays[word->array].base + word->index);
    }
    const MemoryPath store = memoryPath(*r, first(*r, 1, Kind::SharedStore, "As"));
    for (const auto& v : store.values) {
      const auto same = std::ranges::find_if(load.values, [&](const MemoryPath::Value& l) {
        return l.lane == v.lane && l.element == v.element;
      });
      QVERIFY(same != load.values.end());
      QCOMPARE(*v.word, *same->word);
    }
  }

  // Also where a K tile is loaded while another is used: the values are in it when it is used.
  void prefetchedValuesLand_data() { test::addStageRows(); }
  void prefetchedValuesLand() {
    const Stage& stage = test::stageOfRow();
    if (!stage.features().sharedTiles) QSKIP("has no shared memory");
    const auto r = recorded({.stage = stage.id, .problem = {256, 256, 256}});
    int loads = 0;
    for (std::uint32_t i = 0; i < r->trace.length(1); ++i) {
      const Moment at = r->moment(1, i);
      const bool fetched = at.instruction.kind == Kind::GlobalLoad && at.array != "C";
      if (!fetched) continue;
      const MemoryPath path = memoryPath(*r, at);
      ++loads;
      QVERIFY(!path.values.empty());
      for (const auto& v : path.values) QVERIFY(v.word.has_value());
      QCOMPARE(path.sharedArray, at.array + "s");
    }
    QCOMPARE(loads > 0, !test::copiesAll(stage) && !stage.features().tma);
  }

  // A value of As serves TN multiply-adds of its lane in each subtile across, one of Bs TM.
  void howOftenAValueServes() {
    const auto r = recorded({.stage = "warptiled"});
    const TileShape& tile = r->trace.tile;
    for (const auto& [array, uses] :
         {std::pair("As", tile[Parameter::TN] * tile[Parameter::WNITER]),
          std::pair("Bs", tile[Parameter::TM])}) {
      for (const auto& v : memoryPath(*r, first(*r, 2, Kind::SharedLoad, array)).values)
        QCOMPARE(int(v.uses), uses);
    }
  }

  // On tensor cores an element of A meets the 8 columns of B of each product of its row of
  // products, one of B the 16 rows of A of each product of its column.
  void howOftenAnElementServes_data() { addTensorRows(); }
  void howOftenAnElementServes() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    const TileShape& tile = r->trace.tile;
    for (const auto& [array, uses] :
         {std::pair("As", tile[Parameter::WN]), std::pair("Bs", tile[Parameter::WM])}) {
      const MemoryPath path = memoryPath(*r, first(*r, 1, Kind::MatrixLoad, array));
      QCOMPARE(path.values.size(), std::size_t{256});
      for (const auto& v : path.values) QCOMPARE(int(v.uses), uses);
    }
  }

  // The value of a lane's register is in the half of the word that shared memory holds it in.
  void matrixLoadsGoToTheLanesThatReceive_data() { addTensorRows(); }
  void matrixLoadsGoToTheLanesThatReceive() {
    QFETCH(QString, id);
    const auto r = recorded({.stage = id.toStdString(), .problem = {256, 256, 256}});
    for (const char* name : {"As", "Bs"}) {
      const Moment m = first(*r, 1, Kind::MatrixLoad, name);
      const MemoryPath path = memoryPath(*r, m);
      QCOMPARE(path.parts, 2u);
      QCOMPARE(path.wavefronts, m.cost.shared.count);
      const auto held = r->contents(m.instruction.array, 1, m.index);
      const auto& array = r->trace.arrays[m.instruction.array];
      const auto at = r->trace.position(1, m.index);
      const auto view = r->trace.at(1, at.interval);
      for (const auto& v : path.values) {
        QVERIFY(r->elementOf(held[2 * (*v.word - array.base) + v.inWord]) == v.element);
        const std::uint32_t received =
            view.payload(at.instruction, v.lane)[1 + 2 * v.part + v.half];
        QVERIFY(r->elementOf(emulator::Provenance(received)) == v.element);
        QVERIFY(*v.wavefront < m.cost.shared.count);
      }
      // 16 elements of a row of 32 bytes each: 256 values lie in 16 sectors, or 32 half used ones.
      QCOMPARE(path.usedBytes(), 512u);
    }
  }

  // Sectors of 16 elements, and copies of 16 bytes with their own passes.
  void halvesOnTheirWayIn() {
    const auto plain = recorded({.stage = "mma", .problem = {256, 256, 256}});
    for (const char* name : {"A", "B"}) {
      const Moment m = first(*plain, 1, Kind::GlobalLoad, name);
      const MemoryPath load = memoryPath(*plain, m);
      QCOMPARE(load.values.size(), std::size_t{256});
      QCOMPARE(std::uint32_t(load.sectors.size()), m.cost.global.sectors);
      QCOMPARE(load.usedBytes(), 512u);
      for (const auto& v : load.values) QVERIFY(v.word.has_value());
    }
    const auto ring =
        recorded({.stage = "mmaring",
                  .tile = test::stage("mmaring").standardTile().with(Parameter::SWIZZLE, 32),
                  .problem = {256, 256, 256}});
    const Moment m = first(*ring, 1, Kind::AsyncCopy, "Bs");
    const MemoryPath copy = memoryPath(*ring, m);
    QVERIFY(m.cost.copy.wavefronts > m.cost.shared.count);
    QCOMPARE(copy.wavefronts, m.cost.copy.wavefronts);
    std::set<std::uint32_t> passes;
    for (const auto& v : copy.values) passes.insert(*v.wavefront);
    QCOMPARE(std::uint32_t(passes.size()), copy.wavefronts);
  }

  void conflictsAreWordsOfOneBank() {
    const auto r = recorded({.stage = "blocktile2d"});
    const Moment as = first(*r, 0, Kind::SharedLoad, "As");
    const MemoryPath p = memoryPath(*r, as);
    QCOMPARE(p.mostInOneBank(), as.cost.shared.degree);
    QCOMPARE(p.banks(), 1u);
    QCOMPARE(as.cost.shared.conflicts(), 1u);
  }

  // Matrices whose rows are not a multiple of a sector: a sector may begin in one row and end in
  // the next.
  void oddRows() {
    const auto r = recorded({.stage = "coalesced", .problem = {70, 45, 33}});
    for (std::uint32_t i = 0; i < r->trace.length(0); ++i) {
      const Moment m = r->moment(0, i);
      if (m.instruction.kind != Kind::GlobalLoad) continue;
      const MemoryPath p = memoryPath(*r, m);
      QCOMPARE(std::uint32_t(p.sectors.size()), m.cost.global.sectors);
      for (const auto& v : p.values) {
        QVERIFY(v.inSector < 8);
        QVERIFY((p.sectors[v.sector].used >> v.inSector & 1u) != 0);
      }
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::MemoryPathTest, EventLoop)
#include "memory_path_test.moc"
