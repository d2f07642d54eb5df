// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/page_tabs.h"
#include "app/window/common/actions.h"

#include <QAction>
#include <QEvent>
#include <QMenu>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <algorithm>

#include "app/window/frame/tab_folding.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

// Of an empty page.
QColor greyOf(const Theme& theme) {
  return Theme::mix(theme.text, theme.ground, 0.5);
}

}  // namespace

PageTabBar::PageTabBar(QWidget* parent) : FoldingTabBar(parent) {
  connect(this, &QTabBar::currentChanged, this, &PageTabBar::turnTo);
}

void PageTabBar::addGroup(const QString& title, const QString& tip) {
  const int first = static_cast<int>(m_tabs.size());
  m_groups.push_back({title, tip, first, 0, first});
}

void PageTabBar::adopt(const QString& tip, QAction& show) {
  const int tab = static_cast<int>(m_tabs.size());
  m_tabs.push_back({m_groups.size() - 1, tabText(tab), tip, {}, &show});
  ++m_groups.back().count;
  // The user may change its key.
  connect(&show, &QAction::changed, this, [this, tab] {
    describe(tab);
    emit groupsDescribed();
  });
  describe(tab);
  showTabs();
}

void PageTabBar::setEmpty(int tab, const QString& why) {
  Tab& page = m_tabs[static_cast<std::size_t>(tab)];
  if (page.why == why) return;
  page.why = why;
  describe(tab);
  emit groupsDescribed();
}

bool PageTabBar::empty(const Group& group) const {
  for (int tab = group.first; tab < group.first + group.count; ++tab) {
    if (at(tab).why.isEmpty()) return false;
  }
  return group.count > 0;
}

int PageTabBar::widthOf(const Group& group) const {
  int all = 0;
  for (int tab = group.first; tab < group.first + group.count; ++tab)
    all += openWidth(at(tab).title);
  return all;
}

int PageTabBar::widestFolded() const {
  int widest = 0;
  for (const Tab& tab : m_tabs) widest = std::max(widest, foldedWidth(tab.title));
  return widest;
}

std::pair<int, int> PageTabBar::range() const {
  if (m_group >= m_groups.size()) return {0, count()};
  const Group& group = m_groups[m_group];
  return {group.first, group.first + group.count};
}

void PageTabBar::turnTo(int tab) {
  if (showing() || tab < 0 || static_cast<std::size_t>(tab) >= m_tabs.size()) return;
  m_group = at(tab).group;
  m_groups[m_group].latest = tab;
  showTabs();
  for (int i = 0; i < static_cast<int>(m_tabs.size()); ++i) describe(i);
  emit groupTurned();
}

void PageTabBar::describe(int tab) {
  const Tab& page = at(tab);
  const QString tip = named(tab).replace(0, page.title.size(), page.tip);
  setTabToolTip(tab,
                page.why.isEmpty() ? tip : tr("%1\nNothing to show here: %2").arg(tip, page.why));
  setTabTextColor(tab, page.why.isEmpty() ? QColor() : greyOf(Theme::of(palette())));
  // Without a name, screen readers read the text.
  setAccessibleTabName(
      tab, folded() ? tr("%1, one of %2 pages").arg(page.title).arg(m_groups[page.group].count)
                    : QString());
}

QString PageTabBar::named(int tab) const {
  const QAction* show = at(tab).show;
  const QString keys =
      show != nullptr ? show->shortcut().toString(QKeySequence::NativeText) : QString();
  return keys.isEmpty() ? at(tab).title : tr("%1 (%2)").arg(at(tab).title, keys);
}

QString PageTabBar::tipOf(const Group& group) const {
  QStringList names;
  for (int tab = group.first; tab < group.first + group.count; ++tab) names += named(tab);
  return tr("%1\n%2").arg(group.tip, names.join(tr(", ")));
}

void PageTabBar::addGroupMenus(QMenu& menu) const {
  for (const Group& group : m_groups) addPages(addFolded(menu, group.title), group);
}

void PageTabBar::addPages(QMenu& menu) const {
  for (const Group& group : m_groups) {
    menu.addSection(group.title);
    addPages(menu, group);
  }
}

void PageTabBar::addPages(QMenu& menu, const Group& group) const {
  for (int page = group.first; page < group.first + group.count; ++page) {
    if (at(page).show != nullptr) menu.addAction(at(page).show);
  }
}

QAction* PageTabBar::fillMenu(QMenu& menu, int tab) {
  if (folded()) {
    addPages(menu, m_groups[m_group]);
  } else {
    addPages(menu);
  }
  return tab >= 0 ? at(tab).show.data() : nullptr;
}

