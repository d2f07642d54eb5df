// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the palette that are not in the menus: rungs, lectures, examples and the terms of the
// glossary.
#pragma once

#include <string_view>
#include <vector>

#include "app/window/actions.h"

namespace tileloom {

class MainWindow;
struct Term;

// The actions belong to `owner`.
std::vector<NamedAction> paletteCommands(QObject& owner, MainWindow& window);

// Search words for a page: the terms of the glossary that it shows.
QString wordsOfPage(std::string_view id);

// Opens the glossary at this term; nullptr: at the last one.
void openGlossary(MainWindow& window, const Term* term = nullptr);

}  // namespace tileloom
