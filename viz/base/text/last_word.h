// SPDX-License-Identifier: GPL-3.0-or-later
// Removes a widget without a last signal from it. A field that is hidden, disabled or loses the
// focus emits what was typed into it; a slider under a pressed button continues; a button may be
// the sender of the signal that removes it. An owner that replaces its widgets removes the old ones
// with this function:
//
//   for (const Row& row : m_rows) retire(*row.box);
//   m_stage = &stage;
#pragma once

class QWidget;

namespace tileloom {

// The widget and its children emit no more signals, lose their names, are hidden, and are deleted
// later.
void retire(QWidget& widget);

}  // namespace tileloom
