// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_tabs.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QHoverEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionTab>
#include <algorithm>
#include <numeric>

#include "viz/base/painted_view.h"
#include "viz/base/theme.h"

namespace tileloom {
namespace {

// Of a page that has nothing to show.
QColor greyOf(const Theme& theme) {
  return Theme::mix(theme.text, theme.ground, 0.5);
}

}  // namespace

PageTabBar::PageTabBar(QWidget* parent) : QTabBar(parent), m_menu(new QMenu(this)) {
  // Names are cut off, and tabs scrolled, only where one tab alone is too wide.
  setElideMode(Qt::ElideRight);
  setUsesScrollButtons(true);
  connect(this, &QTabBar::currentChanged, this, &PageTabBar::turnTo);
}

void PageTabBar::addGroup(const QString& title, const QString& tip) {
  const int first = static_cast<int>(m_tabs.size());
  m_recent.push_back(m_groups.size());
  m_groups.push_back({title, tip, first, 0, first});
}

void PageTabBar::adopt(const QString& tip, QAction& show) {
  const int tab = static_cast<int>(m_tabs.size());
  m_tabs.push_back({m_groups.size() - 1, tabText(tab), tip, {}, &show});
  ++m_groups.back().count;
  // The person may give it another key.
  connect(&show, &QAction::changed, this, [this] {
    for (int i = 0; i < static_cast<int>(m_tabs.size()); ++i) describe(i);
  });
  m_folding = {std::vector(m_groups.size(), TabGroupState::Open)};
  if (isVisible()) fold();  // it has no width before
}

void PageTabBar::setEmpty(int tab, const QString& why) {
  Tab& page = m_tabs[static_cast<std::size_t>(tab)];
  if (page.why == why) return;
  page.why = why;
  describe(tab);
}

bool PageTabBar::folded(int tab) const {
  return isTabVisible(tab) && pages(tab) > 1;
}

bool PageTabBar::pooled(int tab) const {
  return stateOf(tab) == TabGroupState::Pooled && !m_folding.single;
}

bool PageTabBar::lists(int tab, std::size_t group) const {
  if (m_folding.single || stateOf(tab) == TabGroupState::Open) return true;
  return pooled(tab) ? m_folding.groups[group] == TabGroupState::Pooled : group == at(tab).group;
}

int PageTabBar::pages(int tab) const {
  if (stateOf(tab) == TabGroupState::Open) return 1;
  int all = 0;
  for (std::size_t group = 0; group < m_groups.size(); ++group)
    all += lists(tab, group) ? m_groups[group].count : 0;
  return all;
}

int PageTabBar::gap() const {
  return fontMetrics().averageCharWidth();
}

int PageTabBar::padding(int tab) const {
  QStyleOptionTab option;
  QTabBar::initStyleOption(&option, tab);
  return style()->pixelMetric(QStyle::PM_TabBarTabHSpace, &option, this) / 2;
}

int PageTabBar::markWidth(int pages) const {
  if (pages < 2) return 0;
  const QFontMetrics metrics = fontMetrics();
  // A space, the number, half a space, the arrow.
  return metrics.horizontalAdvance(QString::number(pages)) + 3 * metrics.averageCharWidth();
}

int PageTabBar::spaceBefore(int tab) const {
  if (tab == m_first) return 0;
  return stateOf(tab) != TabGroupState::Open || tab == groupOf(tab).first ? gap() : 0;
}

int PageTabBar::widthOf(const QString& text) const {
  return fontMetrics().size(Qt::TextShowMnemonic, text).width();
}

QSize PageTabBar::tabSizeHint(int tab) const {
  QSize size = QTabBar::tabSizeHint(tab);
  if (static_cast<std::size_t>(tab) < m_tabs.size())
    size.rwidth() += markWidth(pages(tab)) + spaceBefore(tab);
  return size;
}

void PageTabBar::initStyleOption(QStyleOptionTab* option, int tab) const {
  QTabBar::initStyleOption(option, tab);
  if (static_cast<std::size_t>(tab) >= m_tabs.size()) return;
  const Qt::LayoutDirection direction = layoutDirection();
  option->rect =
      QStyle::visualRect(direction, option->rect, option->rect.adjusted(spaceBefore(tab), 0, 0, 0));
  // Qt leaves 4 pixels between a text and what stands on its right.
  if (const int mark = markWidth(pages(tab)); mark > 4) {
    option->rightButtonSize = {mark - 4, option->rect.height()};
    option->text = fontMetrics().elidedText(
        tabText(tab), elideMode(),
        style()->subElementRect(QStyle::SE_TabBarTabText, option, this).width(),
        Qt::TextShowMnemonic);
  }
  // A tab reaches below its neighbour's edge, unless a gap follows.
  const Group& group = groupOf(tab);
  const bool alone = stateOf(tab) != TabGroupState::Open;
  const bool first = alone || tab == group.first;
  const bool last = alone || tab == group.first + group.count - 1;
  option->position = first && last ? QStyleOptionTab::OnlyOneTab
                     : first       ? QStyleOptionTab::Beginning
                     : last        ? QStyleOptionTab::End
                                   : QStyleOptionTab::Middle;
}

QRect PageTabBar::arrow(int tab) const {
  if (!folded(tab)) return {};
  const QRect whole = tabRect(tab);
  if (pooled(tab)) return whole;  // no page is the obvious one
  const int width = std::min(whole.width(), markWidth(pages(tab)) + padding(tab));
  return QStyle::visualRect(layoutDirection(), whole,
                            whole.adjusted(whole.width() - width, 0, 0, 0));
}

void PageTabBar::paintEvent(QPaintEvent* event) {
  QTabBar::paintEvent(event);
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const Theme theme = Theme::of(palette());
  const int letter = fontMetrics().averageCharWidth();
  for (int tab = 0; tab < count(); ++tab) {
    if (!folded(tab)) continue;
    const QRect whole = tabRect(tab);
    const auto place = [&](int fromRight, int width) {
      const int left = whole.right() + 1 - padding(tab) - fromRight;
      return QStyle::visualRect(layoutDirection(), whole,
                                QRect(left, whole.top(), width, whole.height()));
    };
    const QColor ink = tab == m_hovered ? theme.text : theme.soft;
    painter.setPen(ink);
    const int number = markWidth(pages(tab)) - 3 * letter;
    painter.drawText(place(number + 2 * letter, number), Qt::AlignCenter,
                     QString::number(pages(tab)));
    const QRectF arrow = place(letter, letter);
    const double reach = letter * 0.5;
    const QPointF tip = arrow.center() + QPointF(0, 0.5 + reach / 2);
    painter.setPen(hairline(ink, std::max(1.0, letter * 0.2)));
    painter.drawPolyline(
        QPolygonF({tip + QPointF(-reach, -reach), tip, tip + QPointF(reach, -reach)}));
  }
}

void PageTabBar::turnTo(int tab) {
  if (tab < 0 || static_cast<std::size_t>(tab) >= m_tabs.size()) return;
  const std::size_t group = at(tab).group;
  m_groups[group].latest = tab;
  const auto place = std::ranges::find(m_recent, group);
  std::rotate(m_recent.begin(), place, place + 1);
  fold();
}

void PageTabBar::fold() {
  if (m_busy || m_tabs.empty()) return;
  // What the style adds to the letters of a tab.
  const int around = QTabBar::tabSizeHint(0).width() - widthOf(tabText(0));
  std::vector<TabGroupWidths> widths;
  for (const Group& group : m_groups) {
    TabGroupWidths both;
    for (int tab = group.first; tab < group.first + group.count; ++tab)
      both.open += around + widthOf(at(tab).title);
    both.folded =
        group.count < 2 ? both.open : around + widthOf(group.title) + markWidth(group.count);
    widths.push_back(both);
  }
  const int pooled = around + widthOf(tr("More")) + markWidth(static_cast<int>(m_tabs.size()));
  show(foldTabs(widths, m_recent, {width(), gap(), pooled}));
}

void PageTabBar::show(const TabFolding& folding) {
  m_busy = true;
  m_folding = folding;
  const int front = currentIndex(), all = static_cast<int>(m_tabs.size());
  int pool = -1;  // the tab that pooled groups share
  for (int tab = 0; tab < all; ++tab) {
    if (pooled(tab) && tab == groupOf(tab).latest) pool = tab;
  }
  const auto shown = [this, front, pool](int tab) {
    if (m_folding.single) return tab == front;
    if (pooled(tab)) return tab == pool;
    return stateOf(tab) == TabGroupState::Open || tab == groupOf(tab).latest;
  };
  // Qt would turn to another page if the tab in front were hidden for a moment.
  for (const bool visible : {true, false}) {
    for (int tab = 0; tab < all; ++tab) {
      if (shown(tab) == visible && isTabVisible(tab) != visible) setTabVisible(tab, visible);
    }
  }
  for (m_first = 0; m_first < all - 1 && !isTabVisible(m_first);) ++m_first;
  for (int tab = 0; tab < all; ++tab) describe(tab);
  setTabText(front, tabText(front));  // Qt places the tabs anew
  m_busy = false;
}

void PageTabBar::describe(int tab) {
  const bool stands = folded(tab);
  // The tab in front says which page is in front.
  const bool byGroup = stands && !m_folding.single;
  const QString text = !byGroup ? at(tab).title : pooled(tab) ? tr("More") : groupOf(tab).title;
  if (tabText(tab) != text) setTabText(tab, text);
  setTabToolTip(tab, tipOf(tab));
  // A folded tab stands for other pages, too.
  const bool grey = !stands && !at(tab).why.isEmpty();
  setTabTextColor(tab, grey ? greyOf(Theme::of(palette())) : QColor());
  // Where there is no name, screen readers say the text.
  setAccessibleTabName(tab, !stands   ? QString()
                            : byGroup ? tr("%1, %2 pages").arg(text).arg(pages(tab))
                                      : tr("%1, one of %2 pages").arg(text).arg(pages(tab)));
}

QString PageTabBar::named(int tab) const {
  const QAction* show = at(tab).show;
  const QString keys =
      show != nullptr ? show->shortcut().toString(QKeySequence::NativeText) : QString();
  return keys.isEmpty() ? at(tab).title : tr("%1 (%2)").arg(at(tab).title, keys);
}

// Of a page what it shows and its key; of a folded tab its pages with their keys.
QString PageTabBar::tipOf(int tab) const {
  const Tab& page = at(tab);
  if (!folded(tab)) {
    const QString tip = named(tab).replace(0, page.title.size(), page.tip);
    return page.why.isEmpty() ? tip : tr("%1\nNothing to show here: %2").arg(tip, page.why);
  }
  QStringList lines;
  for (std::size_t i = 0; i < m_groups.size(); ++i) {
    if (!lists(tab, i)) continue;
    const Group& group = m_groups[i];
    QStringList names;
    for (int other = group.first; other < group.first + group.count; ++other) names += named(other);
    lines += tr("%1: %2").arg(group.title, names.join(tr(", ")));
  }
  if (stateOf(tab) == TabGroupState::Folded) {
    lines.prepend(groupOf(tab).tip);
    lines += tr("A click shows %1, the arrow lists them all.").arg(page.title);
  }
  return lines.join(u'\n');
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

void PageTabBar::openMenu(int tab) {
  if (tab < 0) tab = currentIndex();
  m_menu->clear();
  const bool one = folded(tab) && stateOf(tab) == TabGroupState::Folded;
  for (std::size_t group = 0; group < m_groups.size(); ++group) {
    if (!lists(tab, group)) continue;
    if (!one) m_menu->addSection(m_groups[group].title);
    addPages(*m_menu, m_groups[group]);
  }
  // What a click on the tab itself would show, or what is in front.
  QAction* usual = at(tab).show;
  m_menu->setDefaultAction(usual);
  const QRect below = tabRect(tab);
  m_menu->popup(
      mapToGlobal(layoutDirection() == Qt::LeftToRight ? below.bottomLeft() : below.bottomRight()));
  m_menu->setActiveAction(usual);
}

void PageTabBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  const QPoint place = event->position().toPoint();
  const int tab = tabAt(place);
  if (tab >= 0 && arrow(tab).contains(place)) return openMenu(tab);
  QTabBar::mousePressEvent(event);
}

void PageTabBar::contextMenuEvent(QContextMenuEvent* event) {
  openMenu(event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : tabAt(event->pos()));
}

bool PageTabBar::event(QEvent* event) {
  switch (event->type()) {
    case QEvent::ShortcutOverride: {
      // With the focus here these keys choose a page, and do not play.
      const int key = static_cast<QKeyEvent*>(event)->key();
      if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Down) {
        event->accept();
        return true;
      }
      break;
    }
    case QEvent::HoverMove:
    case QEvent::HoverEnter:
    case QEvent::HoverLeave: {
      const QPoint place = static_cast<QHoverEvent*>(event)->position().toPoint();
      const int tab = event->type() == QEvent::HoverLeave ? -1 : tabAt(place);
      const int hovered = tab >= 0 && arrow(tab).contains(place) ? tab : -1;
      if (hovered != m_hovered) update();
      m_hovered = hovered;
      break;
    }
    default:
      break;
  }
  return QTabBar::event(event);
}

void PageTabBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Down) return openMenu(currentIndex());
  if (m_folding.single && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
    // The neighbours are hidden, and Qt would find none.
    const bool onwards = (event->key() == Qt::Key_Right) == (layoutDirection() == Qt::LeftToRight);
    return setCurrentIndex(std::clamp(currentIndex() + (onwards ? 1 : -1), 0, count() - 1));
  }
  QTabBar::keyPressEvent(event);
}

void PageTabBar::changeEvent(QEvent* event) {
  QTabBar::changeEvent(event);
  if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fold();
  if (event->type() == QEvent::PaletteChange) {
    for (int tab = 0; tab < static_cast<int>(m_tabs.size()); ++tab) describe(tab);
  }
}

void PageTabBar::resizeEvent(QResizeEvent* event) {
  QTabBar::resizeEvent(event);
  fold();
}

void PageTabBar::showEvent(QShowEvent* event) {
  fold();
  QTabBar::showEvent(event);
}

PageTabs::PageTabs(QWidget* parent) : QTabWidget(parent), m_bar(new PageTabBar) {
  setTabBar(m_bar);
}

void PageTabs::addPage(QWidget* page, const QString& title, const QString& tip, QAction& show) {
  addTab(page, title);
  m_bar->adopt(tip, show);
}

}  // namespace tileloom
