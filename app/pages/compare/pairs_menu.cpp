// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/compare/pairs_menu.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

#include "app/pages/compare/pairs_reader.h"
#include "app/services/comparison.h"
#include "app/services/explorer.h"
#include "app/services/teaching_pairs.h"

namespace tileloom {

QMenu* makePairsMenu(Explorer& explorer, Comparison& comparison, QWidget* parent,
                     const QString& only) {
  auto* menu =
      new QMenu(QCoreApplication::translate("tileloom::Page", "Pairs that &teach"), parent);
  QString group;
  for (const TeachingPair& pair : teachingPairs()) {
    if (!only.isEmpty() && pair.group != only) continue;
    if (pair.group != group) menu->addSection(group = pair.group);
    QAction* action = menu->addAction(pair.name, &explorer, [&explorer, &comparison, pair] {
      if (pair.size > 0) explorer.setProblem({pair.size, pair.size, pair.size});
      explorer.compare(pair.baseline, pair.now);
      if (*pair.page != '\0') emit comparison.pageWanted(pair);
    });
    action->setToolTip(pair.look);
  }
  menu->setToolTipsVisible(true);
  if (!only.isEmpty()) addReader(*menu, only);
  return menu;
}

}  // namespace tileloom
