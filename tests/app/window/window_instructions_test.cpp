// SPDX-License-Identifier: GPL-3.0-or-later
// The table of instructions in the window, and its figures against the totals.
#include <QComboBox>
#include <QLineEdit>
#include <QTableView>

#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/recording.h"
#include "kernels/emulator/fragment_layout.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"
#include "viz/code/instruction_table.h"

namespace tileloom {

using emulator::Kind;
using test::OpenWindow;

class WindowInstructionsTest : public QObject {
  Q_OBJECT

  static QStringList column(const InstructionTable& table, int which) {
    QStringList texts;
    const QAbstractItemModel& model = *table.table()->model();
    for (int row = 0; row < model.rowCount(); ++row)
      texts += model.index(row, which).data().toString();
    return texts;
  }

  static InstructionTable& open(OpenWindow& w) {
    w.key(Qt::Key_I);
    InstructionTable& table = *w.window.view<InstructionTable>();
    if (!QTest::qWaitFor([&] { return table.isVisible(); }, test::kPatience)) qFatal("not shown");
    return table;
  }

  static void click(InstructionTable& table, const QString& what) {
    const auto row = column(table, InstructionModel::What).indexOf(what);
    QVERIFY(row >= 0);
    const QModelIndex at = table.table()->model()->index(int(row), InstructionModel::What);
    table.table()->scrollTo(at);
    test::clickAt(*table.table()->viewport(), table.table()->visualRect(at).center());
  }

 private slots:
  void rowsSumUpToTheTotals_data() { test::addStageRows(); }
  void rowsSumUpToTheTotals() {
    const auto recording = test::recorded({.stage = test::stageOfRow().id});
    std::uint64_t fmas = 0, wavefronts = 0, conflicts = 0, sectors = 0, useful = 0;
    for (const InstructionRow& row : instructionRows(recording->trace)) {
      QVERIFY(row.cost.executions > 0);
      fmas += row.fmas;
      wavefronts += row.cost.wavefronts;
      conflicts += row.cost.conflicts;
      sectors += row.cost.sectors;
      useful += row.cost.usefulBytes;
    }
    const analysis::Totals& t = recording->totals();
    QCOMPARE(fmas, t.ffmaThreadInstructions + t.tensorMultiplyAdds());
    // Including wgmma operands; TMA copies are not accesses of threads.
    QCOMPARE(wavefronts, t.sharedWavefronts());
    QCOMPARE(conflicts, t.sharedLoadConflicts + t.matrixLoadConflicts + t.fillConflicts() +
                            t.productConflicts);
    QCOMPARE(sectors, t.fetchSectors() - t.boxSectors + t.globalStoreSectors);
    QCOMPARE(useful, t.globalUsefulBytes - 2 * t.boxElements - t.boxStoreBytes);
  }

  void aClickGoesThere() {
    OpenWindow w;
    QVERIFY(w.ready());
    InstructionTable& table = open(w);
    w.key(Qt::Key_Home);
    click(table, "128-bit shared load of Bs");
    QCOMPARE(w.scene().moment.instruction.kind, Kind::SharedLoad);
    QCOMPARE(w.scene().moment.array, std::string("Bs"));
    const auto first = w.scene().moment.index;
    click(table, "128-bit shared load of Bs");
    QVERIFY(w.scene().moment.index > first);
    // Two instructions of one line are distinguished.
    click(table, "128-bit global load of B");
    QCOMPARE(w.scene().moment.instruction.kind, Kind::GlobalLoad);
    click(table, "128-bit shared store to Bs");
    QCOMPARE(w.scene().moment.instruction.kind, Kind::SharedStore);
  }

  void thePresentOneIsMarked() {
    OpenWindow w;
    QVERIFY(w.ready());
    InstructionTable& table = open(w);
    const auto length = w.recording().trace.length(0);
    for (std::uint32_t index = 0; index < length; index += length / 37) {
      w.explorer().setIndex(static_cast<int>(index));
      const int marked = table.model().marked();
      QVERIFY(marked >= 0);
      const analysis::LineCost& cost = table.model().row(marked).cost;
      QCOMPARE(cost.line, w.scene().moment.instruction.line);
      QCOMPARE(cost.kind, w.scene().moment.instruction.kind);
    }
  }

  void filters() {
    OpenWindow w;
    QVERIFY(w.ready());
    InstructionTable& table = open(w);
    const auto all = column(table, InstructionModel::What).size();
    auto& text = *table.findChild<QLineEdit*>("instructionFilter");
    QTest::keyClicks(&text, "store as");
    const QStringList stores = column(table, InstructionModel::What);
    QCOMPARE(stores.size(), 4);
    for (const QString& what : stores) QCOMPARE(what, "32-bit shared store to As");
    text.clear();
    auto& group = *table.findChild<QComboBox*>();
    group.setCurrentIndex(group.findData("global"));
    for (const QString& what : column(table, InstructionModel::What))
      QVERIFY(what.contains("global"));
    group.setCurrentIndex(0);
    QCOMPARE(column(table, InstructionModel::What).size(), all);
  }

  void sortsByNumbers() {
    OpenWindow w;
    QVERIFY(w.ready());
    InstructionTable& table = open(w);
    table.table()->sortByColumn(InstructionModel::Wavefronts, Qt::DescendingOrder);
    const QStringList sorted = column(table, InstructionModel::Wavefronts);
    QCOMPARE(sorted.first(), "2,048");
    QCOMPARE(sorted.at(1), "512");
    QVERIFY(sorted.last().isEmpty());
  }

  void conflictsAreAPatternAndANumber() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("vectorized")));
    InstructionTable& table = open(w);
    const auto row = column(table, InstructionModel::What).indexOf("128-bit shared load of Bs");
    const QModelIndex at = table.table()->model()->index(int(row), InstructionModel::Conflicts);
    QCOMPARE(at.data().toString(), "1,024");
    QVERIFY(!at.data(Qt::DecorationRole).isNull());
    QVERIFY(at.data(Qt::ToolTipRole).toString().contains("up to 2-way"));
    const auto free = column(table, InstructionModel::What).indexOf("128-bit shared load of As");
    const QModelIndex none = at.siblingAtRow(int(free));
    QCOMPARE(none.data().toString(), "0");
    QVERIFY(none.data(Qt::DecorationRole).isNull());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowInstructionsTest, Window)
#include "window_instructions_test.moc"
