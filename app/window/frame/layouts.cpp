// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/frame/layouts.h"
#include "app/window/common/actions.h"

#include <QAction>
#include <QMenu>
#include <QWindow>

#include "app/session/view_state.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/sight.h"
#include "app/window/window.h"

namespace tileloom {
namespace {

struct LayoutRow {
  WindowLayout layout;
  const char* name;
  Qt::Key key;       // with Ctrl
  bool panels;       // both are shown
  const char* page;  // below the loom
  int lower;         // its share of the height, in percent; 0: folded
  bool usualView;    // the loom as in a new window
};

constexpr std::array kLayouts = {
    LayoutRow{WindowLayout::Explore, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Explore"), Qt::Key_1,
              true, "banks", kUsualLower, false},
    LayoutRow{WindowLayout::Measure, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Measure"), Qt::Key_2,
              true, "charts", 48, true},
    // For an audience: one picture of the warp, with the banks of its access.
    LayoutRow{WindowLayout::Lecture, QT_TRANSLATE_NOOP("tileloom::Layouts", "&Lecture"), Qt::Key_3,
              false, "banks", 0, false},
};

}  // namespace

Layouts::Layouts(Window& window, QWidget& ladder, QWidget& tile)
    : QObject(&window.frame()), m_window(window), m_panels{Panel{&ladder}, Panel{&tile}} {
  connect(&window.middle(), &LoomAndPages::foldedChanged, this,
          [this](bool folded) { m_foldAction->setChecked(!folded); });
}

void Layouts::addActions(QMenu& view) {
  auto* menu = view.addMenu(tr("La&youts"));
  for (const LayoutRow& row : kLayouts) {
    menu->addAction(tr(row.name), QKeySequence(Qt::CTRL | row.key), this,
                    [this, &row] { choose(row.layout); });
  }
  menu->addSeparator();
  menu->addAction(tr("&Reset"), this, [this] {
    m_window.frame().resize(m_window.usualSize());
    m_window.sight().setTextSize(kUsualText);
    choose(WindowLayout::Explore);
    showTime(true);
    for (const auto& page : m_window.pages()) page->resetView();
  });
  QMenu& panels = addFolded(view, tr("&Panels"));
  const auto panel = [&](const QString& name, Qt::Key key, SidePanel which) {
    QAction* action = panels.addAction(name, QKeySequence(key), this,
                                       [this, which](bool shown) { showPanel(which, shown); });
    action->setCheckable(true);
    action->setChecked(true);
    of(which).action = action;
  };
  panel(tr("La&dder panel"), Qt::Key_F9, SidePanel::Ladder);
  panel(tr("Tile pane&l"), Qt::Key_F10, SidePanel::Tile);
  m_timeAction = panels.addAction(tr("&Time under the loom"), QKeySequence(Qt::Key_F7), this,
                                  [this](bool shown) { showTime(shown); });
  m_timeAction->setCheckable(true);
  m_timeAction->setChecked(true);
  m_foldAction = panels.addAction(tr("Lower &half"), QKeySequence(Qt::Key_F8), this,
                                  [this](bool shown) { m_window.middle().setFolded(!shown); });
  m_foldAction->setCheckable(true);
  m_foldAction->setChecked(true);
  m_aloneAction = view.addAction(tr("Loom &alone, full screen"), QKeySequence(Qt::Key_F11), this,
                                 [this](bool alone) { setAlone(alone); });
  m_aloneAction->setCheckable(true);
}

void Layouts::showPanel(SidePanel panel, bool shown) {
  of(panel).action->setChecked(shown);
  arrange();
}

void Layouts::arrange() {
  for (const Panel& panel : m_panels)
    panel.widget->setVisible(!m_alone && panel.action->isChecked());
  m_window.showSurroundings(!m_alone);
}

void Layouts::setAlone(bool alone) {
  m_aloneAction->setChecked(alone);
  if (alone == m_alone) return;
  m_alone = alone;
  if (alone && !m_presenting) m_sizeBefore = m_window.frame().size();
  if (alone) arrange();
  fillScreen(alone || m_presenting);
  if (!alone) arrange();
}

void Layouts::setPresenting(bool presenting, bool screen) {
  if (presenting == m_presenting) return;
  setAlone(false);
  m_presenting = presenting;
  if (presenting) m_sizeBefore = m_window.frame().size();
  if (presenting) m_window.showBars(false);
  if (screen) fillScreen(presenting);
  if (!presenting) m_window.showBars(true);
}

// Panels that come back may need more room than a small screen has: they are shown after this.
// QWidget treats a window that grows in full screen as a normal one, although the window system
// still shows it in full screen.
void Layouts::fillScreen(bool fill) {
  const Qt::WindowStates now = m_window.frame().windowState();
  m_window.frame().setWindowState(fill ? now | Qt::WindowFullScreen : now & ~Qt::WindowFullScreen);
  if (fill) return;
  if (QWindow* native = m_window.frame().windowHandle();
      native != nullptr && native->windowStates().testFlag(Qt::WindowFullScreen))
    native->setWindowStates(native->windowStates() & ~Qt::WindowFullScreen);
  if (!m_window.frame().isMaximized()) m_window.frame().resize(m_sizeBefore);
}

void Layouts::showTime(bool shown) {
  m_timeAction->setChecked(shown);
  m_window.middle().showTime(shown);
}

bool Layouts::panelShown(SidePanel panel) const {
  return m_panels[static_cast<std::size_t>(panel)].action->isChecked();
}

void Layouts::choose(WindowLayout layout) {
  const LayoutRow& row = kLayouts[static_cast<std::size_t>(layout)];
  for (const SidePanel panel : {SidePanel::Ladder, SidePanel::Tile}) showPanel(panel, row.panels);
  setAlone(false);
  m_window.showPage(row.page);
  m_window.middle().setLower(row.lower);
  if (row.usualView) m_window.pages().front()->resetView();
}

}  // namespace tileloom
