// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenuBar>
#include <QScreen>
#include <QSplitter>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/services/teaching/teaching_pairs.h"
#include "app/session/session_text.h"
#include "app/window/common/actions.h"
#include "app/window/common/settings.h"
#include "app/window/common/tell.h"
#include "app/window/files/open_file.h"
#include "app/window/files/session_files.h"
#include "app/window/frame/layouts.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/frame/sight.h"
#include "app/window/lecture/glass.h"
#include "app/window/lecture/lecture_keys.h"
#include "app/window/lecture/lecture_menu.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/menus/animation_dialog.h"
#include "app/window/menus/export_menu.h"
#include "app/window/menus/help_menu.h"
#include "app/window/menus/menus.h"
#include "app/window/menus/palette_commands.h"
#include "app/window/menus/window_keys.h"
#include "app/window/own_list.h"
#include "app/window/tile_panel.h"
#include "kernels/analysis/recording.h"
#include "kernels/own/own_kernel.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/cell_view.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/lecture/marks_layer.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/scrub_bar.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

// The largest share of the window's width that the panels beside the loom take by default.
constexpr int kLadderPercent = 20, kTilePercent = 30;
constexpr int kMostPercent = 40;     // the same for large text, which would be cut otherwise
constexpr int kLecturePercent = 38;  // the same for the words of a lecture

}  // namespace

MainWindow::MainWindow(LabSetup setup, QWidget* parent)
    : QMainWindow(parent), m_services(std::move(setup)) {
  setWindowTitle(tr("Tileloom"));
  m_tile = new TilePanel(m_services);
  QWidget* ladder = makeLeft();
  m_services.start();  // the panels listen; a new page requests its content
  makePages();
  auto* across = m_across = new QSplitter(Qt::Horizontal);
  across->addWidget(ladder);
  across->addWidget(m_middle =
                        new LoomAndPages(m_pages, m_services, m_comparison, usualSize().height()));
  across->addWidget(m_tile);
  across->setStretchFactor(0, 0);
  across->setStretchFactor(1, 1);
  across->setStretchFactor(2, 0);
  across->setChildrenCollapsible(false);
  across->setHandleWidth(1);
  connect(across, &QSplitter::splitterMoved, this, [this] { m_panelsMoved = true; });

  m_transport = new TransportBar;
  auto* whole = new QWidget;
  auto* column = new QVBoxLayout(whole);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  auto* stage = new QWidget;  // a lecture's panel is beside it
  auto* row = new QHBoxLayout(stage);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(0);
  row->addWidget(across, 1);
  column->addWidget(stage, 1);
  column->addWidget(m_transport);
  setCentralWidget(whole);
  makeStatusBar();

  m_layouts = new Layouts(*this, *ladder, *m_tile);
  m_sessions = new SessionFiles(
      *this, [this] { return session(); }, [this](const Session& s) { restore(s); });
  connect(m_sessions, &SessionFiles::saved, this,
          [this](const QString& name) { say(tr("Saved as \"%1\"").arg(shownFile(name))); });
  auto* words = new LecturePanel;
  row->insertWidget(0, words);
  m_lecture = new LectureMode(*this, *words, *makeGlass(*this, *stage));
  new LectureKeys(*m_lecture, *this);
  makeMenus();
  connectAll();
  m_pages[1]->setInFront(true);
  // Without its menu bar the window would forget their keys.
  for (const NamedAction& named : actionsOf(*menuBar())) addAction(named.action);
  // The desktop's preference, if Qt reports it.
  m_sight->setReducedMotion(style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0);
  m_keys = new WindowKeys(*this, m_undo);
  m_pages.front()->focusTarget()->setFocus();
  setAcceptDrops(true);
  fitPanels();
  resize(usualSize());
}

MainWindow::~MainWindow() {
  delete findChild<AnimationDialog*>();  // it may still paint this window
  delete m_keys;
  // Fields that lose the focus emit editingFinished() when they are deleted: do that while pages
  // and services still exist.
  m_across = nullptr;
  delete takeCentralWidget();
  for (QObject* child : findChildren<QObject*>()) child->disconnect(this);
  m_sight.reset();
}

