// SPDX-License-Identifier: GPL-3.0-or-later
// Names of kernels as their source has them: "gemm<128, 64>" of "_Z4gemmILi128ELi64EEvPf".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/sass/cubin/module.h"

namespace tileloom::sass {

// With the types of its parameters: "gemm(int, float*)". A name that is not mangled, or has more
// than 4,096 characters, stays as it is.
std::string demangled(std::string_view name);
// Without them, and without the type of its result: "gemm<128, 64>".
std::string kernelTitle(std::string_view name);

// The kernels that a user may mean: those with this mangled name or this title; else those with
// the text in either name. Spaces, and the letters of a number ("8u", "8ul"), do not count. Of
// arguments of a template that no name has ("gemm<half>", whose name has __half) only the name
// before them counts. An empty text means all.
std::vector<const KernelImage*> kernelsNamed(const Module& module, std::string_view text);

}  // namespace tileloom::sass
