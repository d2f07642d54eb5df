// SPDX-License-Identifier: GPL-3.0-or-later
// The window's layouts: which panels stand beside the loom, and what stands below it.
#include <QAction>
#include <QActionGroup>
#include <QMenu>
#include <QScreen>
#include <QSplitter>

#include "app/window/main_window.h"
#include "viz/loom/loom_view.h"

namespace tileloom {

QSize MainWindow::usualSize() const {
  constexpr QSize kLeast{1024, 600};  // a smaller screen is one of a platform that shows nothing
  const QSize room = screen()->availableSize();
  const bool real = room.width() >= kLeast.width() && room.height() >= kLeast.height();
  return real ? kUsualSize.boundedTo(room) : kUsualSize;
}

void MainWindow::makeLayoutMenu(QMenu& view) {
  auto* menu = view.addMenu(tr("La&youts"));
  const auto layout = [&](const QString& name, Qt::Key key, WindowLayout which) {
    menu->addAction(name, QKeySequence(Qt::CTRL | key), this, [this, which] { setLayout(which); });
  };
  layout(tr("&Explore"), Qt::Key_1, WindowLayout::Explore);
  layout(tr("&Measure"), Qt::Key_2, WindowLayout::Measure);
  layout(tr("&Lecture"), Qt::Key_3, WindowLayout::Lecture);
  menu->addSeparator();
  menu->addAction(tr("&Reset"), this, [this] {
    resize(usualSize());
    setTextSize(kUsualText);
    setLayout(WindowLayout::Explore);
    m_loom->zoomTo(LoomView::Level::Block);
  });
  m_ladderShown = view.addAction(tr("La&dder panel"), QKeySequence(Qt::Key_F9), this,
                                 [this](bool shown) { showPanel(SidePanel::Ladder, shown); });
  m_tileShown = view.addAction(tr("Tile pane&l"), QKeySequence(Qt::Key_F10), this,
                               [this](bool shown) { showPanel(SidePanel::Tile, shown); });
  for (QAction* action : {m_ladderShown, m_tileShown}) {
    action->setCheckable(true);
    action->setChecked(true);
  }
}

void MainWindow::showPanel(SidePanel panel, bool shown) {
  const bool ladder = panel == SidePanel::Ladder;
  m_across->widget(ladder ? 0 : 2)->setVisible(shown);
  (ladder ? m_ladderShown : m_tileShown)->setChecked(shown);
}

bool MainWindow::panelShown(SidePanel panel) const {
  return (panel == SidePanel::Ladder ? m_ladderShown : m_tileShown)->isChecked();
}

void MainWindow::setLayout(WindowLayout layout) {
  const bool lecture = layout == WindowLayout::Lecture;
  showPanel(SidePanel::Ladder, !lecture);
  showPanel(SidePanel::Tile, !lecture);
  // The audience reads two pictures: where the warp works, and what that costs.
  showTab(layout == WindowLayout::Measure ? LowerTab::Charts : LowerTab::Banks);
  const int all = m_down->height();
  const int lower = all * (layout == WindowLayout::Measure ? 55 : lecture ? 42 : 38) / 100;
  m_down->setSizes({all - lower, lower});
  if (layout == WindowLayout::Measure) m_loom->zoomTo(LoomView::Level::Block);
}

}  // namespace tileloom