QSize MainWindow::usualSize() const {
  constexpr QSize kLeast{1024, 600};  // smaller screens are those of offscreen platforms
  const QSize room = screen()->availableSize();
  const bool real = room.width() >= kLeast.width() && room.height() >= kLeast.height();
  return real ? kUsualSize.boundedTo(room) : kUsualSize;
}

void MainWindow::makePages() {
  for (const PageRow* row : pageRows()) m_pages.push_back(row->make(m_context));
}

void MainWindow::showBars(bool shown) {
  m_bars = shown;
  menuBar()->setVisible(shown);
  m_transport->setVisible(shown);
  m_middle->showBars(shown);
  fitPanels();
}

void MainWindow::showSurroundings(bool shown) {
  menuBar()->setVisible(shown && m_bars);
  m_middle->setAlone(!shown);
  fitPanels();
}

QWidget* MainWindow::makeLeft() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 10, 0, 0);
  auto* ownHead = new Heading(tr("Your kernels"));
  ownHead->setIndent(12);
  m_own = new OwnList(m_services.own);
  column->addWidget(ownHead);
  column->addWidget(m_own);
  ownHead->hide();
  connect(&m_services.own, &OwnKernels::listChanged, ownHead, [ownHead] { ownHead->show(); });
  auto* head = new QHBoxLayout;
  head->setContentsMargins(0, 0, 8, 0);
  auto* title = new Heading(tr("Ladder"));
  title->setIndent(12);
  head->addWidget(title);
  auto* origin = new ElidedLabel;
  origin->setObjectName(QStringLiteral("ladderOrigin"));
  origin->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
  setInk(*origin, Ink::Soft);
  head->addWidget(origin, 1);
  column->addLayout(head);
  m_ladder = new LadderList(everyStage());
  column->addWidget(m_ladder, 1);
  m_ladder->setCurrent(m_services.explorer.stage());
  connect(&m_services.lab, &Lab::ladderChanged, m_ladder, [this, origin] {
    m_ladder->setBars(m_services.lab.ladder());
    // All bars are of one problem size, which is beside the device.
    const QString where = m_ladder->barsOrigin();
    const QString size = figures::sizeText(m_services.explorer.problem());
    origin->setText(where.isEmpty() ? tr("not recorded, %1").arg(size)
                                    : tr("%1, %2").arg(where, size));
    origin->setToolTip(m_services.lab.ladderSource());
  });
  return side;
}

void MainWindow::makeStatusBar() {
  m_status = new ElidedLabel;
  m_status->setObjectName(QStringLiteral("status"));
  m_selection = new ElidedLabel;
  m_status->setIndent(8);
  m_selection->setObjectName(QStringLiteral("selection"));
  m_selection->setContentsMargins(8, 2, 10, 2);
  statusBar()->addWidget(m_status, 1);
  statusBar()->addPermanentWidget(m_selection);
  statusBar()->setSizeGripEnabled(false);
}

void MainWindow::makeMenus() {
  auto* file = menuBar()->addMenu(tr("&File"));
  m_sessions->addActions(*file);
  file->addSeparator();
  file->addAction(tr("Open &kernel…"), this, &MainWindow::askForKernel)
      ->setProperty(kAlsoFoundBy, tr("my kernel, own kernel, cubin, cu, ptx, load kernel"));
  file->addSeparator();
  addExportMenu(*file, *this);
  file->addSeparator();
  addRunFileActions(*file, *this, m_services.lab);
  file->addSeparator();
  file->addAction(tr("&Quit"), QKeySequence::Quit, this, &QWidget::close);
  makeEditMenu();
  makeViewMenu();
  addPlaybackMenu(*this, m_services);
  addCompareMenu(*this, m_services, m_comparison);
  addMeasureMenu(*this, m_services);
  m_lectureMenu = new LectureMenu(*m_lecture, *this, *menuBar()->addMenu(tr("&Lecture")));
  addHelpMenu(*this, [this] { return commands(); });
}

