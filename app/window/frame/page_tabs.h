// SPDX-License-Identifier: GPL-3.0-or-later
// Tabs in two bars: on the left one for each group of pages, then those of the current group. A
// click on a group shows its last page. A group's tab is always at the same place. In a narrow
// window the tabs of the pages fold to one, and in the narrowest those of the groups do
// (app/window/frame/tab_folding.h).
#pragma once

#include <QPointer>
#include <QTabWidget>
#include <vector>

#include "app/window/frame/folding_tabs.h"

class QAction;

namespace tileloom {

class PageTabBar : public FoldingTabBar {
  Q_OBJECT
 public:
  struct Group {
    QString title;
    QString tip;
    int first = 0;  // of its tabs
    int count = 0;
    int latest = 0;  // of its tabs: was last in front
  };

  explicit PageTabBar(QWidget* parent = nullptr);

  // `tip`: one sentence without a full stop.
  void addGroup(const QString& title, const QString& tip);
  // The tab that was added last belongs to the group that was added last. `show` brings its page to
  // the front: menus have it, and tool tips say its keys.
  void adopt(const QString& tip, QAction& show);

  // The page is empty for the reason in this sentence: its tab is grey. Empty sentence: the page
  // has content.
  void setEmpty(int tab, const QString& why);
  QString whyEmpty(int tab) const { return at(tab).why; }

  const std::vector<Group>& groups() const { return m_groups; }
  std::size_t group() const { return m_group; }  // in front
  bool empty(const Group& group) const;          // all its pages are empty
  // The tool tip of a group, and its pages with their keys.
  QString tipOf(const Group& group) const;

  // Pixels.
  int widthOf(const Group& group) const;  // of all its tabs
  int widestFolded() const;               // of the folded tab of any group

  // All pages by group, with the groups' titles; or those of one group.
  void addPages(QMenu& menu) const;
  // A menu for each group: all pages at once would not fit on a small screen.
  void addGroupMenus(QMenu& menu) const;
  void addPages(QMenu& menu, const Group& group) const;
  QAction* show(int tab) const { return at(tab).show; }

 signals:
  void groupTurned();      // another page is in front, perhaps of another group
  void groupsDescribed();  // tool tips or colours of groups have changed

 protected:
  QAction* fillMenu(QMenu& menu, int tab) override;
  std::pair<int, int> range() const override;
  void changeEvent(QEvent* event) override;

 private:
  struct Tab {
    std::size_t group = 0;
    QString title;
    QString tip;
    QString why;  // it is empty
    QPointer<QAction> show;
  };

  const Tab& at(int tab) const { return m_tabs[static_cast<std::size_t>(tab)]; }
  void turnTo(int tab);
  void describe(int tab);
  QString named(int tab) const;  // with its keys

  std::vector<Tab> m_tabs;
  std::vector<Group> m_groups;
  std::size_t m_group = 0;
};

// One tab for each group of the pages.
class GroupTabBar : public FoldingTabBar {
  Q_OBJECT
 public:
  explicit GroupTabBar(PageTabBar& pages);

  int gap() const;       // between groups and pages
  int allWidth() const;  // of its tabs with the gap
  int oneWidth() const;  // of the folded tab, with the gap
  void describe();

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return {0, sizeHint().height()}; }

 protected:
  QAction* fillMenu(QMenu& menu, int tab) override;
  QSize tabSizeHint(int tab) const override;

 private:
  PageTabBar& m_pages;
};

class PageTabs : public QTabWidget {
  Q_OBJECT
 public:
  explicit PageTabs(QWidget* parent = nullptr);
  PageTabBar& bar() const { return *m_bar; }
  GroupTabBar& groupBar() const { return *m_groups; }
  void addGroup(const QString& title, const QString& tip);
  // After all others, in the group that was added last.
  void addPage(QWidget* page, const QString& title, const QString& tip, QAction& show);
  void showBars(bool shown);

 signals:
  // The tab of a group was clicked, which may be the one in front.
  void groupClicked();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void arrange();

  PageTabBar* m_bar;
  GroupTabBar* m_groups;
};

}  // namespace tileloom
