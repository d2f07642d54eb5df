// SPDX-License-Identifier: GPL-3.0-or-later
// Explains the part of the window that the user clicked or moved to last (F1).
#pragma once

#include <QString>

class QWidget;

namespace tileloom {

class Window;
class Page;

// Rich text: the name of the page, its purpose, and its present content, or why it is empty.
QString explanationOf(const Window& window, const Page& page);

// Rich text on a panel, a bar or a control beside the pages; empty: `widget` is in none of these.
QString explanationOf(const Window& window, const QWidget* widget);

// Shows that over the page, until a click or a key.
void explainPage(Window& window, const Page& page);

// Shows what the user clicked or moved to last: a page, the loom, or what is beside them.
void explainHere(Window& window);

}  // namespace tileloom
