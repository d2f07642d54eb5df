// SPDX-License-Identifier: GPL-3.0-or-later
// Measured runs as a table.
#pragma once

#include <span>
#include <string>

#include "kernels/runs/run_record.h"

namespace tileloom::app {

// A row each, in this order. Unknown figures are a dash.
std::string runsTable(std::span<const runs::RunRecord> runs);

}  // namespace tileloom::app
