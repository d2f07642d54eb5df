// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStatusBar>
#include <QTabWidget>
#include <QTimer>
#include <QVBoxLayout>

#include "app/commands/parse.h"
#include "app/window/animation_dialog.h"
#include "app/window/command_palette.h"
#include "app/window/keys_dialog.h"
#include "viz/base/describe.h"
#include "viz/base/labels.h"
#include "viz/base/side_by_side.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_strip.h"
#include "viz/code/source_view.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"
#include "viz/memory/path_view.h"
#include "viz/panels/facts_panel.h"
#include "viz/panels/knob_panel.h"
#include "viz/panels/knob_slider.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

// Content of a scroll area that is never squeezed: wrapped text asks for a height that depends on
// the width, which scroll areas do not ask about.
class TallContent : public QWidget {
 protected:
  bool event(QEvent* event) override {
    if (layout() != nullptr &&
        (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest)) {
      setMinimumHeight(std::max(0, layout()->totalHeightForWidth(width())));
    }
    return QWidget::event(event);
  }
};

}  // namespace

MainWindow::MainWindow(LabSetup setup, QWidget* parent)
    : QMainWindow(parent), m_lab(std::move(setup)), m_usualFont(QApplication::font()) {
  setWindowTitle(tr("Tileloom"));
  auto* across = m_across = new QSplitter(Qt::Horizontal);
  across->addWidget(makeLeft());
  across->addWidget(makeMiddle());
  across->addWidget(makeRight());
  across->setStretchFactor(0, 0);
  across->setStretchFactor(1, 1);
  across->setStretchFactor(2, 0);
  across->setChildrenCollapsible(false);
  across->setHandleWidth(1);

  m_transport = new TransportBar;
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(across, 1);
  column->addWidget(m_transport);
  setCentralWidget(whole);

  m_status = new ElidedLabel;
  m_status->setObjectName(QStringLiteral("status"));
  m_selection = new ElidedLabel;
  m_status->setIndent(8);
  m_selection->setContentsMargins(8, 2, 10, 2);
  statusBar()->addWidget(m_status, 1);
  statusBar()->addPermanentWidget(m_selection);
  statusBar()->setSizeGripEnabled(false);

  makeMenus();
  connectAll();
  connectLab();
  connectCompare();
  connectSass();
  connectTuning();
  connectRoofline();  // asks the tuner whether it has the GPU
  m_ladder->setCurrent(m_explorer.stage());
  m_knobs->setStage(m_explorer.stage());
  qApp->installEventFilter(this);
  m_loom->setFocus();
  setAcceptDrops(true);
  fitPanels();
  resize(usualSize());
}

MainWindow::~MainWindow() {
  delete findChild<AnimationDialog*>();  // it may still be filming us
  // Children outlive our members, and some have a last word: a field that loses its focus says that
  // editing is finished.
  qApp->removeEventFilter(this);
  for (QObject* child : findChildren<QObject*>()) child->disconnect(this);
  if (m_textSize != 100) QApplication::setFont(m_usualFont);
}

QWidget* MainWindow::makeLeft() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 10, 0, 0);
  auto* title = new Heading(tr("Ladder"));
  title->setIndent(12);
  column->addWidget(title);
  m_ladder = new LadderList(stages());
  column->addWidget(m_ladder, 1);
  return side;
}

QWidget* MainWindow::makeMiddle() {
  auto* middle = new QWidget;
  auto* column = new QVBoxLayout(middle);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_faults = new QLabel;
  m_faults->setObjectName(QStringLiteral("faults"));
  m_faults->setWordWrap(true);
  m_faults->setMargin(8);
  m_faults->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_faults->hide();
  column->addWidget(m_faults);
  m_down = new QSplitter(Qt::Vertical);
  m_loom = new LoomView;
  m_baselineLoom = new LoomView;
  m_looms = new SideBySide(m_baselineLoom, m_loom);
  m_source = new SourceStrip;
  m_down->addWidget(m_looms);
  m_down->addWidget(makeLower());
  m_down->setStretchFactor(0, 2);
  m_down->setStretchFactor(1, 1);
  m_down->setChildrenCollapsible(false);
  m_down->setHandleWidth(1);
  m_down->setSizes({518, 318});
  column->addWidget(m_down, 1);
  column->addWidget(m_source);
  return middle;
}

