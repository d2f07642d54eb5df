// SPDX-License-Identifier: GPL-3.0-or-later
// The pairs that teach, as a menu.
#pragma once

class QMenu;
class QWidget;

namespace tileloom {

class Explorer;

// Owned by `parent`.
QMenu* makePairsMenu(Explorer& explorer, QWidget* parent);

}  // namespace tileloom
