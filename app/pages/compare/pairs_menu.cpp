// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/pairs_menu.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include "app/services/explorer.h"
#include "app/services/teaching_pairs.h"

namespace tileloom {

QMenu* makePairsMenu(Explorer& explorer, QWidget* parent) {
  auto* menu =
      new QMenu(QCoreApplication::translate("tileloom::Page", "Pairs that &teach"), parent);
  QString group;
  for (const TeachingPair& pair : teachingPairs()) {
    if (pair.group != group) menu->addSection(group = pair.group);
    QAction* action = menu->addAction(
        pair.name, &explorer, [&explorer, pair] { explorer.compare(pair.baseline, pair.now); });
    action->setToolTip(pair.look);
  }
  menu->setToolTipsVisible(true);
  return menu;
}

}  // namespace tileloom
