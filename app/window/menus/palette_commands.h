// SPDX-License-Identifier: GPL-3.0-or-later
// Commands of the palette that are not in the menus: rungs, lectures, examples and the terms of the
// glossary.
#pragma once

#include <string_view>
#include <vector>

#include "app/window/common/actions.h"

namespace tileloom {

class Window;
struct Term;

// The actions belong to `owner`.
std::vector<NamedAction> paletteCommands(QObject& owner, Window& window);

// Opens the glossary at this term; nullptr: at the last one.
void openGlossary(Window& window, const Term* term = nullptr);

}  // namespace tileloom
