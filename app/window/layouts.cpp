// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/layouts.h"

#include <QAction>
#include <QMenu>
#include <QSplitter>

#include "app/session/view_state.h"
#include "app/window/main_window.h"
#include "app/window/sight.h"

namespace tileloom {
namespace {

struct LayoutRow {
  WindowLayout layout;
  const char* name;
  Qt::Key key;       // with Ctrl
  bool panels;       // both are shown
  const char* page;  // below the loom
  int lower;         // its share of the height, in percent
  bool usualView;    // the loom is as it was when the window opened
};

constexpr std::array kLayouts = {
    LayoutRow{WindowLayout::Explore, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Explore"), Qt::Key_1,
              true, "banks", 38, false},
    LayoutRow{WindowLayout::Measure, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Measure"), Qt::Key_2,
              true, "charts", 55, true},
    // The audience reads two pictures: where the warp works, and what that costs.
    LayoutRow{WindowLayout::Lecture, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Lecture"), Qt::Key_3,
              false, "banks", 42, false},
};

}  // namespace

Layouts::Layouts(MainWindow& window, QWidget& ladder, QWidget& tile, QSplitter& down)
    : QObject(&window), m_window(window), m_panels{Panel{&ladder}, Panel{&tile}}, m_down(down) {}

void Layouts::addActions(QMenu& view) {
  auto* menu = view.addMenu(tr("La&youts"));
  for (const LayoutRow& row : kLayouts) {
    menu->addAction(tr(row.name), QKeySequence(Qt::CTRL | row.key), this,
                    [this, &row] { choose(row.layout); });
  }
  menu->addSeparator();
  menu->addAction(tr("&Reset"), this, [this] {
    m_window.resize(m_window.usualSize());
    m_window.sight().setTextSize(kUsualText);
    choose(WindowLayout::Explore);
    for (const auto& page : m_window.pages()) page->resetView();
  });
  const auto panel = [&](const QString& name, Qt::Key key, SidePanel which) {
    QAction* action = view.addAction(name, QKeySequence(key), this,
                                     [this, which](bool shown) { showPanel(which, shown); });
    action->setCheckable(true);
    action->setChecked(true);
    of(which).action = action;
  };
  panel(tr("La&dder panel"), Qt::Key_F9, SidePanel::Ladder);
  panel(tr("Tile pane&l"), Qt::Key_F10, SidePanel::Tile);
}

void Layouts::showPanel(SidePanel panel, bool shown) {
  of(panel).widget->setVisible(shown);
  of(panel).action->setChecked(shown);
}

bool Layouts::panelShown(SidePanel panel) const {
  return m_panels[static_cast<std::size_t>(panel)].action->isChecked();
}

void Layouts::choose(WindowLayout layout) {
  const LayoutRow& row = kLayouts[static_cast<std::size_t>(layout)];
  for (const SidePanel panel : {SidePanel::Ladder, SidePanel::Tile}) showPanel(panel, row.panels);
  m_window.showPage(row.page);
  const int all = m_down.height(), lower = all * row.lower / 100;
  m_down.setSizes({all - lower, lower});
  if (row.usualView) m_window.pages().front()->resetView();
}

}  // namespace tileloom
