// SPDX-License-Identifier: GPL-3.0-or-later
// The "session" of a lecture's step: only the differences from the previous step.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/session/session.h"

namespace tileloom::lecture {

// Whether both set the window to the same state, in the members that a lecture sets.
bool sameScene(const Session& a, const Session& b);

// Applies `members` to the previous step; wrong members are ignored.
Session sessionAfter(const Session& before, const nlohmann::ordered_json& members);

// The members that turn the previous step into `wanted`. `given` members stay if they are right;
// others are added if a wrong value would be inherited.
nlohmann::ordered_json membersFor(const Session& wanted, const Session& before,
                                  nlohmann::ordered_json given);

// The same for the state of the window: with its instant, and with all members that a session
// always has, so that the step can be read alone.
nlohmann::ordered_json membersOfWindow(const Session& shown, const Session& before);

}  // namespace tileloom::lecture
