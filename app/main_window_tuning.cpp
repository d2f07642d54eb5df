// SPDX-License-Identifier: GPL-3.0-or-later
// The window's tuning tab: what it shows of the present rung, and what a click there does.
#include <QTabWidget>

#include "app/main_window.h"
#include "app/tuning_page.h"
#include "viz/text.h"

namespace tileloom {

void MainWindow::connectTuning() {
  connect(m_tuning, &TuningPage::picked, this,
          [this](const TileShape& tile) { m_explorer.setTile(tile); });
  // What is not in sight is not looked up.
  const auto refresh = [this] {
    if (currentTab() == LowerTab::Tuning) showTuning();
  };
  connect(m_lower, &QTabWidget::currentChanged, this, refresh);
  connect(&m_lab, &Lab::historyChanged, this, refresh);
  connect(&m_lab, &Lab::standingChanged, this, refresh);
  connect(&m_explorer, &Explorer::choiceChanged, this, refresh);
}

void MainWindow::showTuning() {
  m_tuning->show(m_explorer.stage(), m_explorer.tile(), m_explorer.problem(), m_lab.arch(),
                 m_lab.runs());
}

Caption MainWindow::tuningCaption(Caption caption) const {
  caption.title = tr("Tiles of rung %1, %2, at %3")
                      .arg(m_explorer.stage().rung)
                      .arg(toQString(m_explorer.stage().title),
                           QString::fromStdString(toString(m_explorer.problem())));
  caption.shown = m_tuning->description();
  caption.origin = m_tuning->source();
  return caption;
}

}  // namespace tileloom
