// SPDX-License-Identifier: GPL-3.0-or-later
// Keys outside the menus, which cannot be changed: those of a presentation, and those of the list
// of steps in the editor. Help lists them below the keys of the menus.
#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

namespace tileloom {

struct FixedKey {
  QString name;  // "Presenting › Blank screen"
  QKeySequence key;
};

// In the order of the help. Each comes from the table of its source file.
std::vector<FixedKey> fixedKeys();
std::vector<FixedKey> presentingKeys();  // lecture_keys.cpp
std::vector<FixedKey> stepListKeys();    // step_list.cpp

}  // namespace tileloom
