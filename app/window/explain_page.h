// SPDX-License-Identifier: GPL-3.0-or-later
// What a page below the loom shows, for somebody who asks: F1.
#pragma once

#include <QString>

namespace tileloom {

class MainWindow;
class Page;

// In rich text: its name, what it is for, and what of it is seen now, or why that is nothing.
QString explanationOf(const MainWindow& window, const Page& page);

// Shows that over the page, until a click or a key.
void explainPage(MainWindow& window, const Page& page);

}  // namespace tileloom
