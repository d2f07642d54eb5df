// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the instruction table: their figures against the totals, and the rows that only
// tensor rungs have.
#include "viz/code/instruction_model.h"

#include <QtTest>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom::test {

using emulator::Kind;

class InstructionModelTest : public QObject {
  Q_OBJECT

 private slots:
  void rowsMakeTheTotals_data() { addStageRows(); }
  void rowsMakeTheTotals() {
    const auto recording = recorded({.stage = stageOfRow().id, .problem = {256, 256, 256}});
    const analysis::Totals& t = recording->totals();
    std::uint64_t fmas = 0, products = 0, loads = 0, wavefronts = 0, conflicts = 0;
    for (const InstructionRow& row : instructionRows(recording->trace)) {
      fmas += row.fmas;
      products += row.cost.kind == Kind::Mma ? row.cost.executions : 0;
      if (row.cost.kind != Kind::MatrixLoad) continue;
      loads += row.cost.executions;
      wavefronts += row.cost.wavefronts;
      conflicts += row.cost.conflicts;
    }
    QCOMPARE(products, t.tensorInstructions);
    QCOMPARE(fmas, t.ffmaThreadInstructions + t.tensorMultiplyAdds());
    QCOMPARE(loads, t.matrixLoadInstructions);
    QCOMPARE(wavefronts, t.matrixLoadWavefronts);
    QCOMPARE(conflicts, t.matrixLoadConflicts);
  }

  // Rung T1, whose rows of Bs are a multiple of 128 bytes apart.
  void matrixLoads() {
    const auto recording = recorded({.stage = "mma", .problem = {128, 128, 64}});
    InstructionModel model;
    model.setRows(instructionRows(recording->trace));
    const auto cell = [&](int row, int column, int role = Qt::DisplayRole) {
      return model.data(model.index(row, column), role);
    };
    QStringList seen;
    for (int row = 0; row < model.rowCount(); ++row) {
      const QString what = cell(row, InstructionModel::What).toString();
      const QString tip = cell(row, InstructionModel::What, Qt::ToolTipRole).toString();
      const QString counted = cell(row, InstructionModel::Conflicts, Qt::ToolTipRole).toString();
      const QString group = cell(row, 0, InstructionModel::kGroupRole).toString();
      if (what == "ldmatrix of Bs") {
        QCOMPARE(cell(row, InstructionModel::PerLoad).toString(), QString("32.00"));
        QCOMPARE(cell(row, InstructionModel::Executed).toString(), QString("64"));
        QCOMPARE(cell(row, InstructionModel::Conflicts).toString(), QString("1,792"));
        QVERIFY(!cell(row, InstructionModel::Sectors).isValid());
        QVERIFY2(tip.contains("each transposed"), qPrintable(tip));
        QVERIFY2(counted.contains("up to 8-way"), qPrintable(counted));
        QCOMPARE(group, QString("shared"));
      } else if (what == "ldmatrix of As") {
        QCOMPARE(cell(row, InstructionModel::PerLoad).toString(), QString("16.00"));
        QVERIFY2(tip.contains("8 × 8") && !tip.contains("transposed"), qPrintable(tip));
      } else if (what == "mma.sync") {
        QCOMPARE(cell(row, InstructionModel::Executed).toString(), QString("512"));
        QVERIFY(!cell(row, InstructionModel::Wavefronts).isValid());
        QVERIFY2(tip.startsWith("1,048,576 multiply-adds, 2,048"), qPrintable(tip));
        QCOMPARE(group, QString("arithmetic"));
      } else {
        continue;
      }
      seen += what;
    }
    seen.sort();
    QCOMPARE(seen, (QStringList{"ldmatrix of As", "ldmatrix of Bs", "mma.sync"}));
  }
};

}  // namespace tileloom::test

TILELOOM_TEST(tileloom::test::InstructionModelTest, EventLoop)
#include "instruction_model_test.moc"
