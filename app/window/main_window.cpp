// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QClipboard>
#include <QCloseEvent>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QScreen>
#include <QSpinBox>
#include <QSplitter>
#include <QStatusBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "app/lecture/lecture_files.h"
#include "app/pages/compare/pair_line.h"
#include "app/pages/page_groups.h"
#include "app/services/teaching_pairs.h"
#include "app/session/page_ids.h"
#include "app/window/actions.h"
#include "app/window/animation_dialog.h"
#include "app/window/command_palette.h"
#include "app/window/explain_page.h"
#include "app/window/export_menu.h"
#include "app/window/first_sight.h"
#include "app/window/keys_dialog.h"
#include "app/window/last_touched.h"
#include "app/window/layouts.h"
#include "app/window/lecture_mode.h"
#include "app/window/loom_and_time.h"
#include "app/window/menus.h"
#include "app/window/open_file.h"
#include "app/window/page_tabs.h"
#include "app/window/palette_commands.h"
#include "app/window/session_files.h"
#include "app/window/settings.h"
#include "app/window/sight.h"
#include "app/window/tell.h"
#include "app/window/tile_panel.h"
#include "kernels/analysis/recording.h"
#include "kernels/tile/parameters.h"
#include "viz/base/cell_view.h"
#include "viz/base/describe.h"
#include "viz/base/figure_text.h"
#include "viz/base/labels.h"
#include "viz/base/text.h"
#include "viz/code/source_strip.h"
#include "viz/lecture/lecture_panel.h"
#include "viz/lecture/marks_layer.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/ladder_list.h"
#include "viz/panels/parameter_panel.h"
#include "viz/panels/scrub_bar.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

// The largest share of the window's width that the panels beside the loom take by default.
constexpr int kLadderPercent = 20, kTilePercent = 30;
constexpr int kMostPercent = 40;     // the same for large text, which would be cut otherwise
constexpr int kLecturePercent = 38;  // the same for the words of a lecture

// Pixels of width of loom and pages, by the size of the text: the tabs of a page and its group.
constexpr int kLeastMiddle = 240, kMostMiddle = 490, kMiddleLetters = 22;
constexpr int kLeastBelow = 170;  // pixels of the pages below the loom

// Percent of the height for the page below the loom after the first change of the page: charts need
// more room than banks.
constexpr int kLowerOfPages = 48;

// The default share of the pages below the loom, in percent. In a low window the banks need more,
// or the numbers of the lanes have no room.
int usualLower(int height) {
  constexpr int kLow = 650, kUsualInLow = 38;
  return height < kLow ? kUsualInLow : kUsualLower;
}

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
  across->addWidget(makeMiddle());
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
  makeLecture(*stage);
  makeMenus();
  connectAll();
  m_pages[1]->setInFront(true);
  // Without its menu bar the window would forget their keys.
  for (const NamedAction& named : actionsOf(*menuBar())) addAction(named.action);
  // The desktop's preference, if Qt reports it.
  m_sight->setReducedMotion(style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0);
  qApp->installEventFilter(this);
  m_pages.front()->focusTarget()->setFocus();
  setAcceptDrops(true);
  fitPanels();
  resize(usualSize());
}

