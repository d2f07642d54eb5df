// SPDX-License-Identifier: GPL-3.0-or-later
// Machine code as text and as JSON.
#pragma once

#include <string>

#include "app/commands/common/json.h"
#include "kernels/sass/machine_code.h"

namespace tileloom::app {

// Header, figures and listing; `loopOnly`: of the listing only the main loop.
std::string sassText(const sass::MachineCode& code, bool loopOnly);
Json sassJson(const sass::MachineCode& code, bool loopOnly);

}  // namespace tileloom::app
