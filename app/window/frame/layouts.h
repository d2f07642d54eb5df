// SPDX-License-Identifier: GPL-3.0-or-later
// The window's layouts: the panels beside the loom, the page below it, and its height; and the loom
// alone on the whole screen.
#pragma once

#include <QObject>
#include <QSize>
#include <array>

class QAction;
class QMenu;
class QWidget;

namespace tileloom {

class Window;

// The purpose of a layout.
enum class WindowLayout { Explore, Measure, Lecture };
enum class SidePanel { Ladder, Tile };

class Layouts : public QObject {
  Q_OBJECT
 public:
  // `ladder` and `tile` are the panels.
  Layouts(Window& window, QWidget& ladder, QWidget& tile);

  void addActions(QMenu& view);
  void choose(WindowLayout layout);
  void showPanel(SidePanel panel, bool shown);
  bool panelShown(SidePanel panel) const;
  // The loom with only its strip of time and the transport bar, on the whole screen, until the same
  // key or Escape.
  void setAlone(bool alone);
  bool alone() const { return m_alone; }
  // Without any bar, on the whole screen if `screen`; panels and pages stay as they are chosen.
  void setPresenting(bool presenting, bool screen = true);
  bool presenting() const { return m_presenting; }
  void showTime(bool shown);  // the strip of the timeline under the loom

 private:
  struct Panel {
    QWidget* widget = nullptr;
    QAction* action = nullptr;
  };
  Panel& of(SidePanel panel) { return m_panels[static_cast<std::size_t>(panel)]; }

  void arrange();

  Window& m_window;
  std::array<Panel, 2> m_panels;  // by SidePanel
  QAction* m_timeAction = nullptr;
  QAction* m_foldAction = nullptr;
  QAction* m_aloneAction = nullptr;
  void fillScreen(bool fill);

  bool m_alone = false;
  bool m_presenting = false;
  QSize m_sizeBefore;  // of the window, before the loom was alone
};

}  // namespace tileloom
