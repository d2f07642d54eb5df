// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/loom_and_pages.h"

#include <QAction>
#include <QCoreApplication>
#include <QEvent>
#include <QLabel>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>

#include "app/pages/compare/pair_line.h"
#include "app/pages/page_groups.h"
#include "app/services/choice/comparison.h"
#include "app/services/services.h"
#include "app/session/page_ids.h"
#include "app/session/view_state.h"
#include "app/window/common/actions.h"
#include "app/window/common/palette_words.h"
#include "app/window/frame/loom_and_time.h"
#include "app/window/frame/page_tabs.h"
#include "app/window/frame/view_in.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/labels.h"
#include "viz/code/source_strip.h"
#include "viz/loom/loom_view.h"

namespace tileloom {
namespace {

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

LoomAndPages::LoomAndPages(const Pages& pages, Services& services, Comparison& comparison,
                           int height)
    : m_pages(pages), m_services(services) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  m_faults = new QLabel;
  m_faults->setObjectName(QStringLiteral("faults"));
  m_faults->setWordWrap(true);
  m_faults->setMargin(8);
  m_faults->setTextInteractionFlags(Qt::TextSelectableByMouse);
  m_faults->hide();
  column->addWidget(m_faults);
  m_pair = new PairLine(comparison, PairLine::Closing::ByButton);
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
  makeBelow();
  m_down->addWidget(m_below);
  m_down->setStretchFactor(0, 2);
  m_down->setStretchFactor(1, 1);
  m_down->setChildrenCollapsible(false);
  m_down->setHandleWidth(1);
  // An estimate of the height without menus, transport bar and source line.
  const int room = height - 164, below = room * usualLower(room) / 100;
  m_down->setSizes({room - below, below});
  connect(m_down, &QSplitter::splitterMoved, this, [this] {
    m_beforeAlone.clear();
    m_lower.reset();
    m_heightChosen = true;
  });
  column->addWidget(m_down, 1);
  column->addWidget(m_source);
  m_down->installEventFilter(this);
  connect(&comparison, &Comparison::titlesChanged, this, [this](const QString& baseline) {
    const bool comparing = !baseline.isEmpty();
    const bool begins = comparing && !m_comparing;
    m_comparing = comparing;
    // A height that the user or a session has chosen stays, whichever answer comes first.
    if (begins && !m_heightChosen) giveWanted();
  });
}

LoomAndPages::~LoomAndPages() {
  // Tabs turn and splitters move while they are deleted.
  for (QObject* child : findChildren<QObject*>()) child->disconnect(this);
}

void LoomAndPages::makeBelow() {
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
      show->setShortcut(keyOf(*row));
      // The command palette searches this, and keys are kept by it.
      show->setWhatsThis(tr("%1: %2").arg(group.title, tip));
      show->setProperty(kAlsoFoundBy, wordsOfPage(row->id));
      show->setProperty(kLastingName, QStringLiteral("page:%1").arg(QLatin1String(row->id)));
      show->setProperty(kEarlierText, QString::fromUtf8(row->earlierMenu));
      connect(show, &QAction::triggered, this, [this, row] { showPage(row->id); });
      m_below->addPage(pageOf(m_pages, row->id)->widget(), pageTitle(*row), tip, *show);
    }
  }
  connect(m_below, &QTabWidget::currentChanged, this, &LoomAndPages::turnTo);
  // A click on a tab unfolds the lower half; a click on the current tab folds it.
  connect(m_below, &QTabWidget::tabBarClicked, this, [this](int tab) {
    if (tab >= 0) setFolded(!m_folded && tab == m_tab);
  });
  connect(m_below, &PageTabs::groupClicked, this, [this] { setFolded(false); });
}

void LoomAndPages::showPage(std::string_view id) {
  const Page* wanted = pageOf(m_pages, id);
  if (wanted == nullptr || wanted->row().place != PagePlace::Below) return;
  m_below->setCurrentWidget(wanted->widget());
  // The first start hides them. They need the room of its notes.
  if (m_below->isHidden() && !m_alone) {
    viewIn<LoomView>(*m_loomAndTime)->setHinted(false);
    showPages(true);
  }
  if (m_folded) setFolded(false);
}

void LoomAndPages::setFolded(bool folded) {
  if (folded == m_folded) return;
  if (folded) m_unfolded = heights().value(1);
  m_lower.reset();
  if (!m_below->isHidden()) m_beforeAlone.clear();
  m_folded = folded;
  // A page takes room from the loom: the notes of the first start would cover the loom.
  if (!folded) viewIn<LoomView>(*m_loomAndTime)->setHinted(false);
  const int bar = m_bars ? m_below->tabBar()->sizeHint().height() : 0;
  m_below->setMinimumHeight(folded ? bar : kLeastBelow);
  m_below->setMaximumHeight(folded ? bar : QWIDGETSIZE_MAX);
  showStrips();
  if (!folded && m_unfolded > 0) giveBelow(m_unfolded);
  emit foldedChanged(folded);
}

void LoomAndPages::setLower(int percent) {
  setFolded(percent == 0);
  if (percent == 0) return;
  m_lower = percent;
  m_heightChosen = percent != kUsualLower;
  shareOut();
}

void LoomAndPages::shareOut() {
  if (!m_lower || m_folded) return;
  const int all = m_down->height();
  giveBelow(all * (*m_lower == kUsualLower ? usualLower(all) : *m_lower) / 100);
  if (*m_lower == kUsualLower) giveWanted();
}

void LoomAndPages::giveBelow(int pixels) {
  const QList<int> sizes = {m_down->height() - m_down->handleWidth() - pixels, pixels};
  m_down->setSizes(sizes);
  m_beforeAlone = m_below->isHidden() ? sizes : QList<int>();
}

