// SPDX-License-Identifier: GPL-3.0-or-later
// The Help menu: the explanation of what the user clicked last, the tour, the command palette, the
// glossary and the keys.
#pragma once

#include <functional>
#include <vector>

#include "app/window/common/actions.h"

namespace tileloom {

class Window;

// `commands` returns what the palette offers.
void addHelpMenu(Window& window, const std::function<std::vector<NamedAction>()>& commands);

}  // namespace tileloom
