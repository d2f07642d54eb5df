// SPDX-License-Identifier: GPL-3.0-or-later
// The "session" of a lecture's step: a step says only in what it differs from the one before it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "app/session/session.h"

namespace tileloom::lecture {

// Whether both set the window to the same, as far as a lecture sets it.
bool sameScene(const Session& a, const Session& b);

// What `members` make of the step before; what they say wrongly changes nothing.
Session sessionAfter(const Session& before, const nlohmann::ordered_json& members);

// The members that make `wanted` of the step before. Those that are `given` stay as long as they
// are right; others are added where something else would be inherited.
nlohmann::ordered_json membersFor(const Session& wanted, const Session& before,
                                  nlohmann::ordered_json given);

// The same for what the window shows now: with its instant, and with all that a session always
// says, so that the step can be read alone.
nlohmann::ordered_json membersOfWindow(const Session& shown, const Session& before);

}  // namespace tileloom::lecture
