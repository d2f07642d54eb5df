// SPDX-License-Identifier: GPL-3.0-or-later
// The main window: ladder, loom over the pages, tile panel, transport bar. It does not know pages
// by name: pages, panels and menus have their own files and share the services.
#pragma once

#include <QMainWindow>
#include <memory>
#include <string_view>
#include <vector>

#include "app/pages/page.h"
#include "app/services/comparison.h"
#include "app/services/services.h"
#include "app/session/session.h"
#include "app/window/actions.h"
#include "app/window/undo_history.h"
#include "kernels/emulator/fault.h"

class QLabel;
class QSplitter;

namespace tileloom {

class LadderList;
class Layouts;
class LectureMode;
class LoomAndTime;
class PageTabs;
class PairLine;
class SessionFiles;
class Sight;
class SourceStrip;
class TilePanel;
class TransportBar;

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  static constexpr QSize kUsualSize{1840, 1020};  // if the screen has room

  // Without a setup the window starts no worker and writes no file: for pictures and tests.
  explicit MainWindow(LabSetup setup = {{}, {}, false}, QWidget* parent = nullptr);
  ~MainWindow() override;

  QSize usualSize() const;

  Services& services() { return m_services; }
  const Services& services() const { return m_services; }
  Comparison& comparison() { return m_comparison; }
  const Comparison& comparison() const { return m_comparison; }
  Explorer& explorer() { return m_services.explorer; }
  Lab& lab() { return m_services.lab; }
  QUndoStack& undoStack() { return m_undo.stack(); }
  // Undo ends at the present state.
  void beginUndoHere() { m_undo.forget(); }
  Sight& sight() { return *m_sight; }
  Layouts& layouts() { return *m_layouts; }
  SessionFiles& sessions() { return *m_sessions; }

  // The loom, then those below it from left to right.
  const std::vector<std::unique_ptr<Page>>& pages() const { return m_pages; }
  // nullptr: no page has this id.
  Page* page(std::string_view id) const;
  // Brings a page below the loom to the front; an id of no such page changes nothing.
  void showPage(std::string_view id);
  std::string_view currentPage() const;  // below the loom
  // Percent of the height for the pages below the loom; 0: only their tabs are visible.
  void setLower(int percent);
  int lower() const;
  // A strip of the timeline below the loom, where there is room for it.
  void showTime(bool shown);
  bool timeShown() const;
  // For pictures: runs the event loop until that strip is up to date, and centres the instant; or
  // only centres it.
  void awaitTime();
  void centreTime();
  void setFolded(bool folded);
  bool folded() const { return m_folded; }
  // Everything but the loom with its strip of time, the panels beside it and the transport bar.
  void showSurroundings(bool shown);
  // The pages below the loom with their tabs, and the line of source.
  void showPages(bool shown);
  Page& focusedPage() const;  // where keys for "this view" go
  // Menus, tabs, transport and status bar; a presentation hides them.
  void showBars(bool shown);
  // The place of a target of a mark, in pixels of the window; std::nullopt: it is not visible now.
  std::optional<QRectF> placeOf(const MarkTarget& target) const;
  // Scrolls the panel beside the loom that has it; pages do so by themselves (Page::reveal()).
  void reveal(const MarkTarget& target);
  LectureMode& lecture() { return *m_lecture; }
  // The widget of a page; hidden pages have one, too.
  QSizeF roomOf(const Page& page) const;

  // The window's one widget of this class, such as view<LoomView>(), or that of the baseline.
  template <class T>
  T* view() const {
    return find<T>(false);
  }
  template <class T>
  T* baselineView() const {
    return find<T>(true);
  }

  Session session() const;
  void restore(const Session& session);
  // A link that opens this view, and the command line that makes its picture.
  QString link() const;
  QString commandLine() const;
  // Loads the keys that the user has set.
  void loadKeys();
  // What the command palette offers: the menus' actions, and those of palette_commands.h. They are
  // valid until this is called again.
  std::vector<NamedAction> commands();

  QString statusText() const;
  bool explaining() const;  // see TilePanel
  // Shows a message in the status bar for a few seconds.
  void say(const QString& message);
  // Shows faults above the loom; an empty log hides the banner.
  void showFaults(const emulator::FaultLog& faults);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;  // asks about unsaved edits of a lecture
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  // Views of the baseline are called "baseline…".
  template <class T>
  T* find(bool baseline) const {
    for (T* widget : findChildren<T*>()) {
      if (widget->objectName().startsWith(QLatin1String("baseline")) == baseline) return widget;
    }
    return nullptr;
  }

  void makePages();
  void makeLecture(QWidget& stage);
  QWidget* makeLeft();
  QWidget* makeMiddle();
  QWidget* makeBelow();
  void makeStatusBar();
  void makeMenus();
  void makeEditMenu();
  void makeViewMenu();
  void makeHelpMenu();
  void connectAll();
  void showScene(const Scene& scene);
  void sayEmpty();  // which tabs are grey
  void saySelection();
  void turnTo(int tab);
  void toggleCursor();
  void enterNumber(const QObject& next);
  void fitPanels();
  void sharePanels();  // until the user moves their edges
  void showStrips();   // of source and time, if no visible page shows the same
  void shareOut();
  void giveBelow(int pixels);
  void giveWanted();  // to the page in front, if it has less than it wants
  // Heights of the loom and of the pages below it; while the loom is alone, the former ones.
  QList<int> heights() const;
  // Restores the former share of the loom at the present height.
  void shareAsBeforeAlone();

  Services m_services;
  Comparison m_comparison{m_services};
  PageContext m_context{m_services, m_comparison};
  UndoHistory m_undo{m_services.explorer};
  std::vector<std::unique_ptr<Page>> m_pages;
  std::unique_ptr<Sight> m_sight;
  Layouts* m_layouts = nullptr;
  LectureMode* m_lecture = nullptr;
  SessionFiles* m_sessions = nullptr;
  QSplitter* m_across = nullptr;
  QSplitter* m_down = nullptr;
  PageTabs* m_below = nullptr;
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
  bool m_panelsMoved = false;  // by hand
  bool m_bars = true;          // see showBars()
  LadderList* m_ladder = nullptr;
  TilePanel* m_tile = nullptr;
  LoomAndTime* m_loomAndTime = nullptr;
  SourceStrip* m_source = nullptr;
  TransportBar* m_transport = nullptr;
  QLabel* m_faults = nullptr;
  std::unique_ptr<QObject> m_offered;  // owns what only the palette offers
  PairLine* m_pair = nullptr;          // the text of the compared example
  bool m_comparing = false;
  QLabel* m_status = nullptr;
  QLabel* m_selection = nullptr;
  // The kernel that the grey tabs are for.
  std::weak_ptr<const analysis::Recording> m_emptyOf, m_emptyBeside;
  bool m_emptyBoth = false;  // there was a baseline before
};

}  // namespace tileloom
