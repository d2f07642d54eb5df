// SPDX-License-Identifier: GPL-3.0-or-later
// Which architectures a stage can be built for, and how the compiler knows them. This is the only
// place that says so; whoever builds, lists, measures or searches asks here.
#pragma once

#include <string>
#include <string_view>

#include "kernels/tile/architecture.h"
#include "kernels/tile/stage.h"

namespace tileloom {

// Why the stage cannot be built for `arch` in this arithmetic, and what to do instead, in one
// sentence; empty: it can. Not asked here: whether a compiler knows the architecture.
std::string whyNotFor(const Stage& stage, Arithmetic arithmetic, const Architecture& arch);
// The same in the stage's usual arithmetic.
bool canBeBuiltFor(const Stage& stage, const Architecture& arch);

// What the compiler is told for "sm_90": "sm_90a" for the rungs that take boxes, most of which use
// what no newer architecture has. To people it is "sm_90". For others it is their name: what such a
// rung uses there needs no "a".
std::string compilerTarget(const Stage& stage, std::string_view arch);

// How far the assembler ptxas is told to optimise the stage: "-O1"; empty: it is told nothing,
// which means -O3.
std::string assemblerOption(const Stage& stage);

// What compiles the stage, for people: "NVRTC 13.0", or "NVRTC 13.0, ptxas -O1" where the assembler
// is told something.
std::string compilerText(const Stage& stage, std::string_view nvrtcVersion);

// What has become of the main loop of a stage with a rewriter, for people: "main loop rewritten",
// or "main loop as compiled, because …". Empty for what has no rewriter (not rewritten, and no
// why).
std::string mainLoopText(bool rewritten, std::string_view whyNot);

}  // namespace tileloom
