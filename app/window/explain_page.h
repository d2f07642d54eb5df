// SPDX-License-Identifier: GPL-3.0-or-later
// Explains the page below the loom (F1).
#pragma once

#include <QString>

namespace tileloom {

class MainWindow;
class Page;

// Rich text: the name of the page, its purpose, and its present content, or why it is empty.
QString explanationOf(const MainWindow& window, const Page& page);

// Shows that over the page, until a click or a key.
void explainPage(MainWindow& window, const Page& page);

}  // namespace tileloom
