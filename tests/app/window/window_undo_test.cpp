// SPDX-License-Identifier: GPL-3.0-or-later
// Undo and redo in the window, and the copied command line.
#include <QClipboard>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QTemporaryDir>
#include <QUndoStack>
#include <set>

#include "kernels/tile/parameters.h"
#include "tests/app/open_window.h"
#include "tests/support/test_class.h"

namespace tileloom {

using test::OpenWindow;

class WindowUndoTest : public QObject {
  Q_OBJECT

  static TileShape with(OpenWindow& w, Parameter parameter, int value) {
    return w.explorer().tile().with(parameter, value);
  }
  static void undo() {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z, Qt::ControlModifier);
  }
  static void redo() {
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Z,
                    Qt::ControlModifier | Qt::ShiftModifier);
  }

 private slots:
  void aWindowBeginsWithNothingToUndo() {
    OpenWindow w;
    QVERIFY(w.ready());
    QCOMPARE(w.window.undoStack().count(), 0);
    w.key(Qt::Key_Right);  // playback is not a choice
    QCOMPARE(w.window.undoStack().count(), 0);
  }

  void everyChoiceIsAStep() {
    OpenWindow w;
    QVERIFY(w.ready());
    std::vector<ViewState> states = {w.explorer().state()};
    const auto changed = [&](const char* what) {
      QVERIFY2(w.settled(), what);
      states.push_back(w.explorer().state());
      QVERIFY2(!states.back().sameChoice(states[states.size() - 2]), what);
      QCOMPARE(w.window.undoStack().count(), static_cast<int>(states.size()) - 1);
    };
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::BK), 8);
    changed("parameter");
    QVERIFY(w.pick(test::stage("vectorized")));
    changed("rung");
    auto& size = *w.window.findChild<QLineEdit*>("size");
    size.setFocus();
    size.selectAll();
    QTest::keyClicks(&size, "512x256x1024");
    QTest::keyClick(&size, Qt::Key_Return);
    changed("size");
    w.explorer().setBlockAt(130, 140);
    changed("block");
    w.window.view<LoomView>()->setFocus();
    w.key(Qt::Key_W);
    changed("warp");
    Selection selection;
    selection.thread = 40;
    w.explorer().hold(selection);
    changed("selection");
    w.window.view<LoomView>()->setFocus();

    for (std::size_t i = states.size() - 1; i-- > 0;) {
      undo();
      QVERIFY(w.settled());
      QVERIFY(w.explorer().state().sameChoice(states[i]));
      QCOMPARE(w.window.view<ParameterPanel>()->tile(), states[i].tile);
      QCOMPARE(size.text().toStdString(), toString(states[i].problem));
    }
    QVERIFY(!w.window.undoStack().canUndo());
    for (std::size_t i = 1; i < states.size(); ++i) {
      redo();
      QVERIFY(w.settled());
      QVERIFY(w.explorer().state().sameChoice(states[i]));
    }
    QVERIFY(!w.window.undoStack().canRedo());
  }

  void aDragIsOneStep() {
    OpenWindow w;
    QVERIFY(w.ready());
    ParameterSlider& slider = *w.window.view<ParameterPanel>()->slider(Parameter::BK);
    const QPoint from(slider.width() / 2, slider.height() / 2);
    const int before = w.explorer().tile()[Parameter::BK];
    QWindow* handle = w.window.windowHandle();
    const auto at = [&](int x) { return slider.mapTo(&w.window, QPoint(x, from.y())); };
    // Through the window system, as with a real mouse: buttons are held during the drag.
    QTest::mousePress(handle, Qt::LeftButton, {}, at(from.x()));
    std::set<int> passed;
    for (int x = from.x(); x > 2; x -= 4) {
      QTest::mouseMove(handle, at(x));
      passed.insert(w.explorer().tile()[Parameter::BK]);
    }
    QTest::mouseRelease(handle, Qt::LeftButton, {}, at(2));
    QVERIFY(passed.size() > 2);
    QCOMPARE(w.window.undoStack().count(), 1);
    QVERIFY(w.settled());
    w.window.view<LoomView>()->setFocus();
    undo();
    QCOMPARE(w.explorer().tile()[Parameter::BK], before);
    // The next drag is another step.
    redo();
    QVERIFY(w.settled());
    QTest::mouseClick(handle, Qt::LeftButton, {}, at(slider.width() - 3));
    QCOMPARE(w.window.undoStack().count(), 2);
  }

  void anIllegalTileCanBeUndone() {
    OpenWindow w;
    QVERIFY(w.ready());
    const ViewState before = w.explorer().state();
    OpenWindow::type(*w.window.view<ParameterPanel>()->spinBox(Parameter::TM), 3);
    QVERIFY(w.scene().stale);
    w.window.view<LoomView>()->setFocus();
    undo();
    QVERIFY(w.settled());
    QVERIFY(w.explorer().state().sameChoice(before));
    QVERIFY(!w.scene().stale);
  }

  // Undo shows the same text as the original choice.
  void anIllegalTileThatComesBackIsToldAlike() {
    OpenWindow w;
    QVERIFY(w.ready());
    const ParameterPanel& parameters = *w.window.view<ParameterPanel>();
    const auto told = [&parameters, &w] {
      QCoreApplication::processEvents();
      QStringList all{parameters.verdict()};
      for (const auto* button : parameters.findChildren<QPushButton*>("offer")) {
        if (button->isVisible()) all += button->text();
      }
      for (const ParameterSpec& spec : w.explorer().stage().parameters) {
        if (parameters.slider(spec.parameter)->blamed())
          all += QString::fromUtf8(name(spec.parameter).data());
      }
      return all;
    };
    OpenWindow::type(*parameters.spinBox(Parameter::BM), 96);
    const QStringList dialled = told();
    QVERIFY(dialled.contains("Use BM = 64") && dialled.contains("Use BM = 128"));
    QTest::mouseClick(parameters.findChildren<QPushButton*>("offer").last(), Qt::LeftButton);
    QVERIFY(w.settled());
    QVERIFY(parameters.verdict().isEmpty());
    w.window.undoStack().undo();
    QCOMPARE(told(), dialled);
    w.window.undoStack().undo();
    w.window.undoStack().redo();
    QCOMPARE(told(), dialled);
  }

  void aNewChoiceForgetsWhatWasUndone() {
    OpenWindow w;
    QVERIFY(w.ready());
    w.explorer().setTile(with(w, Parameter::BK, 8));
    w.explorer().setTile(with(w, Parameter::BK, 32));
    w.window.undoStack().undo();
    QVERIFY(w.window.undoStack().canRedo());
    w.explorer().setTile(with(w, Parameter::BK, 4));
    QVERIFY(!w.window.undoStack().canRedo());
    w.window.undoStack().undo();
    QCOMPARE(w.explorer().tile()[Parameter::BK], 8);
  }

  // The copied command line makes the picture that was shown.
  void theCopiedCommandLineShowsTheSame() {
    OpenWindow w;
    QVERIFY(w.ready());
    QVERIFY(w.pick(test::stage("blocktile2d")));
    w.explorer().setTile(with(w, Parameter::BK, 4));
    w.explorer().setProblem({512, 384, 256});
    w.explorer().setBlockAt(200, 300);
    QVERIFY(w.settled());
    w.explorer().setWarp(3);
    w.explorer().setIndex(40);
    w.window.showPage("source");
    w.window.view<LoomView>()->setFocus();
    QTest::keyClick(w.window.view<LoomView>(), Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    const QString line = QApplication::clipboard()->text();
    QCOMPARE(line, w.window.commandLine());
    for (const char* part : {"--stage blocktile2d", "BK=4", "--size 512x384x256", "--block 2,1",
                             "--warp 3", "--step 40", "--tab source", "--theme dark"}) {
      QVERIFY2(line.contains(part), qPrintable(line));
    }
    QTemporaryDir folder;
    QStringList words = QProcess::splitCommand(line);
    words.removeFirst();
    words.replaceInStrings("view.png", folder.filePath("view.png"));
    QProcess program;
    program.start(TILELOOM_PROGRAM, words);
    QVERIFY(program.waitForFinished(60000));
    QCOMPARE(program.readAllStandardError(), QByteArray());
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(QFile::exists(folder.filePath("view.png")));
  }
};

}  // namespace tileloom

TILELOOM_TEST(tileloom::WindowUndoTest, Window)
#include "window_undo_test.moc"
