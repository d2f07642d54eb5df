// SPDX-License-Identifier: GPL-3.0-or-later
// Both sides are counted for equal work, at any tile and any recorded length.
#include "viz/code/instruction_pairs.h"
#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/tile/subject.h"

#include <QtTest>
#include <cmath>

#include "kernels/analysis/counts/totals.h"
#include "kernels/tile/parameters.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using emulator::Kind;

class InstructionPairsTest : public QObject {
  Q_OBJECT

  static const InstructionPair* find(const std::vector<InstructionPair>& pairs,
                                     const QString& what) {
    for (const InstructionPair& pair : pairs) {
      if (instructionText(pair.what) == what) return &pair;
    }
    return nullptr;
  }
  static std::vector<InstructionPair> pairs(const char* before, const char* after) {
    return instructionPairs(test::recorded({.stage = before})->trace,
                            test::recorded({.stage = after})->trace);
  }
  static void verifyNear(double one, double other, const char* what) {
    QVERIFY2(std::abs(one - other) <= 0.01 * std::max(one, other) + 1e-9,
             qPrintable(QStringLiteral("%1: %2 and %3").arg(what).arg(one).arg(other)));
  }

 private slots:
  // Counts derived from the recorded K tiles equal those of a whole block.
  void theWholeLaunch_data() { test::addStageRows(); }
  void theWholeLaunch() {
    const Stage& stage = test::stageOfRow();
    const auto r = test::recorded({.stage = stage.id, .kTiles = 3});
    emulator::Workspace workspace;
    const auto& t = r->trace;
    emulator::TraceRequest block{{usualSubject(stage, t.tile), t.asked}, t.block, 3};
    block.format = t.format;
    const analysis::Totals whole = analysis::wholeBlockTotals(workspace, block);
    const double products =
        static_cast<double>(whole.ffmaThreadInstructions + whole.tensorMultiplyAdds());
    QVERIFY(products > 0);
    double copies = 0, loads = 0, wavefronts = 0, matrix = 0, sectors = 0;
    for (const InstructionPair& pair : instructionPairs(t, t)) {
      QVERIFY(pair.baseline && pair.now);
      QCOMPARE(pair.baseline->executed, pair.now->executed);
      const double scale = products / kMultiplyAdds;
      const Kind kind = pair.what.cost.kind;
      if (kind == Kind::AsyncCopy) copies += scale * pair.now->executed;
      if (kind == Kind::SharedLoad) loads += scale * pair.now->executed;
      if (kind == Kind::SharedLoad) wavefronts += scale * pair.now->wavefronts;
      if (kind == Kind::MatrixLoad) matrix += scale * pair.now->executed;
      if (kind == Kind::GlobalLoad) sectors += scale * pair.now->sectors;
    }
    verifyNear(copies, static_cast<double>(whole.asyncRequests()), "copies");
    verifyNear(loads, static_cast<double>(whole.sharedLoadInstructions), "shared loads");
    verifyNear(wavefronts, static_cast<double>(whole.sharedLoadWavefronts), "wavefronts");
    verifyNear(matrix, static_cast<double>(whole.matrixLoadInstructions), "matrix loads");
    verifyNear(sectors, static_cast<double>(whole.globalLoadSectors), "sectors");
  }

  void asMuchWork() {
    const auto all = pairs("autotuned", "warptiled");
    const InstructionPair* fma = find(all, "multiply-add");
    QVERIFY(fma != nullptr);
    // Those of the loop, and what the epilogue adds for its share of C: 2^20 / 1024 elements of K
    // sums, each one multiply-add of 32 lanes.
    QVERIFY(fma->baseline->executed > kMultiplyAdds / 32.0);
    QVERIFY(fma->baseline->executed < 1.01 * kMultiplyAdds / 32.0);
    QCOMPARE(fma->now->executed, fma->baseline->executed);
    const InstructionPair* loads = find(all, "128-bit shared load of Bs");
    QVERIFY(loads != nullptr && loads->baseline && loads->now);
    QVERIFY(loads->baseline->wavefronts > 1.9 * loads->now->wavefronts);
    QCOMPARE(loads->now->conflicts, 0.0);
  }

  // An instruction of only one side is missing on the other; a click goes to the side that has it.
  void oneSideAlone() {
    InstructionPairModel model;
    model.setPairs(pairs("doublebuffered", "async"));
    int copy = -1, load = -1;
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString what = instructionText(model.pair(row).what);
      if (what == "32-bit asynchronous copy to As") copy = row;
      if (what == "128-bit global load of A") load = row;
    }
    QVERIFY(copy >= 0 && load >= 0);
    const auto text = [&](int row, int column) {
      return model.data(model.index(row, column), Qt::DisplayRole).toString();
    };
    QCOMPARE(text(copy, InstructionPairModel::BaselineExecuted), QString("–"));
    QVERIFY(text(copy, InstructionPairModel::NowExecuted) != "–");
    QCOMPARE(text(load, InstructionPairModel::NowExecuted), QString("–"));
    QVERIFY(!model.ofBaseline(copy, InstructionPairModel::BaselineExecuted));
    QVERIFY(model.ofBaseline(load, InstructionPairModel::NowExecuted));
    const int both = 0;
    if (model.pair(both).baseline && model.pair(both).now) {
      QVERIFY(model.ofBaseline(both, InstructionPairModel::BaselineExecuted));
      QVERIFY(!model.ofBaseline(both, InstructionPairModel::NowExecuted));
    }
    // Columns that neither side has take no room.
    QVERIFY(model.emptyColumns().empty());
    model.setPairs(pairs("naive", "coalesced"));
    QCOMPARE(model.emptyColumns().size(), std::size_t{4});
  }

  void eachSideHasItsMark() {
    const auto before = test::recorded({.stage = "doublebuffered"});
    const auto now = test::recorded({.stage = "async"});
    InstructionPairModel model;
    model.setPairs(instructionPairs(before->trace, now->trace));
    const auto of = [](const analysis::Recording& r, Kind kind) {
      return r.moment(0, test::indexOf(r, 0, [kind](const emulator::Instruction& i) {
                        return i.kind == kind;
                      }));
    };
    model.mark(of(*before, Kind::GlobalLoad), of(*now, Kind::AsyncCopy));
    const auto marked = [&](int row, int column) {
      return model.data(model.index(row, column), Qt::BackgroundRole).isValid();
    };
    for (int row = 0; row < model.rowCount(); ++row) {
      const Kind kind = model.pair(row).what.cost.kind;
      if (row == model.marked()) QCOMPARE(kind, Kind::AsyncCopy);
      if (marked(row, InstructionPairModel::BaselineExecuted)) QCOMPARE(kind, Kind::GlobalLoad);
      if (marked(row, InstructionPairModel::NowExecuted)) QCOMPARE(kind, Kind::AsyncCopy);
    }
    QVERIFY(model.marked() >= 0);
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::InstructionPairsTest, EventLoop)
#include "instruction_pairs_test.moc"
