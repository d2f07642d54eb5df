// SPDX-License-Identifier: GPL-3.0-or-later
// The window's layouts: which panels stand beside the loom, which page below it, and how high.
#pragma once

#include <QObject>
#include <array>

class QAction;
class QMenu;
class QSplitter;
class QWidget;

namespace tileloom {

class MainWindow;

// What the window is arranged for.
enum class WindowLayout { Explore, Measure, Lecture };
enum class SidePanel { Ladder, Tile };

class Layouts : public QObject {
  Q_OBJECT
 public:
  // `ladder` and `tile` are the panels; `down` has the loom above the pages.
  Layouts(MainWindow& window, QWidget& ladder, QWidget& tile, QSplitter& down);

  void addActions(QMenu& view);
  void choose(WindowLayout layout);
  void showPanel(SidePanel panel, bool shown);
  bool panelShown(SidePanel panel) const;

 private:
  struct Panel {
    QWidget* widget = nullptr;
    QAction* action = nullptr;
  };
  Panel& of(SidePanel panel) { return m_panels[static_cast<std::size_t>(panel)]; }

  MainWindow& m_window;
  std::array<Panel, 2> m_panels;  // by SidePanel
  QSplitter& m_down;
};

}  // namespace tileloom