MainWindow::~MainWindow() {
  delete findChild<AnimationDialog*>();  // it may still paint this window
  qApp->removeEventFilter(this);
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

// The lecture panel is on the left of everything, and its marks are over the views.
void MainWindow::makeLecture(QWidget& stage) {
  auto* panel = new LecturePanel;
  static_cast<QHBoxLayout*>(stage.layout())->insertWidget(0, panel);
  auto* loom = view<LoomView>();
  // Ink that begins over the loom is kept in the loom's coordinates.
  enum InkSheet { Glass, Loom };
  auto* marks = new MarksLayer(
      [this, &stage](const MarkTarget& target) -> std::optional<QRectF> {
        const auto place = placeOf(target);
        if (!place) return std::nullopt;
        return place->translated(stage.mapFrom(this, QPointF(0, 0)));
      },
      [loom, &stage](const QPointF& pixel) {
        const QPointF inside = loom->mapFrom(&stage, pixel);
        if (!loom->isVisible() || !QRectF(loom->rect()).contains(inside))
          return InkPoint{Glass, pixel};
        return InkPoint{Loom, loom->geometry().toWorld(inside)};
      },
      [loom, &stage](const InkPoint& point) {
        if (point.sheet == Glass) return point.at;
        return loom->mapTo(&stage, loom->geometry().toPixel(point.at));
      },
      [loom, &stage](int sheet) {
        if (sheet == Glass) return QRectF(stage.rect());
        return QRectF(loom->mapTo(&stage, QPoint()), loom->size());
      },
      &stage);
  m_lecture = new LectureMode(*this, *panel, *marks);
}

namespace {

// The visible part of a rectangle of a widget, in its pixels: scroll areas around it clip the rest.
// A sliver counts as invisible.
std::optional<QRectF> seenOf(const QWidget& widget, const QRectF& place) {
  constexpr double kLeast = 12;  // pixels
  QRectF seen = place;
  for (const QWidget* around = &widget; around != nullptr; around = around->parentWidget()) {
    const QPointF corner = around == &widget ? QPointF() : widget.mapTo(around, QPointF());
    seen &= QRectF(around->rect()).translated(-corner);
    if (around->isWindow()) break;
  }
  const bool enough = seen.width() >= std::min(kLeast, place.width() / 2) &&
                      seen.height() >= std::min(kLeast, place.height() / 2);
  if (seen.isEmpty() || !enough) return std::nullopt;
  return seen;
}

}  // namespace

std::optional<QRectF> MainWindow::placeOf(const MarkTarget& target) const {
  const auto shown = [this](const QWidget* widget, const QRectF& place) -> std::optional<QRectF> {
    if (widget == nullptr || !widget->isVisible()) return std::nullopt;
    const auto seen = seenOf(*widget, place);
    if (!seen) return std::nullopt;
    return within(*this, *widget, *seen);
  };
  if (target.thing == MarkTarget::Thing::Parameter) {
    const auto parameter = parameterNamed(target.text);
    if (!parameter || m_services.explorer.stage().spec(*parameter) == nullptr) return std::nullopt;
    // The whole row: the name beside the slider, and the box.
    const auto* panel = view<ParameterPanel>();
    const QWidget *slider = panel->slider(*parameter), *box = panel->spinBox(*parameter);
    if (slider == nullptr || box == nullptr) return std::nullopt;
    QRectF row = within(*panel, *slider, slider->rect()).united(within(*panel, *box, box->rect()));
    row.setLeft(0);
    return shown(panel, row);
  }
  if (target.thing == MarkTarget::Thing::Rung) {
    const auto place = m_ladder->placeOf(target.text);
    return place ? shown(m_ladder->viewport(), *place) : std::nullopt;
  }
  if (target.thing == MarkTarget::Thing::Area) {
    const std::pair<std::string_view, const QWidget*> areas[] = {
        {kLadderArea, m_ladder->parentWidget()},
        {kLoomArea, m_loomAndTime},
        {kPagesArea, m_folded ? nullptr : m_below},
        {kTileArea, m_tile}};
    for (const auto& [name, widget] : areas) {
      if (name == target.text && widget != nullptr) return shown(widget, widget->rect());
    }
    return std::nullopt;
  }
  const Page* there = page(target.page);
  if (there == nullptr || !there->widget()->isVisible()) return std::nullopt;
  const auto place = there->placeOf(target);
  return place ? shown(there->widget(), *place) : std::nullopt;
}

void MainWindow::reveal(const MarkTarget& target) {
  if (target.thing == MarkTarget::Thing::Parameter) {
    const auto parameter = parameterNamed(target.text);
    QWidget* slider = parameter ? view<ParameterPanel>()->slider(*parameter) : nullptr;
    if (slider != nullptr && slider->isVisible())
      m_tile->ensureWidgetVisible(slider, 0, fontMetrics().height());
  } else if (target.thing == MarkTarget::Thing::Rung) {
    m_ladder->reveal(target.text);
  }
}

void MainWindow::showBars(bool shown) {
  m_bars = shown;
  menuBar()->setVisible(shown);
  m_transport->setVisible(shown);
  m_below->showBars(shown);
  if (m_folded) {
    m_folded = false;
    setFolded(true);
  }
  showStrips();
  fitPanels();
}

QWidget* MainWindow::makeLeft() {
  auto* side = new QWidget;
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 10, 0, 0);
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
  m_pair = new PairLine(m_comparison, PairLine::Closing::ByButton);
  m_pair->setObjectName(QStringLiteral("pair"));
  column->addWidget(m_pair);
  m_down = new QSplitter(Qt::Vertical);
  m_source = new SourceStrip;
  m_loomAndTime = new LoomAndTime(m_pages.front()->widget(), m_services);
  connect(m_loomAndTime, &LoomAndTime::opened, this, [this] {
    for (const auto& page : m_pages) {
      if (page->row().hidesTimeStrip) return showPage(page->row().id);
    }
  });
  m_down->addWidget(m_loomAndTime);
  m_down->addWidget(makeBelow());
  m_down->setStretchFactor(0, 2);
  m_down->setStretchFactor(1, 1);
  m_down->setChildrenCollapsible(false);
  m_down->setHandleWidth(1);
  // An estimate of the height without menus, transport bar and source line.
  const int room = usualSize().height() - 164, below = room * usualLower(room) / 100;
  m_down->setSizes({room - below, below});
  connect(m_down, &QSplitter::splitterMoved, this, [this] {
    m_beforeAlone.clear();
    m_lower.reset();
    m_heightChosen = true;
  });
  column->addWidget(m_down, 1);
  column->addWidget(m_source);
  return middle;
}