void MainWindow::askForKernel() {
  const QString file = QFileDialog::getOpenFileName(
      this, tr("Open a kernel"), {}, tr("Kernels (*.cu *.ptx *.cubin *.fatbin);;All (*)"));
  if (!file.isEmpty()) m_services.own.open(file);
}

void MainWindow::makeEditMenu() {
  auto* edit = menuBar()->addMenu(tr("&Edit"));
  addUndoActions(*edit, m_undo.stack());
  edit->addSeparator();
  edit->addAction(tr("&Copy as command line"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C), this,
                  [this] {
                    QApplication::clipboard()->setText(commandLine());
                    say(tr("Copied the command line that makes this picture"));
                  });
  edit->addAction(tr("Copy as &link"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L), this,
                  [this] {
                    QApplication::clipboard()->setText(link());
                    say(tr("Copied a link that opens this view"));
                  });
}

void MainWindow::makeViewMenu() {
  auto* view = menuBar()->addMenu(tr("&View"));
  for (const auto& page : m_pages) page->addActions(*view);
  view->addSeparator();
  m_middle->tabs().bar().addGroupMenus(*view);
  view->addSeparator();
  m_layouts->addActions(*view);
  view->addSeparator();
  m_sight = std::make_unique<Sight>(*view);
}

void MainWindow::connectAll() {
  Explorer& explorer = m_services.explorer;
  connect(m_ladder, &LadderList::picked, this,
          [&explorer](const Stage* stage) { explorer.setStage(*stage); });
  connect(m_own, &OwnList::picked, this, [this](const Stage* stage) { showOwn(*stage); });
  connect(&explorer, &Explorer::stageChanged, m_ladder, [this](const Stage& stage) {
    m_ladder->setCurrent(stage);
    m_own->setCurrent(stage);
  });

  OwnKernels& own = m_services.own;
  connect(&own, &OwnKernels::opened, this, &MainWindow::showOwn);
  connect(&own, &OwnKernels::changed, this, [this](const Stage& before, const Stage& now) {
    if (&m_services.explorer.stage() == &before) m_services.explorer.replaceStage(now);
    say(tr("%1 has changed: %2.")
            .arg(toQString(now.title),
                 changeText(*own::OwnKernel::of(before), *own::OwnKernel::of(now))));
  });
  connect(&own, &OwnKernels::failed, this, [this](const QString& sentence) {
    m_awaited.reset();
    tellProblem(*this, tr("Open a kernel"), sentence);
  });
  // While a file is edited, the last version that compiles stays.
  connect(&own, &OwnKernels::notReadAgain, this, &MainWindow::say);
  connect(&own, &OwnKernels::busyChanged, this, [this](bool busy) {
    if (busy) say(tr("Reading the kernel …"));
  });

  connect(&m_comparison, &Comparison::pageWanted, this, [this](const TeachingPair& pair) {
    Session wanted = session();
    wanted.timeline.delay = pair.delay;
    wanted.timeline.varies = pair.varies;
    wanted.timeline.betweenTiles = pair.between;
    page("timeline")->restore(wanted);
    m_middle->showPage(pair.page);
    m_middle->fitToContent();
  });
  connect(m_transport, &TransportBar::playToggled, this,
          [&explorer] { explorer.setPlaying(!explorer.playing()); });
  connect(m_transport, &TransportBar::stepped, &explorer, &Explorer::step);
  connect(m_transport, &TransportBar::indexAsked, &explorer, &Explorer::setIndex);
  connect(m_transport, &TransportBar::warpAsked, &explorer, &Explorer::setWarp);
  connect(m_transport, &TransportBar::placeAsked, &explorer, &Explorer::goTo);
  connect(m_transport, &TransportBar::paceChanged, &explorer, &Explorer::setPace);
  connect(&explorer, &Explorer::playingChanged, m_transport, &TransportBar::setPlaying);

  connect(&explorer, &Explorer::recordingChanged, this,
          [this](const Scene& scene) { m_middle->showFaults(scene.recording->trace.faults); });
  connect(&explorer, &Explorer::sceneChanged, this, &MainWindow::showScene);
  connect(&explorer, &Explorer::baselineChanged, this, [this](const Scene& scene) {
    m_middle->showBaseline(scene);
    saySelection();
  });

  connect(m_sight.get(), &Sight::textSizeChanged, this, &MainWindow::fitPanels);
  connect(m_sight.get(), &Sight::cursorAsked, this, &MainWindow::toggleCursor);
  connect(m_sight.get(), &Sight::motionChanged, m_middle, &LoomAndPages::setStill);
}

