// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/menus.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QMainWindow>
#include <QMenuBar>
#include <QStatusBar>
#include <QUndoStack>

#include "app/pages/compare/examples_dialog.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "app/window/common/actions.h"
#include "app/window/common/tell.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/subject.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Menus)
};

void importRuns(QWidget& window, Lab& lab) {
  const QString file = QFileDialog::getOpenFileName(
      &window, Words::tr("Import runs"), {}, Words::tr("Runs, one per line (*.jsonl);;All (*)"));
  if (file.isEmpty()) return;
  const auto done = lab.importRuns(file.toStdString());
  if (done) {
    tellResult(window, Words::tr("Import runs"), *done);
  } else {
    tellProblem(window, Words::tr("Import runs"), done.error());
  }
}

void exportRuns(QWidget& window, Lab& lab) {
  const QString file =
      QFileDialog::getSaveFileName(&window, Words::tr("Export runs"), Words::tr("runs.jsonl"),
                                   Words::tr("Runs, one per line (*.jsonl)"));
  if (file.isEmpty()) return;
  const auto done = lab.exportRuns(file.toStdString());
  if (!done) tellProblem(window, Words::tr("Export runs"), done.error());
}

// Compares with the next rung up, or down. As in the examples, the earlier rung is the baseline.
void compareNeighbour(Explorer& explorer, int step) {
  const auto all = ladderOf(explorer.stage());
  const auto other = &explorer.stage() - all.data() + step;
  if (other < 0 || other >= static_cast<std::ptrdiff_t>(all.size())) return;
  const Stage& stage = all[static_cast<std::size_t>(other)];
  const Subject there = standardSubject(stage);
  if (step > 0) return explorer.compare(presentPlace(explorer), there);
  explorer.pin(there);
  explorer.showDifference();
}

}  // namespace

void addPlaybackMenu(QMainWindow& window, Services& services) {
  Explorer& explorer = services.explorer;
  auto* play = window.menuBar()->addMenu(Words::tr("&Playback"));
  const auto entry = [&](const QString& name, Qt::Key key, auto act, const char* earlier = "") {
    play->addAction(name, QKeySequence(key), &window, act)
        ->setProperty(kEarlierText, QString::fromUtf8(earlier));
  };
  entry(Words::tr("&Play or pause"), Qt::Key_Space,
        [&explorer] { explorer.setPlaying(!explorer.playing()); });
  entry(Words::tr("Next &instruction"), Qt::Key_Right, [&explorer] { explorer.step(1); });
  entry(Words::tr("Previous i&nstruction"), Qt::Key_Left, [&explorer] { explorer.step(-1); });
  entry(
      Words::tr("Next &k"), Qt::Key_Down, [&explorer] { explorer.stepDot(1); }, "Next dot index");
  entry(
      Words::tr("Pre&vious k"), Qt::Key_Up, [&explorer] { explorer.stepDot(-1); },
      "Previous dot index");
  entry(Words::tr("Next K ti&le"), Qt::Key_PageDown, [&explorer] { explorer.stepTile(1); });
  entry(Words::tr("Previous K &tile"), Qt::Key_PageUp, [&explorer] { explorer.stepTile(-1); });
  entry(Words::tr("Next &warp"), Qt::Key_W, [&explorer] {
    const Scene& scene = explorer.scene();
    if (scene.ready()) {
      explorer.setWarp(static_cast<int>((scene.moment.warp + 1) % scene.recording->trace.warps));
    }
  });
  entry(Words::tr("To the &start"), Qt::Key_Home, [&explorer] { explorer.setIndex(0); });
}