QWidget* MainWindow::makeRight() {
  auto* content = new TallContent;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(14, 10, 14, 10);
  column->setSpacing(8);
  auto* top = new QHBoxLayout;
  top->addWidget(new Heading(tr("Tile")));
  m_derived = new QLabel;
  m_derived->setObjectName(QStringLiteral("derived"));
  m_derived->setWordWrap(true);
  m_derived->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  top->addWidget(m_derived, 1);
  column->addLayout(top);
  m_knobs = new KnobPanel;
  column->addWidget(m_knobs);

  auto* size = new QFormLayout;
  size->setRowWrapPolicy(QFormLayout::WrapLongRows);  // large text puts the field below
  size->setContentsMargins(0, 0, 0, 0);
  auto* label = new QLabel(tr("M × N × K"));
  m_size = new QLineEdit(QString::fromStdString(toString(m_explorer.problem())));
  m_size->setObjectName(QStringLiteral("size"));
  m_size->setAccessibleName(tr("Size of the problem, M × N × K"));
  m_size->setToolTip(tr("Size of the problem, M × N × K; one number makes a cube"));
  label->setBuddy(m_size);
  size->addRow(label, m_size);
  column->addLayout(size);
  m_sizeMessage = new QLabel;
  m_sizeMessage->setObjectName(QStringLiteral("sizeMessage"));
  m_sizeMessage->setWordWrap(true);
  m_sizeMessage->hide();
  column->addWidget(m_sizeMessage);

  m_standing = new QLabel;
  m_standing->setObjectName(QStringLiteral("standing"));
  m_trouble = new QLabel;
  m_trouble->setObjectName(QStringLiteral("trouble"));
  for (QLabel* line : {m_standing, m_trouble}) {
    line->setWordWrap(true);
    line->setTextInteractionFlags(Qt::TextSelectableByMouse);
  }
  m_trouble->hide();
  m_again = new QPushButton(tr("Start the worker again"));
  m_again->setObjectName(QStringLiteral("startWorker"));
  m_again->hide();
  column->addSpacing(6);
  m_facts = new FactsPanel;
  column->addWidget(m_facts);
  m_advice = new Prose;
  m_advice->setObjectName(QStringLiteral("advice"));
  column->addWidget(m_advice);
  column->addWidget(m_standing);
  column->addWidget(m_trouble);
  column->addWidget(m_again);
  column->addSpacing(6);
  column->addWidget(new Heading(tr("What this rung does")));
  m_about = new Prose;
  m_about->setObjectName(QStringLiteral("about"));
  column->addWidget(m_about);
  column->addStretch(1);

  auto* scroll = new QScrollArea;
  scroll->setWidget(content);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  return scroll;
}

