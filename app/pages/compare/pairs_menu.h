// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs that teach, as a menu.
#pragma once

#include <QString>

class QMenu;
class QWidget;

namespace tileloom {

class Comparison;
class Explorer;

// Owned by `parent`. `group`: only those of one group; empty: all.
QMenu* makePairsMenu(Explorer& explorer, Comparison& comparison, QWidget* parent,
                     const QString& group = {});

}  // namespace tileloom