QWidget* MainWindow::makeBelow() {
  m_below = new PageTabs;
  m_below->setDocumentMode(true);
  // Charts scroll or shrink: the largest page must not take room from the loom.
  m_below->setMinimumHeight(kLeastBelow);
  // Two kernels side by side are wider than a small screen with a lecture.
  m_below->setMinimumWidth(kLeastMiddle);
  m_below->setFocusPolicy(Qt::TabFocus);
  for (const PageGroup& group : pageGroups()) {
    m_below->addGroup(group.title, group.tip);
    for (const PageRow* row : group.pages) {
      const QString tip = QCoreApplication::translate("tileloom::Page", row->tip);
      auto* show = new QAction(QCoreApplication::translate("tileloom::Page", row->menu), this);
      show->setShortcut(QKeySequence(row->key));
      // The command palette searches this, and keys are kept by it.
      show->setWhatsThis(tr("%1: %2").arg(group.title, tip));
      show->setProperty(kAlsoFoundBy, wordsOfPage(row->id));
      show->setProperty(kLastingName, QStringLiteral("page:%1").arg(QLatin1String(row->id)));
      show->setProperty(kEarlierText, QString::fromUtf8(row->earlierMenu));
      connect(show, &QAction::triggered, this, [this, row] { showPage(row->id); });
      m_below->addPage(page(row->id)->widget(), pageTitle(*row), tip, *show);
    }
  }
  connect(m_below, &QTabWidget::currentChanged, this, &MainWindow::turnTo);
  // A click on a tab unfolds the lower half; a click on the current tab folds it.
  connect(m_below, &QTabWidget::tabBarClicked, this, [this](int tab) {
    if (tab >= 0) m_layouts->setFolded(!m_folded && tab == m_tab);
  });
  connect(m_below, &PageTabs::groupClicked, this, [this] { m_layouts->setFolded(false); });
  return m_below;
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
  m_lecture->addActions(*menuBar()->addMenu(tr("&Lecture")));
  makeHelpMenu();
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
  m_below->bar().addGroupMenus(*view);
  view->addSeparator();
  m_layouts->addActions(*view);
  view->addSeparator();
  m_sight = std::make_unique<Sight>(*view);
}

