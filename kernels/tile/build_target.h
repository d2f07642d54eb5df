// SPDX-License-Identifier: GPL-3.0-or-later
// Which architectures a stage can be built for, and their names for the compiler. Only this file
// says so; builds, listings, measurements and searches use it.
#pragma once

#include <string>
#include <string_view>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom {

// Why the stage cannot be built for `arch` in this format, and what to do instead, in one
// sentence; empty: it can. It does not check whether a compiler supports the architecture.
std::string whyNotFor(const Stage& stage, Format format, const Architecture& arch);
// The same in the stage's usual format.
bool canBeBuiltFor(const Stage& stage, const Architecture& arch);

// The compiler's name for "sm_90": "sm_90a" for the rungs that use TMA, most of which use features
// that no newer architecture has. On the screen it is "sm_90". Other architectures keep their
// names: what such a rung uses there needs no "a". A rung with an instruction that only an
// architecture's own target has (MmaRow::ownTarget) gets the "a" everywhere.
std::string compilerTarget(const Stage& stage, std::string_view arch);

// The optimisation level that ptxas gets for the stage: "-O1"; empty: none is passed, which means
// -O3.
std::string assemblerOption(const Stage& stage);

// What compiles the stage, for the screen: "NVRTC 13.0", or "NVRTC 13.0, ptxas -O1" where ptxas
// gets an option.
std::string compilerText(const Stage& stage, std::string_view nvrtcVersion);

// Whether the main loop of a stage with a rewriter was rewritten, for the screen: "main loop
// rewritten", or "main loop as compiled, because …". Empty without a rewriter (not rewritten, and
// no reason).
std::string mainLoopText(bool rewritten, std::string_view whyNot);

}  // namespace tileloom
