// SPDX-License-Identifier: GPL-3.0-or-later
// Keys that no menu has and nobody can change: of who presents, and of the list of steps that is
// edited. Help names them below those of the menus.
#pragma once

#include <QKeySequence>
#include <QString>
#include <vector>

namespace tileloom {

struct FixedKey {
  QString name;  // "Presenting › Blank screen"
  QKeySequence key;
};

// In the order of help. Each part has the table that it acts by.
std::vector<FixedKey> fixedKeys();
std::vector<FixedKey> presentingKeys();  // lecture_keys.cpp
std::vector<FixedKey> stepListKeys();    // step_list.cpp

}  // namespace tileloom
