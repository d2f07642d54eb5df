// SPDX-License-Identifier: GPL-3.0-or-later
// A bar of tabs that can fold to one: the tab in front with an arrow, and a press lists the others
// in a menu.
#pragma once

#include <QTabBar>

class QMenu;

namespace tileloom {

class FoldingTabBar : public QTabBar {
  Q_OBJECT
 public:
  explicit FoldingTabBar(QWidget* parent = nullptr);

  void setFolded(bool folded);
  bool folded() const { return m_folded; }
  // Width in pixels of a tab with this text, or of a folded tab.
  int openWidth(const QString& text) const;
  int foldedWidth(const QString& text) const;

  // Opens the menu of a folded tab; -1: the current tab.
  void openMenu(int tab);
  QMenu& menu() { return *m_menu; }

 protected:
  // The entries, and the one that a click on the tab would be.
  virtual QAction* fillMenu(QMenu& menu, int tab) = 0;

  QSize tabSizeHint(int tab) const override;
  QSize minimumTabSizeHint(int tab) const override;
  void initStyleOption(QStyleOptionTab* option, int tab) const override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

  // Of the tabs that are shown while nothing is folded: the first, and one past the last. Arrow
  // keys lead beyond them.
  virtual std::pair<int, int> range() const { return {0, count()}; }
  // Shows the tabs of range(), or the current one if folded, without a change of the current tab.
  void showTabs();
  bool showing() const { return m_showing; }

 private:
  int padding(int tab) const;  // at each side of a tab's text
  int arrowWidth() const;

  QMenu* m_menu;
  bool m_folded = false;
  bool m_showing = false;  // hides and shows tabs, which may resize the bar
};

}  // namespace tileloom
