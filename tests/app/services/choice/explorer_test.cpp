// SPDX-License-Identifier: GPL-3.0-or-later
// A goal of the view's state: where a recording opens that is not there yet.
#include "app/services/choice/explorer.h"

#include <QtTest>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/support/patience.h"
#include "tests/support/test_class.h"
#include "tests/support/text.h"

namespace tileloom {

class ExplorerTest : public QObject {
  Q_OBJECT

  static bool arrived(const Explorer& explorer) {
    return QTest::qWaitFor([&] { return explorer.scene().ready() && !explorer.recording(); },
                           test::kPatience);
  }
  // A view of the rung that the window opens with, and of an instruction in its second K tile.
  static ViewState viewOf(const Explorer& explorer) {
    ViewState view = explorer.state();
    view.stage = &test::stage("warptiled");
    view.tile = view.stage->standardTile();
    view.problem = {256, 256, 256};
    view.warp = 1;
    view.index = 0;
    return view;
  }
  static emulator::Instruction shown(const Explorer& explorer) {
    return explorer.scene().moment.instruction;
  }

 private slots:
  void aLineOfATile() {
    Explorer explorer;
    explorer.setState(viewOf(explorer));
    QVERIFY(arrived(explorer));
    explorer.goTo(1, 3);  // of the second K tile
    const emulator::Instruction wanted = shown(explorer);
    QVERIFY(wanted.line > 0);

    ViewState view = viewOf(explorer);
    view.goal = LineInTile{wanted.line, 1};
    explorer.setState(view);
    // Until it arrives, the state still names the goal.
    QVERIFY(explorer.state().goal == view.goal);
    QVERIFY(arrived(explorer));
    QVERIFY(!explorer.state().goal);
    QCOMPARE(explorer.scene().moment.warp, std::uint32_t{1});
    QCOMPARE(shown(explorer).line, wanted.line);
    QCOMPARE(shown(explorer).kTile, std::uint32_t{1});
    QCOMPARE(explorer.scene().moment.index,
             instructionAt(*view.goal, *explorer.scene().recording, 1).value());
    // It is the first of them.
    explorer.goToLine(wanted.line);
    QVERIFY(shown(explorer).kTile >= 1);
  }

  void theTellingAccess() {
    Explorer explorer;
    ViewState view = viewOf(explorer);
    view.goal = TellingAccess{};
    explorer.setState(view);
    QVERIFY(arrived(explorer));
    QCOMPARE(explorer.scene().moment.index, openingIndex(*explorer.scene().recording));
  }

  // Then the index counts.
  void aLineThatIsNotExecuted() {
    Explorer explorer;
    ViewState view = viewOf(explorer);
    view.index = 7;
    view.goal = LineInTile{1, 0};  // a comment
    explorer.setState(view);
    QVERIFY(arrived(explorer));
    QVERIFY(!instructionAt(*view.goal, *explorer.scene().recording, 1));
    QCOMPARE(explorer.scene().moment.index, std::uint32_t{7});
  }

  // An illegal tile that is set before the recording of the legal one arrives keeps the goal.
  void underAnIllegalTile() {
    Explorer explorer;
    ViewState view = viewOf(explorer);
    view.goal = TellingAccess{};
    explorer.setState(view);
    explorer.setTile(view.tile.with(Parameter::BK, 7));
    QVERIFY(arrived(explorer));
    QVERIFY(explorer.scene().stale);
    QVERIFY(explorer.scene().recording->trace.tile == view.tile);
    QCOMPARE(explorer.scene().moment.index, openingIndex(*explorer.scene().recording));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::ExplorerTest, EventLoop)
#include "explorer_test.moc"
