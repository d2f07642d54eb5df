// SPDX-License-Identifier: GPL-3.0-or-later
// What the judges have found, as JSON.
#pragma once

#include "app/commands/common/json.h"
#include "kernels/emulator/fault.h"

namespace tileloom::app {

Json faultsJson(const emulator::FaultLog& faults);

}  // namespace tileloom::app
