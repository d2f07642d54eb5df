// SPDX-License-Identifier: GPL-3.0-or-later
// An explanation of a tile's speed as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "app/commands/json.h"
#include "kernels/model/why.h"

namespace tileloom::app {

std::string whyText(const model::WhySlow& why, const std::optional<model::WhyMoved>& moved);
Json whyJson(const model::WhySlow& why, const std::optional<model::WhyMoved>& moved);

}  // namespace tileloom::app
