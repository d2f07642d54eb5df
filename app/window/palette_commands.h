// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette offers beside the entries of the menus: rungs, lectures, examples and
// the words of the glossary.
#pragma once

#include <string_view>
#include <vector>

#include "app/window/actions.h"

namespace tileloom {

class MainWindow;
struct Term;

// The actions belong to `owner`.
std::vector<NamedAction> paletteCommands(QObject& owner, MainWindow& window);

// The words by which somebody may look for a page: those of the glossary that it shows.
QString wordsOfPage(std::string_view id);

// Opens the glossary at this word; nullptr: where it was.
void openGlossary(MainWindow& window, const Term* term = nullptr);

}  // namespace tileloom