void MainWindow::makeHelpMenu() {
  auto* help = menuBar()->addMenu(tr("&Help"));
  new LastTouched(*this);
  help->addAction(tr("&What am I looking at?"), QKeySequence(Qt::Key_F1), this,
                  [this] { explainHere(*this); });
  QAction* tour = help->addAction(tr("&Show me around"), this, [this] {
    const QString wrong =
        m_lecture->openNamed(toQString(lecture::kShowMeAround), LectureMode::Manner::Learning, 0);
    if (!wrong.isEmpty()) tellProblem(*this, tr("Show me around"), wrong);
  });
  tour->setWhatsThis(tr("A tour of two minutes: a tutorial, an introduction"));
  help->addAction(tr("&Command palette…"), QKeySequence(Qt::CTRL | Qt::Key_K), this,
                  [this] { (new CommandPalette(commands(), this))->show(); });
  help->addAction(tr("&Glossary…"), this, [this] { openGlossary(*this); });
  help->addAction(tr("&Keys…"), this, [this] {
    auto* dialog = new KeysDialog(actionsOf(*menuBar()), this);
    connect(dialog, &KeysDialog::changed, this, [this] {
      Settings kept;
      saveKeys(actionsOf(*menuBar()), kept);
    });
    dialog->open();
  });
  help->addSeparator();
  help->addAction(tr("&About Tileloom"), this, [this] {
    QMessageBox box(this);
    box.setWindowTitle(tr("About Tileloom"));
    box.setIconPixmap(windowIcon().pixmap(64));
    box.setTextFormat(Qt::RichText);
    box.setText(tr("<b>Tileloom %1</b><p>See GPU matrix multiplication as the hardware runs it. "
                   "Every picture is a recording of the kernel's real source.<p>"
                   "Free software under the GNU General Public License, version 3 or later.")
                    .arg(QApplication::applicationVersion()));
    box.exec();
  });
}