// A page whose present content needs more height than most pages.
void LoomAndPages::giveWanted() {
  const Page& front = *pageOf(m_pages, currentPage());
  if (m_folded || m_below->isHidden() || front.heightWanted() == 0) return;
  const int wanted = std::min(front.heightWanted() + m_below->tabBar()->height(),
                              m_down->height() * kMostLower / 100);
  if (heights().value(1) < wanted) giveBelow(wanted);
}

int LoomAndPages::lower() const {
  if (m_folded) return 0;
  // What was asked for, also where it has no room: a session that is opened and saved is the same.
  if (m_lower) return *m_lower;
  const QList<int> sizes = heights();
  const int all = sizes.value(0) + sizes.value(1);
  return all > 0 ? std::clamp((100 * sizes.value(1) + all / 2) / all, 1, kMostLower) : kUsualLower;
}

void LoomAndPages::fitToContent() {
  m_lower.reset();
  giveWanted();
}

void LoomAndPages::setAlone(bool alone) {
  m_alone = alone;
  showPages(!alone);
}

void LoomAndPages::showBars(bool shown) {
  m_bars = shown;
  m_below->showBars(shown);
  if (m_folded) {
    m_folded = false;
    setFolded(true);
  }
  showStrips();
}

void LoomAndPages::showPages(bool shown) {
  const bool alone = m_below->isHidden();
  if (!shown && !alone && !m_folded) m_beforeAlone = m_down->sizes();
  m_below->setVisible(shown);
  if (shown && alone) shareAsBeforeAlone();
  showStrips();
}

void LoomAndPages::showStrips() {
  const PageRow& row = pageOf(m_pages, currentPage())->row();
  const bool below = !m_below->isHidden();
  m_source->setVisible(below && (m_folded || !row.hidesSourceStrip));
  m_pair->setNeeded(m_bars && below && (m_folded || !row.saysWhatAPairTeaches));
  m_loomAndTime->setNeeded(!below || m_folded || !row.hidesTimeStrip);
}

void LoomAndPages::showTime(bool shown) {
  m_loomAndTime->setWanted(shown);
}

bool LoomAndPages::timeShown() const {
  return m_loomAndTime->wanted();
}

void LoomAndPages::awaitTime() {
  m_loomAndTime->prepare();
}

void LoomAndPages::centreTime() {
  m_loomAndTime->centre();
}

QList<int> LoomAndPages::heights() const {
  return m_below->isHidden() && !m_beforeAlone.isEmpty() ? m_beforeAlone : m_down->sizes();
}

void LoomAndPages::shareAsBeforeAlone() {
  if (m_beforeAlone.size() != 2 || m_below->isHidden() || m_folded) return;
  const int before = m_beforeAlone[0] + m_beforeAlone[1];
  const int all = m_down->height() - m_down->handleWidth();
  const int below = before > 0 ? all * m_beforeAlone[1] / before : 0;
  m_down->setSizes({all - below, below});
  if (all == before) m_beforeAlone.clear();
}

std::string_view LoomAndPages::currentPage() const {
  return kTabIds[static_cast<std::size_t>(m_below->currentIndex())];
}

Page& LoomAndPages::pageWith(const QWidget* widget) const {
  const bool below = widget != nullptr && (widget == m_below || m_below->isAncestorOf(widget));
  return below ? *pageOf(m_pages, currentPage()) : *m_pages.front();
}

QSizeF LoomAndPages::roomOf(const Page& page) const {
  return page.row().place == PagePlace::Below ? m_below->currentWidget()->size()
                                              : page.focusTarget()->size();
}

// The row of tabs stays where it is, so that the next click meets it: a page that hides the lines
// of source takes their room itself. A page takes more height only until the user has chosen one.
// The pages after it keep that height.
void LoomAndPages::turnTo(int tab) {
  Page& behind = *pageOf(m_pages, kTabIds[static_cast<std::size_t>(m_tab)]);
  Page& front = *pageOf(m_pages, kTabIds[static_cast<std::size_t>(tab)]);
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

void LoomAndPages::showFaults(const emulator::FaultLog& faults) {
  m_faults->setVisible(!faults.empty());
  if (faults.empty()) return;
  QString text = QString::fromStdString(emulator::describe(faults.kept.front()));
  if (faults.total > 1) text += tr(" (and %1 more)").arg(faults.total - 1);
  m_faults->setText(tr("Fault: %1").arg(text));
  setInk(*m_faults, Ink::Trouble);
}

void LoomAndPages::showScene(const Scene& scene) {
  for (const auto& page : m_pages) page->showScene(scene);
  m_loomAndTime->showScene(scene);
  m_source->setScene(scene);
  sayEmpty();
}

void LoomAndPages::showBaseline(const Scene& scene) {
  for (const auto& page : m_pages) page->showBaseline(scene);
  sayEmpty();
}

void LoomAndPages::setStill(bool still) {
  for (const auto& page : m_pages) page->setStill(still);
  m_loomAndTime->setStill(still);
}

void LoomAndPages::fit(int letter, int lines) {
  m_below->setMinimumWidth(std::clamp(kMiddleLetters * letter, kLeastMiddle, kMostMiddle));
  // In a low window, pictures have priority over repeated texts.
  m_source->setLines(lines >= 30 ? 3 : lines >= 26 ? 1 : 0);
}

bool LoomAndPages::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_down && event->type() == QEvent::Resize) {
    shareAsBeforeAlone();
    if (m_beforeAlone.isEmpty() && !m_below->isHidden()) shareOut();
  }
  return QWidget::eventFilter(watched, event);
}

// Once for each recording, and for each baseline.
void LoomAndPages::sayEmpty() {
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

}  // namespace tileloom
