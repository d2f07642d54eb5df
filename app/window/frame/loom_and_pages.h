// SPDX-License-Identifier: GPL-3.0-or-later
// The middle of the window: the loom over the pages, with the lines above and between them. It
// shares the height among these.
#pragma once

#include <QList>
#include <QWidget>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/pages/page.h"
#include "kernels/emulator/fault.h"
#include "viz/base/scene.h"

class QLabel;
class QSplitter;

namespace tileloom {

class Comparison;
class LoomAndTime;
class PageTabs;
class PairLine;
class SourceStrip;
struct Services;

class LoomAndPages : public QWidget {
  Q_OBJECT
 public:
  using Pages = std::vector<std::unique_ptr<Page>>;

  // The first of `pages` is the loom; `height` is that of the window, usually.
  LoomAndPages(const Pages& pages, Services& services, Comparison& comparison, int height);
  ~LoomAndPages() override;

  // Brings a page below the loom to the front; an id of no such page changes nothing.
  void showPage(std::string_view id);
  std::string_view currentPage() const;  // below the loom
  // What is below the loom when `widget` has the focus: that page, else the loom.
  Page& pageWith(const QWidget* widget) const;
  // The widget of a page; hidden pages have one, too.
  QSizeF roomOf(const Page& page) const;
  PageTabs& tabs() { return *m_below; }

  // Percent of the height for the pages below the loom; 0: only their tabs are visible.
  void setLower(int percent);
  int lower() const;
  void setFolded(bool folded);
  bool folded() const { return m_folded; }
  // Gives the page in front the height that it wants, although a session has set another one.
  void fitToContent();

  // The pages below the loom with their tabs, and the line of source.
  void showPages(bool shown);
  // The loom with its strip of time alone.
  void setAlone(bool alone);
  void showBars(bool shown);  // see Window
  // A strip of the timeline below the loom, where there is room for it.
  void showTime(bool shown);
  bool timeShown() const;
  // For pictures: runs the event loop until that strip is up to date, and centres the instant; or
  // only centres it.
  void awaitTime();
  void centreTime();

  void showScene(const Scene& scene);
  void showBaseline(const Scene& scene);
  // Shows faults above the loom; an empty log hides the banner.
  void showFaults(const emulator::FaultLog& faults);
  void setStill(bool still);
  // By the width of a letter, and the lines of text that the window is high.
  void fit(int letter, int lines);

 signals:
  void foldedChanged(bool folded);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void makeBelow();
  void sayEmpty();  // which tabs are grey
  void turnTo(int tab);
  void showStrips();  // of source and time, if no visible page shows the same
  void shareOut();
  void giveBelow(int pixels);
  void giveWanted();  // to the page in front, if it has less than it wants
  // Heights of the loom and of the pages below it; while the loom is alone, the former ones.
  QList<int> heights() const;
  // Restores the former share of the loom at the present height.
  void shareAsBeforeAlone();

  const Pages& m_pages;
  Services& m_services;
  QSplitter* m_down = nullptr;
  PageTabs* m_below = nullptr;
  LoomAndTime* m_loomAndTime = nullptr;
  SourceStrip* m_source = nullptr;
  QLabel* m_faults = nullptr;
  PairLine* m_pair = nullptr;   // the text of the compared example
  int m_unfolded = 0;           // pixels below the loom before they were folded
  bool m_heightChosen = false;  // the share below the loom, by the user or by a session
  // Of m_down, from when the loom is alone until the window has its height again: the window system
  // may resize late, and the splitter would distribute each change of height by its own rules.
  QList<int> m_beforeAlone;
  // The value of setLower(), until the user moves the splitter or changes the page: a line above
  // the loom that appears later takes its height from both.
  std::optional<int> m_lower;
  int m_tab = 0;  // in front
  bool m_folded = false;
  bool m_alone = false;
  bool m_bars = true;
  bool m_comparing = false;
  // The kernel that the grey tabs are for.
  std::weak_ptr<const analysis::Recording> m_emptyOf, m_emptyBeside;
  bool m_emptyBoth = false;  // there was a baseline before
};

}  // namespace tileloom
