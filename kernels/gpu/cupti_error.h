// SPDX-License-Identifier: GPL-3.0-or-later
// What CUPTI refuses, as a sentence that says what to do.
#pragma once

#include <string_view>

#include "kernels/base/error.h"
#include "kernels/gpu/cupti_api.h"

namespace tileloom::gpu {

// `words` is CUPTI's name for the result, or nullptr; `doing` says what was tried: "while
// counting". Trouble::Unsupported: the driver or the GPU does not permit it.
Error cuptiError(cupti::Result result, const char* words, std::string_view doing);

}  // namespace tileloom::gpu