void addCompareMenu(QMainWindow& window, Services& services, Comparison& comparison) {
  Explorer& explorer = services.explorer;
  auto* menu = window.menuBar()->addMenu(Words::tr("&Compare"));
  menu->addAction(Words::tr("&Pin this tile as the baseline"), QKeySequence(Qt::Key_P), &window,
                  [&explorer] { explorer.pinThis(); })
      ->setProperty(kAlsoFoundBy, Words::tr("compare with this tile, start comparison"));
  menu->addAction(Words::tr("S&wap with the baseline"), QKeySequence(Qt::SHIFT | Qt::Key_P),
                  &window, [&explorer] { explorer.swapWithPinned(); })
      ->setProperty(kAlsoFoundBy, Words::tr("exchange the sides, left and right"));
  menu->addAction(Words::tr("&Stop comparing"), QKeySequence(Qt::Key_U), &window,
                  [&explorer] { explorer.pin(std::nullopt); })
      ->setProperty(kAlsoFoundBy,
                    Words::tr("close comparison, end comparison, leave comparison, close compare, "
                              "unpin, without baseline"));
  menu->addSeparator();
  menu->addAction(Words::tr("Beside the rung &before"), QKeySequence(Qt::Key_BracketLeft), &window,
                  [&explorer] { compareNeighbour(explorer, -1); });
  menu->addAction(Words::tr("Beside the &next rung"), QKeySequence(Qt::Key_BracketRight), &window,
                  [&explorer] { compareNeighbour(explorer, 1); });
  menu->addSeparator();
  QAction* examples = menu->addAction(
      Words::tr("&Examples…"), QKeySequence(Qt::SHIFT | Qt::Key_D), &window,
      [&window, &comparison] { (new ExamplesDialog(comparison, &window))->show(); });
  examples->setProperty(kAlsoFoundBy, Words::tr("side by side, compare kernels, pairs"));
  examples->setWhatsThis(
      Words::tr("Two kernels side by side: rung by rung, padding, swizzles, warp specialisation"));
}

void addMeasureMenu(QMainWindow& window, Services& services) {
  Lab& lab = services.lab;
  Explorer& explorer = services.explorer;
  Tuner& tuner = services.tuner;
  auto* measure = window.menuBar()->addMenu(Words::tr("&Measure"));
  measure->addAction(Words::tr("This tile &again"), QKeySequence(Qt::Key_M), &lab, [&lab, &window] {
    if (lab.canMeasure()) return lab.measureAgain();
    window.statusBar()->showMessage(
        Words::tr("Nothing can be measured here. %1").arg(lab.workerStatus()), kMessageMs);
  });
  measure->addAction(Words::tr("All &rungs at this size"), &lab, &Lab::measureLadder);
  QAction* take = measure->addAction(
      Words::tr("Use the &tile tuned on this device"), &window, [&explorer, &tuner] {
        if (const auto best = tuner.bestOf(explorer.stage(), explorer.problem(), explorer.format()))
          explorer.setTile(best->run.tile);
      });
  take->setObjectName(QStringLiteral("takeTuned"));
  take->setProperty(kEarlierText, QStringLiteral("Take the tile tuned on this device"));
  take->setEnabled(false);
  const auto offer = [take, &explorer, &tuner] {
    const auto best = tuner.bestOf(explorer.stage(), explorer.problem(), explorer.format());
    take->setEnabled(best && !(best->run.tile == explorer.tile()));
  };
  QObject::connect(&tuner, &Tuner::changed, take, offer);
  QObject::connect(&tuner, &Tuner::bestChanged, take, offer);
  QObject::connect(&lab, &Lab::workerStatusChanged, take, offer);
  QObject::connect(&explorer, &Explorer::choiceChanged, take, offer);
  measure->addAction(Words::tr("&Start the worker again"), &lab, [&lab] {
    lab.restartWorker();
    emit lab.workerStatusChanged();  // it retries
  });
}

void addRunFileActions(QMenu& file, QMainWindow& window, Lab& lab) {
  file.addAction(Words::tr("&Import runs…"), &window, [&window, &lab] { importRuns(window, lab); });
  file.addAction(Words::tr("Export &runs…"), &window, [&window, &lab] { exportRuns(window, lab); });
}

void addUndoActions(QMenu& edit, QUndoStack& stack) {
  QAction* undo = stack.createUndoAction(&edit, Words::tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = stack.createRedoAction(&edit, Words::tr("&Redo"));
  redo->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  undo->setProperty("fixedName", Words::tr("Undo"));  // its text names the change
  redo->setProperty("fixedName", Words::tr("Redo"));
  edit.addActions({undo, redo});
}

}  // namespace tileloom
