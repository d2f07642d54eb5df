// SPDX-License-Identifier: GPL-3.0-or-later
// The verdict on what limits a launch, as all commands write it.
#pragma once

#include <optional>

#include "app/commands/common/json.h"
#include "kernels/model/why/limit.h"

namespace tileloom::app {

// {"name", "share", "of", "ms", "sentence"}; null where it is not known.
Json limitJson(const std::optional<model::Limit>& limit);

}  // namespace tileloom::app
