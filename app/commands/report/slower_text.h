// SPDX-License-Identifier: GPL-3.0-or-later
// Says in reports that memory was made slower.
#pragma once

#include <string>

#include "kernels/timeline/costs.h"

namespace tileloom::app {

// ", with memory 1,500 cycles slower", or empty.
std::string slowerText(const timeline::Costs& costs);

}  // namespace tileloom::app
