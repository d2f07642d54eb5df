// SPDX-License-Identifier: GPL-3.0-or-later
// The main window: ladder, loom over the pages, tile panel, transport bar. It makes the parts,
// joins them, and fits the panels; each part has its own files, knows the window as Window, and
// shares the services.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "app/services/choice/comparison.h"
#include "app/window/common/actions.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/undo_history.h"
#include "app/window/window.h"

class QLabel;
class QSplitter;

namespace tileloom {

class LadderList;
class OwnList;
class TilePanel;
class TransportBar;
class WindowKeys;

class MainWindow : public QMainWindow, public Window {
  Q_OBJECT
 public:
  static constexpr QSize kUsualSize{1840, 1020};  // if the screen has room

  // Without a setup the window starts no worker and writes no file: for pictures and tests.
  explicit MainWindow(LabSetup setup = {{}, {}, false}, QWidget* parent = nullptr);
  ~MainWindow() override;

  QMainWindow& frame() override { return *this; }
  const QMainWindow& frame() const override { return *this; }
  QSize usualSize() const override;
  Services& services() override { return m_services; }
  const Services& services() const override { return m_services; }
  Comparison& comparison() override { return m_comparison; }
  const Comparison& comparison() const override { return m_comparison; }
  const std::vector<std::unique_ptr<Page>>& pages() const override { return m_pages; }
  LoomAndPages& middle() override { return *m_middle; }
  const LoomAndPages& middle() const override { return *m_middle; }
  Sight& sight() override { return *m_sight; }
  Layouts& layouts() override { return *m_layouts; }
  LectureMode& lecture() override { return *m_lecture; }
  LectureMenu& lectureMenu() override { return *m_lectureMenu; }
  SessionFiles& sessions() override { return *m_sessions; }
  Session session() const override;
  void restore(const Session& session) override;
  void beginUndoHere() override { m_undo.forget(); }
  void showBars(bool shown) override;
  void showSurroundings(bool shown) override;
  void say(const QString& message) override;

  QUndoStack& undoStack() { return m_undo.stack(); }
  // A link that opens this view, and the command line that makes its picture.
  QString link() const;
  QString commandLine() const;
  // Loads the keys that the user has set.
  void loadKeys();
  // What the command palette offers: the menus' actions, and those of palette_commands.h. They are
  // valid until this is called again.
  std::vector<NamedAction> commands();
  QString statusText() const;
  Page& focusedPage() const;  // where keys for "this view" go

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void closeEvent(QCloseEvent* event) override;  // asks about unsaved edits of a lecture
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void makePages();
  QWidget* makeLeft();
  void makeStatusBar();
  void makeMenus();
  void makeEditMenu();
  void makeViewMenu();
  void connectAll();
  void showScene(const Scene& scene);
  void showOwn(const Stage& stage);
  void askForKernel();
  void saySelection();
  void toggleCursor();
  void fitPanels();
  void sharePanels();  // until the user moves their edges

  Services m_services;
  Comparison m_comparison{m_services};
  PageContext m_context{m_services, m_comparison};
  UndoHistory m_undo{m_services.explorer};
  std::vector<std::unique_ptr<Page>> m_pages;
  std::unique_ptr<Sight> m_sight;
  Layouts* m_layouts = nullptr;
  LectureMode* m_lecture = nullptr;
  LectureMenu* m_lectureMenu = nullptr;
  SessionFiles* m_sessions = nullptr;
  QSplitter* m_across = nullptr;
  LoomAndPages* m_middle = nullptr;
  bool m_panelsMoved = false;  // by hand
  bool m_bars = true;          // see showBars()
  LadderList* m_ladder = nullptr;
  OwnList* m_own = nullptr;
  std::optional<Session> m_awaited;  // until its kernel is open
  TilePanel* m_tile = nullptr;
  TransportBar* m_transport = nullptr;
  std::unique_ptr<QObject> m_offered;  // owns what only the palette offers
  WindowKeys* m_keys = nullptr;
  QLabel* m_status = nullptr;
  QLabel* m_selection = nullptr;
};

}  // namespace tileloom