// With the sizes of its launch file, for which its result was checked.
void MainWindow::showOwn(const Stage& stage) {
  const own::OwnKernel* kernel = own::OwnKernel::of(stage);
  if (m_awaited && m_awaited->ownFile == kernel->input().path) {
    Session session = *m_awaited;
    session.ownFile.clear();
    session.own = m_services.own.kernelOf(stage);
    session.state.stage = &stage;
    session.state.tile = stage.standardTile();
    restore(session);
  } else {
    m_services.explorer.setStage(stage, kernel->usualProblem());
  }
  say(tr("%1: %2.").arg(toQString(stage.title), checkedText(kernel->check())));
}

void MainWindow::showScene(const Scene& scene) {
  m_middle->showScene(scene);
  m_transport->setScene(scene);
  if (scene.ready()) m_status->setText(describeMoment(scene.moment));
  saySelection();
}

// Of the side that was pointed at: threads of the other one have the same numbers.
void MainWindow::saySelection() {
  const Explorer& explorer = m_services.explorer;
  const Scene& pointed = explorer.pointedAt();
  const QString words = describeSelection(pointed);
  const bool comparing = explorer.baseline().ready() && !words.isEmpty();
  m_selection->setText(!comparing                      ? words
                       : &pointed == &explorer.scene() ? tr("Now: %1").arg(words)
                                                       : tr("Baseline: %1").arg(words));
}

Session MainWindow::session() const {
  const Explorer& explorer = m_services.explorer;
  Session s;
  s.state = explorer.state();
  s.own = m_services.own.kernelOf(*s.state.stage);
  // A file names one kernel of the user.
  if (s.state.pinned && !s.state.pinned->rung()->isRung()) s.state.pinned.reset();
  s.tiles = explorer.tiles();
  s.tiles.erase(s.state.stage);
  std::erase_if(s.tiles, [](const auto& each) { return !each.first->isRung(); });
  s.tab = m_middle->currentPage();
  s.theme = m_sight->look();
  s.text = m_sight->textSize();
  s.ladderPanel = m_layouts->panelShown(SidePanel::Ladder);
  s.tilePanel = m_layouts->panelShown(SidePanel::Tile);
  s.timeStrip = m_middle->timeShown();
  s.lower = m_middle->lower();
  s.pace = m_transport->pace();
  for (const auto& page : m_pages) page->save(s);
  return s;
}

void MainWindow::restore(const Session& session) {
  m_awaited.reset();
  if (!session.ownFile.empty()) {
    m_awaited = session;
    return m_services.own.open(QString::fromStdString(session.ownFile));
  }
  m_sight->setLook(session.theme);
  if (session.text) m_sight->setTextSize(*session.text);
  Explorer& explorer = m_services.explorer;
  explorer.setPlaying(false);
  explorer.setTiles(session.tiles);
  m_services.own.keep(session.own);
  m_services.lab.setAskedFor(true);
  explorer.setState(session.state);
  m_services.lab.setAskedFor(false);
  m_transport->setPace(session.pace);
  m_layouts->showPanel(SidePanel::Ladder, session.ladderPanel);
  m_layouts->showPanel(SidePanel::Tile, session.tilePanel);
  m_layouts->showTime(session.timeStrip);
  m_middle->showPage(session.tab);
  m_middle->setLower(session.lower);
  for (const auto& page : m_pages) page->restore(session);
}

QString MainWindow::link() const {
  return QString::fromStdString(sessionLink(session()));
}

QString MainWindow::commandLine() const {
  const Explorer& explorer = m_services.explorer;
  Session shown = session();
  shown.tuning = ofRecordings(std::move(shown.tuning), explorer.stage(), explorer.problem(),
                              explorer.format());
  return QString::fromStdString(commandLineOf(shown, explorer.block()));
}