void MainWindow::makeMenus() {
  auto* file = menuBar()->addMenu(tr("&File"));
  makeSessionMenu(*file);
  file->addSeparator();
  makeExportMenu(*file);
  file->addSeparator();
  file->addAction(tr("&Import runs…"), this, &MainWindow::importRuns);
  file->addAction(tr("Export &runs…"), this, &MainWindow::exportRuns);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);

  auto* edit = menuBar()->addMenu(tr("&Edit"));
  QAction* undo = m_undo.stack().createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = m_undo.stack().createRedoAction(this, tr("&Redo"));
  redo->setShortcuts(
      {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  undo->setProperty("fixedName", tr("Undo"));  // its text says what it undoes
  redo->setProperty("fixedName", tr("Redo"));
  edit->addActions({undo, redo});
  edit->addSeparator();
  edit->addAction(tr("&Copy as command line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                  [this] { QApplication::clipboard()->setText(commandLine()); });
  edit->addAction(tr("Copy as &link"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), this,
                  [this] { QApplication::clipboard()->setText(link()); });

  auto* view = menuBar()->addMenu(tr("&View"));
  const auto zoom = [&](const QString& name, Qt::Key key, LoomView::Level level) {
    view->addAction(name, QKeySequence(key), this, [this, level] { m_loom->zoomTo(level); });
  };
  zoom(tr("Whole &grid"), Qt::Key_1, LoomView::Level::Grid);
  zoom(tr("&Block tile"), Qt::Key_2, LoomView::Level::Block);
  zoom(tr("&Warp tile"), Qt::Key_3, LoomView::Level::Warp);
  zoom(tr("&Thread tile"), Qt::Key_4, LoomView::Level::Thread);
  view->addSeparator();
  const auto tab = [&](const QString& name, Qt::Key key, LowerTab which) {
    view->addAction(name, QKeySequence(key), this, [this, which] { showTab(which); });
  };
  tab(tr("Shared memory ban&ks"), Qt::Key_B, LowerTab::Banks);
  tab(tr("Memory pat&h"), Qt::Key_H, LowerTab::Path);
  tab(tr("&Source"), Qt::Key_S, LowerTab::Source);
  tab(tr("Machin&e code"), Qt::Key_A, LowerTab::Sass);
  tab(tr("&Instructions"), Qt::Key_I, LowerTab::Instructions);
  tab(tr("C&ompare"), Qt::Key_D, LowerTab::Compare);
  tab(tr("&Charts"), Qt::Key_C, LowerTab::Charts);
  tab(tr("&Ladder chart"), Qt::Key_L, LowerTab::Ladder);
  tab(tr("&Roofline"), Qt::Key_R, LowerTab::Roofline);
  tab(tr("&Tuning"), Qt::Key_T, LowerTab::Tuning);
  view->addSeparator();
  makeLayoutMenu(*view);
  view->addSeparator();
  makeSightMenu(*view);

  auto* play = menuBar()->addMenu(tr("&Playback"));
  play->addAction(tr("&Play or pause"), QKeySequence(Qt::Key_Space), this,
                  [this] { m_explorer.setPlaying(!m_explorer.playing()); });
  play->addAction(tr("Next &instruction"), QKeySequence(Qt::Key_Right), this,
                  [this] { m_explorer.step(1); });
  play->addAction(tr("Previous i&nstruction"), QKeySequence(Qt::Key_Left), this,
                  [this] { m_explorer.step(-1); });
  play->addAction(tr("Next &dot index"), QKeySequence(Qt::Key_Down), this,
                  [this] { m_explorer.stepDot(1); });
  play->addAction(tr("Previous d&ot index"), QKeySequence(Qt::Key_Up), this,
                  [this] { m_explorer.stepDot(-1); });
  play->addAction(tr("Next &K tile"), QKeySequence(Qt::Key_PageDown), this,
                  [this] { m_explorer.stepTile(1); });
  play->addAction(tr("Previous K &tile"), QKeySequence(Qt::Key_PageUp), this,
                  [this] { m_explorer.stepTile(-1); });
  play->addAction(tr("Next &warp"), QKeySequence(Qt::Key_W), this, [this] {
    const Scene& scene = m_explorer.scene();
    if (scene.ready()) {
      m_explorer.setWarp(static_cast<int>((scene.moment.warp + 1) % scene.recording->trace.warps));
    }
  });
  play->addAction(tr("To the &start"), QKeySequence(Qt::Key_Home), this,
                  [this] { m_explorer.setIndex(0); });

  makeCompareMenu();
  auto* measure = menuBar()->addMenu(tr("&Measure"));
  measure->addAction(tr("This tile &again"), QKeySequence(Qt::Key_M), &m_lab, &Lab::measureAgain);
  measure->addAction(tr("All &rungs at this size"), &m_lab, &Lab::measureLadder);
  measure->addAction(tr("Take the &tile tuned on this device"))
      ->setObjectName(QStringLiteral("takeTuned"));  // see connectTuning
  measure->addAction(tr("&Start the worker again"), this, &MainWindow::restartWorker);

  auto* help = menuBar()->addMenu(tr("&Help"));
  help->addAction(tr("&Command palette…"), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                  [this] { (new CommandPalette(actionsOf(*menuBar()), this))->show(); });
  help->addAction(tr("&Keys…"), this, [this] {
    auto* dialog = new KeysDialog(actionsOf(*menuBar()), this);
    connect(dialog, &KeysDialog::changed, this, [this] { keepKeys(); });
    dialog->open();
  });
  help->addSeparator();
  help->addAction(tr("&About Tileloom"), this, [this] {
    QMessageBox::about(
        this, tr("About Tileloom"),
        tr("<b>Tileloom %1</b><p>See GPU matrix multiplication as the hardware runs it. "
           "Every picture is a recording of the kernel's real source.<p>"
           "Free software under the GNU General Public License, version 3 or later.")
            .arg(QApplication::applicationVersion()));
  });
}

void MainWindow::connectAll() {
  connect(m_ladder, &LadderList::picked, this,
          [this](const Stage* stage) { m_explorer.setStage(*stage); });
  connect(&m_explorer, &Explorer::stageChanged, this, [this](const Stage& stage) {
    m_knobs->setStage(stage);
    m_knobs->setTile(m_explorer.tile(), m_explorer.moved());
    m_ladder->setCurrent(stage);
  });
  connect(m_knobs, &KnobPanel::edited, this,
          [this](const TileShape& tile, Knob moved) { m_explorer.setTile(tile, moved); });
  connect(m_size, &QLineEdit::editingFinished, this, &MainWindow::takeSize);

  connect(m_transport, &TransportBar::playToggled, this,
          [this] { m_explorer.setPlaying(!m_explorer.playing()); });
  connect(m_transport, &TransportBar::stepped, &m_explorer, &Explorer::step);
  connect(m_transport, &TransportBar::indexAsked, &m_explorer, &Explorer::setIndex);
  connect(m_transport, &TransportBar::warpAsked, &m_explorer, &Explorer::setWarp);
  connect(m_transport, &TransportBar::placeAsked, &m_explorer, &Explorer::goTo);
  connect(m_transport, &TransportBar::speedChanged, &m_explorer, &Explorer::setSpeed);
  connect(&m_explorer, &Explorer::playingChanged, m_transport, &TransportBar::setPlaying);

  connect(m_loom, &LoomView::hovered, &m_explorer, &Explorer::hover);
  connect(m_loom, &LoomView::clicked, &m_explorer, &Explorer::hold);
  connect(m_loom, &LoomView::blockChosen, &m_explorer, &Explorer::setBlockAt);
  connect(m_banks, &BankView::hovered, &m_explorer, &Explorer::hover);
  connect(m_banks, &BankView::clicked, &m_explorer, &Explorer::hold);
  connect(m_path, &PathView::hovered, &m_explorer, &Explorer::hover);
  connect(m_path, &PathView::clicked, &m_explorer, &Explorer::hold);
  connect(m_sourceView, &SourceView::lineAsked, &m_explorer, &Explorer::goToLine);
  connect(m_instructions, &InstructionTable::asked, &m_explorer, &Explorer::goToInstruction);

  connect(&m_explorer, &Explorer::recordingChanged, this, &MainWindow::showRecording);
  connect(&m_explorer, &Explorer::sceneChanged, this, &MainWindow::showScene);
}

void MainWindow::takeSize() {
  const auto parsed = app::parseSize(m_size->text().toStdString());
  const QString problem =
      parsed ? m_explorer.setProblem(*parsed) : QString::fromStdString(parsed.error());
  m_sizeMessage->setText(problem);
  m_sizeMessage->setVisible(!problem.isEmpty());
  setInk(*m_sizeMessage, Ink::Trouble);
}

// The size may come from elsewhere: a point of the history, the command line.
void MainWindow::showSize() {
  if (m_shownProblem == m_explorer.problem()) return;
  m_shownProblem = m_explorer.problem();
  m_size->setText(QString::fromStdString(toString(m_shownProblem)));
  m_sizeMessage->hide();
}

void MainWindow::showRecording(const Scene& scene) {
  const auto& trace = scene.recording->trace;

  const Extent grid = launchOf(*trace.stage, trace.tile, trace.problem).grid;
  QString text = tr("%1 × %2 blocks of %3 threads").arg(grid.x).arg(grid.y).arg(trace.threads);
  if (!(trace.problem == trace.asked)) {
    text += tr(" · padded to %1").arg(QString::fromStdString(toString(trace.problem)));
  }
  m_derived->setText(text);
  setInk(*m_derived, Ink::Soft);
  m_facts->setRecording(scene.recording);
  showKernel();
  m_about->setText(openingParagraph(*trace.stage));
  setInk(*m_about, Ink::Soft);
  showFaults(trace.faults);
}

void MainWindow::showFaults(const emulator::FaultLog& faults) {
  m_faults->setVisible(!faults.empty());
  if (faults.empty()) return;
  QString text = QString::fromStdString(emulator::describe(faults.kept.front()));
  if (faults.total > 1) text += tr(" (and %1 more)").arg(faults.total - 1);
  m_faults->setText(tr("Fault: %1").arg(text));
  setInk(*m_faults, Ink::Trouble);
}

void MainWindow::showScene(const Scene& scene) {
  m_loom->setScene(scene);
  m_banks->setScene(scene);
  m_source->setScene(scene);
  m_path->setScene(scene);
  m_sourceView->setScene(scene);
  m_instructions->setScene(scene);
  m_transport->setScene(scene);
  if (scene.ready()) m_status->setText(describeMoment(scene.moment));
  m_selection->setText(describeSelection(scene));
}

// Playing is driven by plain keys, which a focused slider, list or box needs for itself.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const QWidget* focus = QApplication::focusWidget();
    const auto* painted = qobject_cast<const PaintedView*>(focus);
    const int key = static_cast<QKeyEvent*>(event)->key();
    const bool moves = key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Up ||
                       key == Qt::Key_Down || key == Qt::Key_Home || key == Qt::Key_End ||
                       key == Qt::Key_PageUp || key == Qt::Key_PageDown;
    const bool wantsMoves = qobject_cast<const QAbstractSpinBox*>(focus) != nullptr ||
                            qobject_cast<const QComboBox*>(focus) != nullptr ||
                            qobject_cast<const QAbstractItemView*>(focus) != nullptr ||
                            (painted != nullptr && painted->wantsArrows());
    const bool presses =
        key == Qt::Key_Space && qobject_cast<const QAbstractButton*>(focus) != nullptr;
    if ((moves && wantsMoves) || presses) {
      event->accept();
      return true;
    }
  }
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress)
    m_undo.beginGesture();
  if (event->type() == QEvent::KeyPress) {
    // A number typed and entered is done with: the keys belong to playing again.
    const int key = static_cast<QKeyEvent*>(event)->key();
    QWidget* focus = QApplication::focusWidget();
    const bool typing = qobject_cast<QAbstractSpinBox*>(focus) != nullptr ||
                        qobject_cast<QLineEdit*>(focus) != nullptr;
    if (typing && focus->window() == this &&
        (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape)) {
      QTimer::singleShot(0, m_loom, [this] { m_loom->setFocus(); });
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

void MainWindow::showTab(LowerTab tab) {
  m_lower->setCurrentIndex(static_cast<int>(tab));
}

QString MainWindow::commandLine() const {
  Session shown = session();
  shown.tuning = ofRecordings(std::move(shown.tuning), m_explorer.stage(), m_explorer.problem());
  return QString::fromStdString(commandLineOf(shown, m_explorer.block()));
}

QString MainWindow::statusText() const {
  return m_status->text();
}

}  // namespace tileloom
