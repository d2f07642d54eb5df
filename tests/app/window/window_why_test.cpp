// SPDX-License-Identifier: GPL-3.0-or-later
// The tile panel on speed: the last move, and a change of each tile parameter.
#include <QLabel>
#include <QtTest>

#include "app/window/tile_panel.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/pointer.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"
#include "viz/panels/cost_bars.h"
#include "viz/panels/facts_panel.h"
#include "viz/panels/parameter_turns.h"

namespace tileloom {

using test::OpenWindow;

class WindowWhyTest : public QObject {
  Q_OBJECT

 private slots:
  // A rung of the tensor ladder has no prediction: it has no figure of FP32, and its facts name the
  // peak that its speed is compared with.
  void tensorRungsShowFloorsAndTheirOwnPeak() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.explorer().setStage(tensorStages().back());
    auto* work = w.window.findChild<QLabel*>(QStringLiteral("work"));
    QTRY_VERIFY(work->text().startsWith("No prediction: it is fitted to the FP32 rungs only."));
    QTRY_VERIFY(!w.window.view<TilePanel>()->explaining());
    QVERIFY(!w.window.findChild<ParameterTurns*>()->isVisible());
    QVERIFY(!w.window.findChild<QLabel*>(QStringLiteral("advice"))->text().contains("Predicted"));
    QStringList all;
    for (const Fact& f : w.window.findChild<FactsPanel*>()->facts())
      all += QStringLiteral("%1 %2 (%3)").arg(f.value, f.unit, f.note);
    const QString text = all.join(u'\n');
    QVERIFY2(text.contains(" TFLOP/s (recorded"), qPrintable(text));
    QVERIFY2(text.contains("TFLOP/s in bf16)"), qPrintable(text));
    QVERIFY2(text.contains(" % of the tensor cores' peak (at 1,9"), qPrintable(text));
    QVERIFY2(!text.contains("FP32") && !text.contains("predicted"), qPrintable(text));
    w.window.explorer().setStage(test::stage("warptiled"));
    QTRY_VERIFY(work->text().startsWith("The multiply-adds take ") ||
                work->text().startsWith("Multiply-adds keep "));
  }

  void aMoveIsExplained() {
    OpenWindow w;
    QVERIFY(w.ready());
    QTRY_VERIFY(!w.window.view<TilePanel>()->explaining());
    auto* title = w.window.findChild<QLabel*>(QStringLiteral("lastMove"));
    auto* text = w.window.findChild<QLabel*>(QStringLiteral("lastMoveText"));
    auto* turns = w.window.findChild<ParameterTurns*>();
    QVERIFY(title != nullptr && text != nullptr && turns != nullptr);
    QTRY_VERIFY(!turns->rows().empty());
    QVERIFY(!title->isVisible());  // no move yet
    QTest::qWait(ParameterHistory::kPassingMs);

    // The row of BN leads to its tile.
    Explorer& explorer = w.window.explorer();
    const TileShape before = explorer.tile();
    int row = 0;
    while (turns->rows()[std::size_t(row)].parameter != Parameter::BN) ++row;
    QVERIFY(turns->rows()[std::size_t(row)].above.has_value());
    const ParameterTurn turn = *turns->rows()[std::size_t(row)].above;
    test::clickAt(*turns, turns->turnRect(row, true).center());
    QVERIFY(explorer.tile() == before.with(Parameter::BN, turn.value));
    QTRY_VERIFY(title->isVisible());
    QCOMPARE(title->text(), QStringLiteral("The last move: BN 128 → 256"));
    // At this size the recorded runs contradict the prediction: no predicted cost explains them.
    QVERIFY2(text->text().contains("(recorded)") && text->text().contains("moved opposite to") &&
                 !text->text().contains("The cause is"),
             qPrintable(text->text()));
    // The measured speed of the move is the one that the table gave.
    QVERIFY(turn.measured);
    QVERIFY2(text->text().contains(
                 QStringLiteral("× %1 the speed (recorded)").arg(turn.ratio, 0, 'f', 2)),
             qPrintable(text->text()));
    const auto bars = w.window.findChildren<CostBars*>();
    QVERIFY(std::ranges::any_of(bars, [](const CostBars* b) {
      return b->isVisible() && !b->bars().empty() && b->bars().front().change;
    }));

    // Another rung has no last move.
    explorer.setStage(test::stage("vectorized"));
    QTRY_VERIFY(!title->isVisible());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowWhyTest, Window)
#include "window_why_test.moc"
