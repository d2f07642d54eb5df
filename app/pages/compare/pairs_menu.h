// SPDX-License-Identifier: GPL-3.0-or-later
// One group of the examples, as a menu.
#pragma once

#include <QString>

class QMenu;
class QWidget;

namespace tileloom {

class Comparison;

// Owned by `parent`.
QMenu* makePairsMenu(Comparison& comparison, QWidget* parent, const QString& group);

}  // namespace tileloom
