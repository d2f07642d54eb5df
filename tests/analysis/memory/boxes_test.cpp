// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a box inside its matrix, compared with the zeros that the emulator has written; and
// boxes in flight, compared with waits.
#include "kernels/analysis/memory/boxes.h"

#include <QtTest>

#include "kernels/analysis/order/barriers.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom::analysis {

using emulator::Kind;

class BoxesTest : public QObject {
  Q_OBJECT

  static test::RecordingPointer ragged(std::string_view id, const Extent& block = {0, 0}) {
    const Stage& stage = test::stage(id);
    TileShape tile = stage.standardTile();
    if (stage.features().warpgroupMma) tile = tile.with(Parameter::BN, 128);
    return test::recorded(
        {.stage = id, .tile = tile, .problem = {200, 168, 200}, .block = block, .kTiles = 4});
  }

 private slots:
  void zerosAreWhatIsNotInside_data() {
    QTest::addColumn<QString>("id");
    for (const char* id : {"tma", "wgmma", "multistage", "overlapped"})
      QTest::newRow(id) << QString(id);
  }
  void zerosAreWhatIsNotInside() {
    QFETCH(const QString, id);
    std::uint64_t zeros = 0;
    for (const Extent& block : {Extent{0, 0}, Extent{1, 1}}) {
      const auto r = ragged(id.toStdString(), block);
      for (const emulator::BoxRecord& box : r->trace.boxes) {
        const Region inside = insideOf(r->trace, box);
        std::uint64_t outside = 0, elements = 0;
        forEachPlace(
            r->trace, box,
            [&](std::uint32_t, std::int64_t row, std::int64_t column, emulator::Provenance what) {
              ++elements;
              const bool zero = what == emulator::Provenance::outside();
              outside += zero ? 1 : 0;
              QCOMPARE(inside.contains(row, column), !zero);
            });
        QCOMPARE(outside, std::uint64_t{box.outside});
        QCOMPARE(elements, std::uint64_t{box.columns} * box.rows);
        if (!inside.empty())
          QCOMPARE(elements - outside, std::uint64_t(inside.rows * inside.columns));
        zeros += outside;
      }
    }
    QVERIFY(zeros > 0);
  }

  // Each box is requested once, then counts as arrived once, at a wait for its barrier or at the
  // last box that such a wait has missed.
  void boxesComeOnce() {
    const auto r = ragged("overlapped");
    const emulator::Trace& trace = r->trace;
    BarrierReplay replay(trace);
    std::vector<int> seen(trace.boxes.size(), 0);
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
        const auto view = trace.at(warp, interval);
        for (std::uint32_t i = 0; i < view.instructions.size(); ++i) {
          const auto come = replay.execute(view, i);
          const Kind kind = view.instructions[i].kind;
          if (!come.empty()) QVERIFY(kind == Kind::BarrierWait || kind == Kind::BoxLoad);
          for (const std::uint32_t box : come) {
            ++seen[box];
            QVERIFY(replay.asked(box) && !replay.underWay(box));
          }
        }
      }
    }
    for (std::uint32_t box = 0; box < seen.size(); ++box) {
      QCOMPARE(seen[box] + (replay.underWay(box) ? 1 : 0), 1);
      QVERIFY(replay.asked(box));
    }
  }
};

}  // namespace tileloom::analysis

TILELOOM_TEST(tileloom::analysis::BoxesTest, Nothing)
#include "boxes_test.moc"
