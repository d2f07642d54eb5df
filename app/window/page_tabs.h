// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs in groups. A gap parts the groups; where not all tabs fit, groups fold (app/window/
// tab_folding.h): the tab of the page that was last in front stands for its group, with the group's
// name, the number of its pages and an arrow. A click on it shows that page and opens the group; a
// click on the arrow, or the right button, lists the pages. Groups without room for a tab of their
// own share one, "More", which lists theirs. In the narrowest bar the tab in front is the only one,
// and lists all.
#pragma once

#include <QPointer>
#include <QTabBar>
#include <QTabWidget>
#include <vector>

#include "app/window/tab_folding.h"

class QAction;
class QMenu;

namespace tileloom {

class PageTabBar : public QTabBar {
  Q_OBJECT
 public:
  explicit PageTabBar(QWidget* parent = nullptr);

  // `tip`: one sentence without a full stop.
  void addGroup(const QString& title, const QString& tip);
  // The tab that was added last belongs to the group that was added last. `show` brings its page to
  // the front: menus have it, and tool tips say its keys.
  void adopt(const QString& tip, QAction& show);

  // The page has nothing to show, and this sentence says why: its tab is grey. Empty: it has.
  void setEmpty(int tab, const QString& why);
  QString whyEmpty(int tab) const { return at(tab).why; }

  // Whether this tab is there for several pages.
  bool folded(int tab) const;
  // Where a press opens the menu; empty: this tab is not folded.
  QRect arrow(int tab) const;

  // All pages by group, with the groups' titles.
  void addPages(QMenu& menu) const;
  // Lists what the tab stands for; of an open tab, and of -1, all pages by group.
  void openMenu(int tab);
  QMenu& menu() { return *m_menu; }

 protected:
  QSize tabSizeHint(int tab) const override;
  void initStyleOption(QStyleOptionTab* option, int tab) const override;
  bool event(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  struct Tab {
    std::size_t group = 0;
    QString title;
    QString tip;
    QString why;  // it is empty
    QPointer<QAction> show;
  };
  struct Group {
    QString title;
    QString tip;
    int first = 0;  // of its tabs
    int count = 0;
    int latest = 0;  // of its tabs: was last in front
  };

  const Tab& at(int tab) const { return m_tabs[static_cast<std::size_t>(tab)]; }
  const Group& groupOf(int tab) const { return m_groups[at(tab).group]; }
  TabGroupState stateOf(int tab) const { return m_folding.groups[at(tab).group]; }
  bool pooled(int tab) const;
  // Whether the menu of this tab has the pages of this group.
  bool lists(int tab, std::size_t group) const;
  int pages(int tab) const;        // for how many this tab is there
  int gap() const;                 // between groups
  int padding(int tab) const;      // at each side of a tab's text
  int markWidth(int pages) const;  // of the number and the arrow
  int spaceBefore(int tab) const;  // which parts it from another group
  int widthOf(const QString& text) const;
  void turnTo(int tab);
  void fold();
  void show(const TabFolding& folding);
  void describe(int tab);
  QString named(int tab) const;  // with its keys
  QString tipOf(int tab) const;
  void addPages(QMenu& menu, const Group& group) const;

  std::vector<Tab> m_tabs;
  std::vector<Group> m_groups;
  std::vector<std::size_t> m_recent;  // groups, the one in front first
  TabFolding m_folding;
  int m_first = 0;      // of the tabs that are shown
  bool m_busy = false;  // showing and hiding tabs, which may resize the bar
  QMenu* m_menu;
  int m_hovered = -1;  // the tab whose arrow the mouse is on
};

// A QTabWidget with such a bar.
class PageTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit PageTabs(QWidget* parent = nullptr);
  PageTabBar& bar() const { return *m_bar; }
  void addGroup(const QString& title, const QString& tip) { m_bar->addGroup(title, tip); }
  // Behind all others, into the group that was added last.
  void addPage(QWidget* page, const QString& title, const QString& tip, QAction& show);

 private:
  PageTabBar* m_bar;
};

}  // namespace tileloom
