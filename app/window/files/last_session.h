// SPDX-License-Identifier: GPL-3.0-or-later
// The session of the window at its end, which the next start restores.
#pragma once

#include <optional>

#include "app/session/session.h"
#include "app/window/common/settings.h"

namespace tileloom {

void keepSession(const Session& session, Settings& settings);
// std::nullopt: there is none, or this version cannot read it.
std::optional<Session> keptSession(const Settings& settings);

}  // namespace tileloom
