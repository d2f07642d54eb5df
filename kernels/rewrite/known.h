// SPDX-License-Identifier: GPL-3.0-or-later
// The instructions that the rewriter can place. The decoder knows more: those of other people's
// kernels, whose latency, scoreboards and registers the rewriter's rules have not been checked for.
#pragma once

#include <string>
#include <string_view>

#include "kernels/sass/decode.h"

namespace tileloom::rewrite {

// An instruction of Effect::Call that goes on behind one of the calls.
inline constexpr std::string_view kReturn = "RET";

// Each is empty, or a sentence without a full stop on why the kernel is not rewritten.
// Anywhere in the kernel: what is executed after it must be known, or nothing is known of the
// registers that are live around the loop.
std::string whyNotInKernel(const sass::Decoded& code);
// In the main loop, besides.
std::string whyNotInLoop(const sass::Decoded& code);

}  // namespace tileloom::rewrite