void MainWindow::loadKeys() {
  tileloom::loadKeys(actionsOf(*menuBar()), Settings());
}

std::vector<NamedAction> MainWindow::commands() {
  std::vector<NamedAction> all = actionsOf(*menuBar());
  m_offered = std::make_unique<QObject>();
  for (NamedAction& other : paletteCommands(*m_offered, *this)) all.push_back(std::move(other));
  return all;
}

void MainWindow::say(const QString& message) {
  statusBar()->showMessage(message, kMessageMs);
}

Page& MainWindow::focusedPage() const {
  return m_middle->pageWith(focusWidget());
}

QString MainWindow::statusText() const {
  return m_status->text();
}

// For the focused view; from any other widget it goes to the loom.
void MainWindow::toggleCursor() {
  auto* view = qobject_cast<CellView*>(QApplication::focusWidget());
  if (view != nullptr) return view->setCursorMode(!view->cursorMode());
  QWidget* loom = m_pages.front()->focusTarget();
  loom->setFocus(Qt::ShortcutFocusReason);
  if (auto* cells = qobject_cast<CellView*>(loom)) cells->setCursorMode(true);
}

// With large text the panels would leave no room for the loom: they have at most a share of the
// window, and elide, wrap or scroll their content.
void MainWindow::fitPanels() {
  if (m_across == nullptr) return;
  // Widgets get a new font one after the other: the application's font is the latest.
  const QFontMetrics metrics(QApplication::font());
  const int letter = metrics.averageCharWidth();
  // A width between `letters` and `most` letters, limited to a share of the window; but at least
  // `needed` letters, limited to kMostPercent.
  const auto fit = [this, letter](int panel, int needed, int letters, int most, int percent) {
    QWidget* widget = m_across->widget(panel);
    const int share = std::min(letters * letter, width() * percent / 100);
    widget->setMinimumWidth(
        std::max(share, std::min(needed * letter, width() * kMostPercent / 100)));
    widget->setMaximumWidth(std::max(widget->minimumWidth(), most * letter));
  };
  fit(0, 0, 26, 46, kLadderPercent);
  if (auto* lecture = findChild<LecturePanel*>())
    lecture->setMaximumWidth(
        std::max(lecture->minimumSizeHint().width(), width() * kLecturePercent / 100));
  // In a wide window the loom is limited by its height: the tile panel gets more width, so that the
  // rung's description needs no scrolling.
  fit(2, 24, std::clamp(width() * 22 / 100 / std::max(1, letter), 44, 54), 80, kTilePercent);
  m_tile->fitFields(metrics);
  const int lines = height() / std::max(1, metrics.height());
  m_tile->setRungFirst(lines >= 60);
  m_middle->fit(letter, lines);
  m_transport->scrubBar()->setLabelled(lines >= 26);
  statusBar()->setVisible(lines >= 26 && m_bars && !m_layouts->alone());
}

void MainWindow::changeEvent(QEvent* event) {
  QMainWindow::changeEvent(event);
  if (event->type() != QEvent::FontChange || m_across == nullptr) return;
  fitPanels();
  m_panelsMoved = false;  // the former widths are wrong now
  sharePanels();
}

// Both panels as wide as their texts need; the middle takes the rest.
void MainWindow::sharePanels() {
  if (m_panelsMoved) return;
  const int most = width() * kLadderPercent / 100;
  const int least = m_across->widget(0)->minimumWidth();
  const int left = std::clamp(m_ladder->sizeHint().width(), least, std::max(least, most));
  const int right = m_across->widget(2)->minimumWidth();
  m_across->setSizes({left, std::max(1, width() - left - right), right});
}

void MainWindow::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  fitPanels();
  sharePanels();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  event->setAccepted(m_lecture->mayLeave());
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!fileIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString name = fileIn(*event->mimeData());
  if (name.isEmpty()) return;
  event->acceptProposedAction();
  if (const QString problem = openFile(*this, name); !problem.isEmpty())
    tellProblem(*this, tr("Open a file"), problem);
}

}  // namespace tileloom
