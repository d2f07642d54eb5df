// SPDX-License-Identifier: GPL-3.0-or-later
// The window controlled by the keyboard. Shortcuts are menu actions; the focused widget has
// priority where users expect it.
#include <QLineEdit>
#include <QSpinBox>
#include <QToolButton>

#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/recorded.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowKeysTest : public QObject {
  Q_OBJECT

 private slots:
  void arrowsStep() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto start = w.scene().moment.index;
    w.key(Qt::Key_Right);
    QCOMPARE(w.scene().moment.index, start + 1);
    w.key(Qt::Key_Right);
    w.key(Qt::Key_Left);
    QCOMPARE(w.scene().moment.index, start + 1);
    w.key(Qt::Key_Home);
    QCOMPARE(w.scene().moment.index, 0u);
    w.key(Qt::Key_Left);
    QCOMPARE(w.scene().moment.index, 0u);  // there is nothing before
  }

  void upAndDownStepTheDotIndex() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().goTo(0, 0);
    for (std::uint16_t dot = 1; dot < 16; ++dot) {
      w.key(Qt::Key_Down);
      QCOMPARE(w.scene().moment.instruction.dot, dot);
      QCOMPARE(w.scene().moment.instruction.kTile, 0u);
    }
    w.key(Qt::Key_Down);  // into the next K tile
    QCOMPARE(w.scene().moment.instruction.dot, std::uint16_t{0});
    QCOMPARE(w.scene().moment.instruction.kTile, 1u);
    w.key(Qt::Key_Up);  // and back
    QCOMPARE(w.scene().moment.instruction.dot, std::uint16_t{15});
    QCOMPARE(w.scene().moment.instruction.kTile, 0u);
  }

  void pagesStepTheKTile() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.key(Qt::Key_Home);
    w.key(Qt::Key_PageDown);
    QCOMPARE(w.scene().moment.instruction.kTile, 1u);
    QCOMPARE(w.scene().moment.index, *w.recording().find(0, 1, emulator::kNoDot));
    w.key(Qt::Key_PageUp);
    QCOMPARE(w.scene().moment.instruction.kTile, 0u);
    QCOMPARE(w.scene().moment.index, 0u);
  }

  // At every instant, "next" never goes back and "previous" never goes forward.
  void nextIsNotBehind() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto length = static_cast<int>(w.recording().trace.length(0));
    for (int index = 0; index < length; index += length / 60 + 1) {
      for (const auto& [key, forward] : {std::pair{Qt::Key_Down, true},
                                         {Qt::Key_PageDown, true},
                                         {Qt::Key_Right, true},
                                         {Qt::Key_Up, false},
                                         {Qt::Key_PageUp, false},
                                         {Qt::Key_Left, false}}) {
        w.explorer().setIndex(index);
        w.key(key);
        const auto now = static_cast<int>(w.scene().moment.index);
        QVERIFY2(forward ? now >= index : now <= index,
                 qPrintable(QString("key %1 leads from instruction %2 to %3")
                                .arg(QKeySequence(key).toString())
                                .arg(index)
                                .arg(now)));
      }
    }
    w.explorer().setIndex(length - 1);  // in the epilogue
    w.key(Qt::Key_Up);
    QCOMPARE(w.scene().moment.instruction.kTile, 1u);
    QCOMPARE(w.scene().moment.instruction.dot, std::uint16_t{15});
  }

  void spacePlaysAndPauses() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setPace(Pace::Tile1);
    const auto start = w.scene().moment.index;
    QVERIFY(!w.explorer().playing());
    w.key(Qt::Key_Space);
    QVERIFY(w.explorer().playing());
    QVERIFY(
        w.window.view<TransportBar>()->findChild<QToolButton*>("play")->text().contains("Pause"));
    QTRY_VERIFY(w.scene().moment.index > start);
    w.key(Qt::Key_Space);
    QVERIFY(!w.explorer().playing());
    const auto stopped = w.scene().moment.index;
    QTest::qWait(60);
    QCOMPARE(w.scene().moment.index, stopped);
    QVERIFY(
        w.window.view<TransportBar>()->findChild<QToolButton*>("play")->text().contains("Play"));
  }

  // K tiles that were not recorded are skipped before the epilogue, and the sums with them.
  void playingPassesOverWhatIsNotRecorded() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto& trace = w.recording().trace;
    QVERIFY(trace.kTilesTraced < trace.kTiles);
    const auto epilogue = test::indexOf(
        w.recording(), 0,
        [](const emulator::Instruction& i) { return i.kTile == emulator::kNoTile; },
        *w.recording().find(0, 1, emulator::kNoDot));
    w.explorer().setPace(Pace::Tile1);
    w.explorer().setIndex(static_cast<int>(epilogue) - 1);
    std::uint32_t most = 0, recent = 0;
    bool inOrder = true;
    connect(&w.explorer(), &Explorer::sceneChanged, &w.window, [&](const Scene& scene) {
      if (scene.repeated > 0) inOrder = inOrder && scene.moment.index == epilogue - 1;
      most = std::max(most, scene.repeated);
      recent = std::max(recent, scene.recent);
    });
    w.key(Qt::Key_Space);
    QTRY_VERIFY(!w.explorer().playing());
    QVERIFY(inOrder && recent > 1);
    QVERIFY(most > (trace.kTiles - trace.kTilesTraced) / 2);
    QCOMPARE(w.scene().recent, 1u);
    QCOMPARE(w.scene().repeated, 0u);
    QCOMPARE(w.scene().productsPassedOver(),
             std::uint32_t(trace.problem.k) - trace.kTilesTraced * trace.stepK);
  }

  void playingEndsAtTheEnd() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto last = static_cast<int>(w.recording().trace.length(0)) - 1;
    w.explorer().setPace(Pace::Tile1);
    w.explorer().setIndex(last - 20);
    w.key(Qt::Key_Space);
    QTRY_VERIFY(!w.explorer().playing());
    QCOMPARE(static_cast<int>(w.scene().moment.index), last);
    w.key(Qt::Key_Space);  // again, from the start
    QVERIFY(w.explorer().playing());
    QVERIFY(static_cast<int>(w.scene().moment.index) < last);
  }

  void wChangesTheWarp() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto index = w.scene().moment.index;
    for (const std::uint32_t warp : {1u, 2u, 3u, 0u}) {
      w.key(Qt::Key_W);
      QCOMPARE(w.scene().moment.warp, warp);
      QCOMPARE(w.scene().moment.index, index);
    }
  }

  void digitsZoom() {
    OpenWindow w;
    QVERIFY(w.ready());
    QTRY_COMPARE(w.window.view<LoomView>()->geometry().detail(), 1.0);
    w.key(Qt::Key_1);
    QTRY_COMPARE(w.window.view<LoomView>()->geometry().detail(), 0.0);
    w.key(Qt::Key_4);
    QTRY_VERIFY(w.window.view<LoomView>()->geometry().cell() > 10);
    w.key(Qt::Key_2);
    QTRY_VERIFY(w.window.view<LoomView>()->geometry().cell() < 8);
  }

  // Playback keys also work after a click in the ladder or a view.
  void spaceWorksFromTheLadderAndTheViews() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto& list = *w.window.view<LadderList>();
    test::clickAt(*list.viewport(), list.visualItemRect(list.item(7)).center());
    w.key(Qt::Key_Space);
    QVERIFY(w.explorer().playing());
    test::clickAt(*w.window.view<LoomView>(), {5, 5});
    w.key(Qt::Key_Space);
    QVERIFY(!w.explorer().playing());
  }

  // A button that has the focus is pressed by Space, as everywhere.
  void spacePressesTheFocusedButton() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto index = w.scene().moment.index;
    w.window.view<TransportBar>()->findChild<QToolButton*>("forth")->setFocus();
    w.key(Qt::Key_Space);
    QCOMPARE(w.scene().moment.index, index + 1);
    QVERIFY(!w.explorer().playing());
    w.window.view<TransportBar>()->findChild<QToolButton*>("play")->setFocus();
    w.key(Qt::Key_Space);
    QVERIFY(w.explorer().playing());
    w.key(Qt::Key_Space);
    QVERIFY(!w.explorer().playing());
  }

  // A text field keeps its editing keys.
  void typingIsNotPlaying() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto index = w.scene().moment.index;
    const auto warp = w.scene().moment.warp;
    auto* size = w.window.findChild<QLineEdit*>("size");
    size->setFocus();
    size->selectAll();
    QTest::keyClicks(size, "12w 3x");
    QTest::keyClick(size, Qt::Key_Left);
    QTest::keyClick(size, Qt::Key_Home);
    QTest::keyClick(size, Qt::Key_Right);
    QCOMPARE(size->text(), QString("12w 3x"));
    QCOMPARE(size->cursorPosition(), 1);
    QVERIFY(!w.explorer().playing());
    QCOMPARE(w.scene().moment.index, index);
    QCOMPARE(w.scene().moment.warp, warp);
    QCOMPARE(w.window.view<LoomView>()->geometry().detail(), 1.0);  // nor do digits zoom
  }

  // A focused slider or spin box handles the arrow keys.
  void arrowsTurnTheFocusedParameter() {
    OpenWindow w;
    QVERIFY(w.ready());
    const auto index = w.scene().moment.index;
    ParameterSlider* slider = w.window.view<ParameterPanel>()->slider(Parameter::WNITER);
    slider->setFocus();
    QVERIFY(slider->hasFocus());
    const int before = slider->value();
    w.key(Qt::Key_Left);
    QVERIFY2(slider->value() < before, "the arrow went to the playback instead");
    QCOMPARE(w.scene().moment.index, index);
    w.key(Qt::Key_Right);
    QCOMPARE(slider->value(), before);
    w.key(Qt::Key_Home);
    QCOMPARE(slider->value(), 1);
    QVERIFY(w.settled());
  }

  // The keys and the box go past the last K tile to the epilogue.
  void theBoxShowsTheEpilogue() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* box = w.window.view<TransportBar>()->findChild<QSpinBox*>("ktile");
    w.explorer().goTo(1, -1);
    w.key(Qt::Key_PageDown);
    QCOMPARE(w.scene().moment.instruction.kTile, emulator::kNoTile);
    QCOMPARE(box->text(), QString("K tile –"));
    const auto first = w.scene().moment.index;
    box->setFocus();
    w.key(Qt::Key_Down);
    QCOMPARE(w.scene().moment.instruction.kTile, 1u);
    QCOMPARE(box->text(), QString("K tile 2"));
    w.key(Qt::Key_Up);
    QCOMPARE(w.scene().moment.index, first);
    w.key(Qt::Key_Up);  // there is nothing beyond
    QCOMPARE(w.scene().moment.index, first);
  }

  // A box with an instant that is not recorded returns to the shown one.
  void boxesShowWhereOneIs() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("naive")));
    QCOMPARE(w.explorer().setProblem({64, 64, 40}), QString());  // the second slab has 8 of 32 dots
    QVERIFY(w.settled());
    w.explorer().goTo(1, 3);
    auto* dot = w.window.view<TransportBar>()->findChild<QSpinBox*>("dot");
    QCOMPARE(dot->value(), 3);
    OpenWindow::type(*dot, 20);
    QCOMPARE(dot->value(), static_cast<int>(w.scene().moment.instruction.dot));
  }

  void arrowsTurnTheFocusedSpinBox() {
    OpenWindow w;
    QVERIFY(w.ready());
    auto* warp = w.window.view<TransportBar>()->findChild<QSpinBox*>("warp");
    warp->setFocus();
    w.key(Qt::Key_Up);
    QVERIFY2(w.scene().moment.warp == 1, "the arrow went to the playback instead");
  }

  void arrowsWalkTheFocusedLadder() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.window.view<LadderList>()->setFocus();
    w.key(Qt::Key_Up);
    QVERIFY2(w.explorer().stage().rung == 7, "the arrow went to the playback instead");
    QVERIFY(w.settled());
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowKeysTest, Window)
#include "window_keys_test.moc"
