// SPDX-License-Identifier: GPL-3.0-or-later
// A widget may have a last word. A field that is hidden, disabled or loses the focus hands over
// what is typed in it; a slider under a pressed button goes on; a button may be the sender of the
// signal that takes it away. An owner whose widgets stand for something else now takes the old ones
// away by this function:
//
//   for (const Row& row : m_rows) retire(*row.box);
//   m_stage = &stage;
#pragma once

class QWidget;

namespace tileloom {

// The widget and all that is in it emit nothing and have no names any more, are hidden, and are
// deleted once Qt comes round to it.
void retire(QWidget& widget);

}  // namespace tileloom