void MainWindow::connectAll() {
  Explorer& explorer = m_services.explorer;
  connect(m_ladder, &LadderList::picked, this,
          [&explorer](const Stage* stage) { explorer.setStage(*stage); });
  connect(&explorer, &Explorer::stageChanged, m_ladder,
          [this](const Stage& stage) { m_ladder->setCurrent(stage); });

  connect(&m_comparison, &Comparison::pageWanted, this, [this](const TeachingPair& pair) {
    Session wanted = session();
    wanted.timeline.delay = pair.delay;
    wanted.timeline.varies = pair.varies;
    wanted.timeline.betweenTiles = pair.between;
    page("timeline")->restore(wanted);
    showPage(pair.page);
    m_lower.reset();
    giveWanted();
  });
  connect(&m_comparison, &Comparison::titlesChanged, this, [this](const QString& baseline) {
    const bool comparing = !baseline.isEmpty();
    const bool begins = comparing && !m_comparing;
    m_comparing = comparing;
    // A height that the user or a session has chosen stays, whichever answer comes first.
    if (begins && !m_heightChosen) giveWanted();
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
          [this](const Scene& scene) { showFaults(scene.recording->trace.faults); });
  connect(&explorer, &Explorer::sceneChanged, this, &MainWindow::showScene);
  connect(&explorer, &Explorer::baselineChanged, this, [this](const Scene& scene) {
    for (const auto& page : m_pages) page->showBaseline(scene);
    sayEmpty();
    saySelection();
  });

  connect(m_sight.get(), &Sight::textSizeChanged, this, &MainWindow::fitPanels);
  connect(m_sight.get(), &Sight::cursorAsked, this, &MainWindow::toggleCursor);
  connect(m_sight.get(), &Sight::motionChanged, this, [this](bool reduced) {
    for (const auto& page : m_pages) page->setStill(reduced);
    m_loomAndTime->setStill(reduced);
  });
}

Page* MainWindow::page(std::string_view id) const {
  const auto found =
      std::ranges::find_if(m_pages, [id](const auto& page) { return id == page->row().id; });
  return found == m_pages.end() ? nullptr : found->get();
}

void MainWindow::showPage(std::string_view id) {
  const Page* wanted = page(id);
  if (wanted == nullptr || wanted->row().place != PagePlace::Below) return;
  m_below->setCurrentWidget(wanted->widget());
  // The first start hides them. They need the room of its notes.
  if (m_below->isHidden() && !m_layouts->alone()) {
    view<LoomView>()->setHinted(false);
    showPages(true);
  }
  if (m_folded) m_layouts->setFolded(false);
}

void MainWindow::setFolded(bool folded) {
  if (folded == m_folded) return;
  if (folded) m_unfolded = heights().value(1);
  m_lower.reset();
  if (!m_below->isHidden()) m_beforeAlone.clear();
  m_folded = folded;
  // A page takes room from the loom: the notes of the first start would cover the loom.
  if (!folded) view<LoomView>()->setHinted(false);
  const int bar = m_bars ? m_below->tabBar()->sizeHint().height() : 0;
  m_below->setMinimumHeight(folded ? bar : kLeastBelow);
  m_below->setMaximumHeight(folded ? bar : QWIDGETSIZE_MAX);
  showStrips();
  if (!folded && m_unfolded > 0) giveBelow(m_unfolded);
}

void MainWindow::setLower(int percent) {
  m_layouts->setFolded(percent == 0);
  if (percent == 0) return;
  m_lower = percent;
  m_heightChosen = percent != kUsualLower;
  shareOut();
}

void MainWindow::shareOut() {
  if (!m_lower || m_folded) return;
  const int all = m_down->height();
  giveBelow(all * (*m_lower == kUsualLower ? usualLower(all) : *m_lower) / 100);
  if (*m_lower == kUsualLower) giveWanted();
}

void MainWindow::giveBelow(int pixels) {
  const QList<int> sizes = {m_down->height() - m_down->handleWidth() - pixels, pixels};
  m_down->setSizes(sizes);
  m_beforeAlone = m_below->isHidden() ? sizes : QList<int>();
}

// A page whose present content needs more height than most pages.
void MainWindow::giveWanted() {
  const Page& front = *page(currentPage());
  if (m_folded || m_below->isHidden() || front.heightWanted() == 0) return;
  const int wanted = std::min(front.heightWanted() + m_below->tabBar()->height(),
                              m_down->height() * kMostLower / 100);
  if (heights().value(1) < wanted) giveBelow(wanted);
}

int MainWindow::lower() const {
  if (m_folded) return 0;
  const QList<int> sizes = heights();
  const int all = sizes.value(0) + sizes.value(1);
  return all > 0 ? std::clamp((100 * sizes.value(1) + all / 2) / all, 1, kMostLower) : kUsualLower;
}

void MainWindow::showSurroundings(bool shown) {
  menuBar()->setVisible(shown && m_bars);
  showPages(shown);
}

void MainWindow::showPages(bool shown) {
  const bool alone = m_below->isHidden();
  if (!shown && !alone && !m_folded) m_beforeAlone = m_down->sizes();
  m_below->setVisible(shown);
  if (shown && alone) shareAsBeforeAlone();
  showStrips();
  fitPanels();
}

void MainWindow::showStrips() {
  const PageRow& row = page(currentPage())->row();
  const bool below = !m_below->isHidden();
  m_source->setVisible(below && (m_folded || !row.hidesSourceStrip));
  m_pair->setNeeded(m_bars && below && (m_folded || !row.saysWhatAPairTeaches));
  m_loomAndTime->setNeeded(!below || m_folded || !row.hidesTimeStrip);
}

void MainWindow::showTime(bool shown) {
  m_loomAndTime->setWanted(shown);
}

bool MainWindow::timeShown() const {
  return m_loomAndTime->wanted();
}

void MainWindow::awaitTime() {
  m_loomAndTime->prepare();
}

void MainWindow::centreTime() {
  m_loomAndTime->centre();
}

QList<int> MainWindow::heights() const {
  return m_below->isHidden() && !m_beforeAlone.isEmpty() ? m_beforeAlone : m_down->sizes();
}

void MainWindow::shareAsBeforeAlone() {
  if (m_beforeAlone.size() != 2 || m_below->isHidden() || m_folded) return;
  const int before = m_beforeAlone[0] + m_beforeAlone[1];
  const int all = m_down->height() - m_down->handleWidth();
  const int below = before > 0 ? all * m_beforeAlone[1] / before : 0;
  m_down->setSizes({all - below, below});
  if (all == before) m_beforeAlone.clear();
}

std::string_view MainWindow::currentPage() const {
  return kTabIds[static_cast<std::size_t>(m_below->currentIndex())];
}

Page& MainWindow::focusedPage() const {
  const QWidget* focus = focusWidget();
  const bool below = focus != nullptr && (focus == m_below || m_below->isAncestorOf(focus));
  return below ? *page(currentPage()) : *m_pages.front();
}

QSizeF MainWindow::roomOf(const Page& page) const {
  return page.row().place == PagePlace::Below ? m_below->currentWidget()->size()
                                              : page.focusTarget()->size();
}

// The row of tabs stays where it is, so that the next click meets it: a page that hides the lines
// of source takes their room itself. A page takes more height only until the user has chosen one.
// The pages after it keep that height.
void MainWindow::turnTo(int tab) {
  Page& behind = *page(kTabIds[static_cast<std::size_t>(m_tab)]);
  Page& front = *page(kTabIds[static_cast<std::size_t>(tab)]);
  const int loom = heights().value(0);
  m_lower.reset();
  m_tab = tab;
  showStrips();
  if (!m_folded) {
    m_down->parentWidget()->layout()->activate();
    const int all = m_down->height() - m_down->handleWidth();
    const int withSource = all + (m_source->isVisible() ? m_source->height() : 0);
    const int most = m_heightChosen ? all : withSource * (100 - kLowerOfPages) / 100;
    giveBelow(all - std::min(loom, most));
    if (!m_heightChosen) giveWanted();
  }
  behind.setInFront(false);
  front.setInFront(true);
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
  for (const auto& page : m_pages) page->showScene(scene);
  m_loomAndTime->showScene(scene);
  m_source->setScene(scene);
  m_transport->setScene(scene);
  if (scene.ready()) m_status->setText(describeMoment(scene.moment));
  saySelection();
  sayEmpty();
}

// Once for each recording, and for each baseline.
void MainWindow::sayEmpty() {
  const Scene &scene = m_services.explorer.scene(), &baseline = m_services.explorer.baseline();
  const bool same = scene.recording == m_emptyOf.lock() &&
                    baseline.recording == m_emptyBeside.lock() && baseline.ready() == m_emptyBoth;
  if (same) return;
  m_emptyBoth = baseline.ready();
  m_emptyOf = scene.recording;
  m_emptyBeside = baseline.recording;
  for (std::size_t i = 1; i < m_pages.size() && scene.ready(); ++i)
    m_below->bar().setEmpty(static_cast<int>(i) - 1, m_pages[i]->whyNothing());
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
  s.tiles = explorer.tiles();
  s.tiles.erase(s.state.stage);
  s.tab = currentPage();
  s.theme = m_sight->look();
  s.text = m_sight->textSize();
  s.ladderPanel = m_layouts->panelShown(SidePanel::Ladder);
  s.tilePanel = m_layouts->panelShown(SidePanel::Tile);
  s.timeStrip = timeShown();
  s.lower = lower();
  s.pace = m_transport->pace();
  for (const auto& page : m_pages) page->save(s);
  return s;
}

void MainWindow::restore(const Session& session) {
  m_sight->setLook(session.theme);
  if (session.text) m_sight->setTextSize(*session.text);
  Explorer& explorer = m_services.explorer;
  explorer.setPlaying(false);
  explorer.setTiles(session.tiles);
  m_services.lab.setAskedFor(true);
  explorer.setState(session.state);
  m_services.lab.setAskedFor(false);
  m_transport->setPace(session.pace);
  m_layouts->showPanel(SidePanel::Ladder, session.ladderPanel);
  m_layouts->showPanel(SidePanel::Tile, session.tilePanel);
  m_layouts->showTime(session.timeStrip);
  showPage(session.tab);
  setLower(session.lower);
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

bool MainWindow::explaining() const {
  return m_tile->explaining();
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

// Playing is driven by plain keys, which a focused slider, list or box needs for itself.
bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_down && event->type() == QEvent::Resize) {
    shareAsBeforeAlone();
    if (m_beforeAlone.isEmpty() && !m_below->isHidden()) shareOut();
  }
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
  // Any key except their own hides the loom's labels, also a shortcut.
  if ((event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride) &&
      isActiveWindow()) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (auto* loom = view<LoomView>(); loom != nullptr && loom->hinted() && key != Qt::Key_F1)
      loom->setHinted(false);
  }
  if (event->type() == QEvent::KeyPress && m_layouts->alone() && isActiveWindow() &&
      static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
    m_layouts->setAlone(false);
    return true;
  }
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::KeyPress)
    m_undo.beginGesture();
  if (event->type() == QEvent::MouseButtonPress || event->type() == QEvent::Shortcut)
    enterNumber(*watched);
  if (event->type() == QEvent::KeyPress) {
    // After a number is entered, keys control playback again.
    const int key = static_cast<QKeyEvent*>(event)->key();
    QWidget* focus = QApplication::focusWidget();
    const bool typing = qobject_cast<QAbstractSpinBox*>(focus) != nullptr ||
                        qobject_cast<QLineEdit*>(focus) != nullptr;
    const bool answering = typing && findChild<LecturePanel*>()->isAncestorOf(focus);
    if (typing && !answering && focus->window() == this &&
        (key == Qt::Key_Return || key == Qt::Key_Enter || key == Qt::Key_Escape)) {
      QWidget* loom = m_pages.front()->focusTarget();
      QTimer::singleShot(0, loom, [loom] { loom->setFocus(); });
    }
  }
  return QMainWindow::eventFilter(watched, event);
}

// A number typed in a box is entered before the next action: most tabs, lists and buttons, and the
// keys of the menus, do not take the keyboard focus.
void MainWindow::enterNumber(const QObject& next) {
  auto* box = qobject_cast<QAbstractSpinBox*>(QApplication::focusWidget());
  if (box == nullptr || box->window() != this) return;
  const auto* pressed = qobject_cast<const QWidget*>(&next);
  const bool elsewhere =
      !next.isWindowType() && pressed != box && (pressed == nullptr || !box->isAncestorOf(pressed));
  if (!elsewhere) return;
  box->interpretText();
  m_undo.beginGesture();  // the number is a separate undo step
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
  m_below->setMinimumWidth(std::clamp(kMiddleLetters * letter, kLeastMiddle, kMostMiddle));
  const int lines = height() / std::max(1, metrics.height());
  m_tile->setRungFirst(lines >= 60);
  // In a low window, pictures have priority over repeated texts.
  m_source->setLines(lines >= 30 ? 3 : lines >= 26 ? 1 : 0);
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