void PageTabBar::changeEvent(QEvent* event) {
  FoldingTabBar::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (int tab = 0; tab < static_cast<int>(m_tabs.size()); ++tab) describe(tab);
}

GroupTabBar::GroupTabBar(PageTabBar& pages) : m_pages(pages) {
  setDocumentMode(true);
  setFocusPolicy(Qt::TabFocus);
}

int GroupTabBar::gap() const {
  return fontMetrics().averageCharWidth() * 3 / 2;
}

int GroupTabBar::allWidth() const {
  int all = gap();
  for (int tab = 0; tab < count(); ++tab) all += openWidth(tabText(tab));
  return all;
}

// One width for all titles: the rest keeps its place.
int GroupTabBar::oneWidth() const {
  int widest = 0;
  for (int tab = 0; tab < count(); ++tab) widest = std::max(widest, foldedWidth(tabText(tab)));
  return gap() + widest;
}

QSize GroupTabBar::tabSizeHint(int tab) const {
  QSize size = FoldingTabBar::tabSizeHint(tab);
  if (folded()) size.setWidth(oneWidth() - gap());
  return size;
}

QSize GroupTabBar::sizeHint() const {
  return {folded() ? oneWidth() : allWidth(), QTabBar::sizeHint().height()};
}

void GroupTabBar::describe() {
  showTabs();  // if it is folded, that of the group in front alone
  const auto& groups = m_pages.groups();
  for (int tab = 0; tab < count(); ++tab) {
    const PageTabBar::Group& group = groups[static_cast<std::size_t>(tab)];
    setTabToolTip(tab, m_pages.tipOf(group));
    setTabTextColor(tab, m_pages.empty(group) ? greyOf(Theme::of(palette())) : QColor());
    setAccessibleTabName(tab, tr("%1, %2 pages").arg(group.title).arg(group.count));
  }
}

QAction* GroupTabBar::fillMenu(QMenu& menu, int tab) {
  if (folded() || tab < 0) {
    m_pages.addPages(menu);
    return m_pages.show(m_pages.currentIndex());
  }
  const PageTabBar::Group& group = m_pages.groups()[static_cast<std::size_t>(tab)];
  m_pages.addPages(menu, group);
  return m_pages.show(group.latest);
}

PageTabs::PageTabs(QWidget* parent)
    : QTabWidget(parent), m_bar(new PageTabBar), m_groups(new GroupTabBar(*m_bar)) {
  setTabBar(m_bar);
  setCornerWidget(m_groups, Qt::TopLeftCorner);
  connect(m_bar, &PageTabBar::groupTurned, this, &PageTabs::arrange);
  connect(m_bar, &PageTabBar::groupsDescribed, m_groups, &GroupTabBar::describe);
  connect(m_groups, &QTabBar::currentChanged, this, [this](int group) {
    if (group >= 0) setCurrentIndex(m_bar->groups()[static_cast<std::size_t>(group)].latest);
  });
  connect(m_groups, &QTabBar::tabBarClicked, this, [this](int group) {
    if (group >= 0) emit groupClicked();
  });
}

void PageTabs::addGroup(const QString& title, const QString& tip) {
  m_bar->addGroup(title, tip);
  const QSignalBlocker filling(m_groups);
  m_groups->addTab(title);
}

void PageTabs::addPage(QWidget* page, const QString& title, const QString& tip, QAction& show) {
  addTab(page, title);
  m_bar->adopt(tip, show);
  arrange();
}

void PageTabs::showBars(bool shown) {
  m_bar->setVisible(shown);
  m_groups->setVisible(shown);
}

void PageTabs::arrange() {
  if (m_bar->groups().empty()) return;
  {
    const QSignalBlocker following(m_groups);
    m_groups->setCurrentIndex(static_cast<int>(m_bar->group()));
  }
  const TabFolding folding =
      foldTabs({width(), m_groups->allWidth(), m_groups->oneWidth(),
                m_bar->widthOf(m_bar->groups()[m_bar->group()]), m_bar->widestFolded()});
  m_groups->setFolded(folding.groups);
  m_bar->setFolded(folding.pages);
  m_groups->describe();
  // Qt lays the bars out when it is resized.
  QResizeEvent same(size(), size());
  QTabWidget::resizeEvent(&same);
}

void PageTabs::resizeEvent(QResizeEvent* event) {
  QTabWidget::resizeEvent(event);
  arrange();
}

void PageTabs::showEvent(QShowEvent* event) {
  QTabWidget::showEvent(event);
  arrange();
}

void PageTabs::changeEvent(QEvent* event) {
  QTabWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) arrange();
}

}  // namespace tileloom
