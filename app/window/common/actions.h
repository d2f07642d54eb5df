// SPDX-License-Identifier: GPL-3.0-or-later
// The window's actions by menu, name and key. Palette, key dialog and key sheet read the menus, so
// that an action is named only once.
#pragma once

#include <QAction>
#include <QMenuBar>
#include <vector>

#include "app/window/common/settings.h"

namespace tileloom {

// Property of a menu whose entries come when it opens: the palette and the keys leave them out.
inline constexpr const char* kFilledLater = "filledLater";
// Property of a menu that only folds entries of the one above it, so that this fits on a small
// screen: names and kept keys of its entries leave it out.
inline constexpr const char* kFoldsOnly = "foldsOnly";

// Properties of an action whose name in the menu may change: a fixed name, under which its key is
// kept, and the text that an earlier version had in the menu (it may have none).
inline constexpr const char* kLastingName = "lastingName";
inline constexpr const char* kEarlierText = "earlierText";

// Property: further words by which the palette finds an action.
inline constexpr const char* kAlsoFoundBy = "alsoFoundBy";

struct NamedAction {
  QString name;  // "View › Source"
  QAction* action = nullptr;
  QKeySequence usual = {};  // the default key
  QStringList keptBy = {};  // names by which its key may be kept: the present one first
  int handicap = 0;         // in the palette: the penalty against other matches
  QStringList also = {};    // in the palette: other names, of one or more words
  bool explains = false;    // in the palette: it answers "what is …"
};

// A menu in a menu with the property kFoldsOnly.
QMenu& addFolded(QMenu& menu, const QString& title);

// Every action of every menu that does something, in the order of the menus. Submenus that are
// filled when they open are left out.
std::vector<NamedAction> actionsOf(const QMenuBar& menus);

// The action that has this key already; nullptr: none.
const NamedAction* holderOf(const std::vector<NamedAction>& actions, const QKeySequence& key);

// Keys that differ from the defaults are kept by name. Loading accepts the names of earlier
// versions, and ignores names without an action.
void loadKeys(const std::vector<NamedAction>& actions, const Settings& settings);
void saveKeys(const std::vector<NamedAction>& actions, Settings& settings);

// A page to print: two columns of names and keys, by menu. HTML for QTextDocument.
QString keySheet(const std::vector<NamedAction>& actions);

}  // namespace tileloom
