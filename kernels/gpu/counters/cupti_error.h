// SPDX-License-Identifier: GPL-3.0-or-later
// Turns what CUPTI refuses into a sentence that says what to do.
#pragma once

#include <string_view>

#include "kernels/base/error.h"
#include "kernels/gpu/counters/cupti_api.h"

namespace tileloom::gpu {

// `words` is CUPTI's name for the result, or nullptr. `doing` says what was attempted: "while
// counting". Trouble::Unsupported: the driver or the GPU does not permit it.
Error cuptiError(cupti::Result result, const char* words, std::string_view doing);

}  // namespace tileloom::gpu
