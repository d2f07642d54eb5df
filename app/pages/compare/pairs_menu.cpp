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
namespace {

// Leads both sides to the access that the pair is about, once both are recorded.
void showFocus(Explorer& explorer, const TeachingPair& pair) {
  const auto lead = [&explorer, pair] {
    const Scene& scene = explorer.scene();
    if (!scene.ready() || !explorer.baseline().ready()) return false;
    const auto& trace = scene.recording->trace;
    if (trace.stage != pair.now.stage || !(trace.tile == pair.now.tile)) return false;
    if (const auto index = indexOf(pair.focus, *scene.recording, scene.moment.warp))
      explorer.setIndex(static_cast<int>(*index));
    return true;
  };
  if (pair.focus.array.empty() || lead()) return;
  auto* waiting = new QObject(&explorer);
  QObject::connect(&explorer, &Explorer::baselineChanged, waiting, [waiting, lead] {
    // After the explorer has published both sides.
    QMetaObject::invokeMethod(
        waiting,
        [waiting, lead] {
          if (lead()) waiting->deleteLater();
        },
        Qt::QueuedConnection);
  });
  // Another choice of the person's ends the wait.
  QObject::connect(&explorer, &Explorer::choiceChanged, waiting, [&explorer, waiting, pair] {
    if (!(explorer.tile() == pair.now.tile) || &explorer.stage() != pair.now.stage)
      waiting->deleteLater();
  });
}

}  // namespace

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
      showFocus(explorer, pair);
      if (*pair.page != '\0') emit comparison.pageWanted(pair);
    });
    action->setToolTip(pair.look);
  }
  menu->setToolTipsVisible(true);
  if (!only.isEmpty()) addReader(*menu, only);
  return menu;
}

}  // namespace tileloom
