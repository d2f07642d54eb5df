// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/folding_tabs.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QStyle>
#include <QStyleOptionTab>
#include <algorithm>

#include "viz/base/theme.h"
#include "viz/base/widgets/painted_view.h"

namespace tileloom {

FoldingTabBar::FoldingTabBar(QWidget* parent) : QTabBar(parent), m_menu(new QMenu(this)) {
  setElideMode(Qt::ElideRight);
  setExpanding(false);
  setUsesScrollButtons(false);
}

void FoldingTabBar::setFolded(bool folded) {
  if (folded == m_folded) return;
  m_folded = folded;
  showTabs();
}

int FoldingTabBar::arrowWidth() const {
  return 2 * fontMetrics().averageCharWidth();
}

int FoldingTabBar::padding(int tab) const {
  QStyleOptionTab option;
  QTabBar::initStyleOption(&option, tab);
  return style()->pixelMetric(QStyle::PM_TabBarTabHSpace, &option, this) / 2;
}

int FoldingTabBar::openWidth(const QString& text) const {
  if (count() == 0) return 0;
  const auto width = [this](const QString& t) {
    return fontMetrics().size(Qt::TextShowMnemonic, t).width();
  };
  // What the style adds to the letters of a tab.
  const int around = QTabBar::tabSizeHint(0).width() - width(tabText(0));
  return around + width(text);
}

int FoldingTabBar::foldedWidth(const QString& text) const {
  return openWidth(text) + arrowWidth();
}

QSize FoldingTabBar::tabSizeHint(int tab) const {
  QSize size = QTabBar::tabSizeHint(tab);
  if (m_folded) size.rwidth() += arrowWidth();
  return size;
}

// If not even one tab fits, its text is elided.
QSize FoldingTabBar::minimumTabSizeHint(int tab) const {
  if (!m_folded) return QTabBar::minimumTabSizeHint(tab);
  const QSize whole = tabSizeHint(tab);
  return {std::min(whole.width(), 4 * arrowWidth()), whole.height()};
}

void FoldingTabBar::initStyleOption(QStyleOptionTab* option, int tab) const {
  QTabBar::initStyleOption(option, tab);
  if (!m_folded) return;
  // Qt leaves 4 pixels between a text and the arrow on its right.
  option->rightButtonSize = {std::max(0, arrowWidth() - 4), option->rect.height()};
  option->position = QStyleOptionTab::OnlyOneTab;
  option->text = fontMetrics().elidedText(
      tabText(tab), elideMode(),
      style()->subElementRect(QStyle::SE_TabBarTabText, option, this).width(),
      Qt::TextShowMnemonic);
}

void FoldingTabBar::paintEvent(QPaintEvent* event) {
  QTabBar::paintEvent(event);
  if (!m_folded || currentIndex() < 0) return;
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const double letter = fontMetrics().averageCharWidth(), reach = letter * 0.5;
  const QRect whole = tabRect(currentIndex());
  const QRect arrow = QStyle::visualRect(
      layoutDirection(), whole,
      QRect(whole.right() + 1 - padding(currentIndex()) - static_cast<int>(letter), whole.top(),
            static_cast<int>(letter), whole.height()));
  const QPointF tip = QRectF(arrow).center() + QPointF(0, 0.5 + reach / 2);
  painter.setPen(hairline(Theme::of(palette()).soft, std::max(1.0, letter * 0.2)));
  painter.drawPolyline(
      QPolygonF({tip + QPointF(-reach, -reach), tip, tip + QPointF(reach, -reach)}));
}

void FoldingTabBar::showTabs() {
  if (m_showing || count() == 0) return;
  m_showing = true;
  const int front = currentIndex();
  const auto [first, end] = range();
  const auto shown = [this, front, first = first, end = end](int tab) {
    return m_folded ? tab == front : tab >= first && tab < end;
  };
  // Qt would select another tab if the current one were hidden for a moment.
  for (const bool visible : {true, false}) {
    for (int tab = 0; tab < count(); ++tab) {
      if (shown(tab) == visible && isTabVisible(tab) != visible) setTabVisible(tab, visible);
    }
  }
  if (front >= 0) setTabText(front, tabText(front));  // Qt lays out the tabs again
  m_showing = false;
}

void FoldingTabBar::openMenu(int tab) {
  if (tab < 0) tab = currentIndex();
  m_menu->clear();
  QAction* usual = fillMenu(*m_menu, tab);
  m_menu->setDefaultAction(usual);
  const QRect below = tabRect(tab);
  m_menu->popup(
      mapToGlobal(layoutDirection() == Qt::LeftToRight ? below.bottomLeft() : below.bottomRight()));
  m_menu->setActiveAction(usual);
}

void FoldingTabBar::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return event->ignore();
  const int tab = tabAt(event->position().toPoint());
  if (m_folded && tab >= 0) return openMenu(tab);
  QTabBar::mousePressEvent(event);
}

void FoldingTabBar::contextMenuEvent(QContextMenuEvent* event) {
  openMenu(event->reason() == QContextMenuEvent::Keyboard ? currentIndex() : tabAt(event->pos()));
}

bool FoldingTabBar::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    // With the focus here these keys choose a tab instead of stepping the playback.
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Left || key == Qt::Key_Right || key == Qt::Key_Down) {
      event->accept();
      return true;
    }
  }
  return QTabBar::event(event);
}

void FoldingTabBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Down) return openMenu(currentIndex());
  if (m_folded && (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right)) {
    // The neighbours are hidden, and Qt would find none.
    const bool onwards = (event->key() == Qt::Key_Right) == (layoutDirection() == Qt::LeftToRight);
    return setCurrentIndex(std::clamp(currentIndex() + (onwards ? 1 : -1), 0, count() - 1));
  }
  QTabBar::keyPressEvent(event);
}

}  // namespace tileloom
