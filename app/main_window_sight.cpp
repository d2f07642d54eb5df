// SPDX-License-Identifier: GPL-3.0-or-later
// How the window is seen: its theme.
#include <QActionGroup>
#include <QApplication>
#include <QMenu>

#include "app/main_window.h"

namespace tileloom {

void MainWindow::makeSightMenu(QMenu& view) {
  m_looks = new QActionGroup(this);
  const auto entry = [&](const QString& name, Look look) {
    auto* action = view.addAction(name, this, [this, look] { setLook(look); });
    action->setCheckable(true);
    action->setData(static_cast<int>(look));
    m_looks->addAction(action);
  };
  entry(tr("&Dark"), Look::Dark);
  entry(tr("&Light"), Look::Light);
  entry(tr("&High contrast"), Look::Contrast);
  showLook();
}

Look MainWindow::look() const {
  return Theme::of(palette()).look;
}

void MainWindow::setLook(Look look) {
  if (this->look() != look) QApplication::setPalette(Theme::make(look).palette());
  showLook();
}

void MainWindow::showLook() {
  for (QAction* action : m_looks->actions())
    action->setChecked(action->data().toInt() == static_cast<int>(look()));
}

}  // namespace tileloom
