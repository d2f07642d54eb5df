// SPDX-License-Identifier: GPL-3.0-or-later
// What the window showed when it was closed: the next start shows it again.
#pragma once

#include <optional>

#include "app/session/session.h"
#include "app/window/settings.h"

namespace tileloom {

void keepSession(const Session& session, Settings& settings);
// std::nullopt: none is kept, or it is none that this version reads.
std::optional<Session> keptSession(const Settings& settings);

}  // namespace tileloom
