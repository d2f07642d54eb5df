// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/pairs_menu.h"

#include <QAction>
#include <QMenu>

#include "app/pages/compare/pairs_reader.h"
#include "app/services/choice/comparison.h"
#include "app/services/teaching/teaching_pairs.h"

namespace tileloom {

QMenu* makePairsMenu(Comparison& comparison, QWidget* parent, const QString& group) {
  auto* menu = new QMenu(group, parent);
  for (const TeachingPair& pair : teachingPairs()) {
    if (pair.group != group) continue;
    QAction* action =
        menu->addAction(pair.name, &comparison, [&comparison, pair] { comparison.open(pair); });
    action->setToolTip(pair.look);
  }
  menu->setToolTipsVisible(true);
  addReader(*menu, group);
  return menu;
}

}  // namespace tileloom
