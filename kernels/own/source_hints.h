// SPDX-License-Identifier: GPL-3.0-or-later
// First guesses of how a kernel is launched, from its text: what its parameters are by their names
// (A, lda, alpha, M), the formats of its matrices, and the threads of <<<grid, threads>>>. They are
// guesses, and launch_search.h tries them.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/own/launch_file.h"

namespace tileloom::own {

struct SourceHints {
  // In the order of the kernel's; empty: a name says nothing. The type of a matrix whose type the
  // text does not say is empty.
  std::vector<Parameter> parameters;
  // Threads of a block along x, y and z, each a whole number.
  std::vector<std::array<std::string, 3>> threads;
};

// `kernel`: its name without arguments of a template and without namespaces. Of several kernels of
// this name the one with the given number of parameters counts.
SourceHints hintsFrom(std::string_view text, std::string_view kernel, std::size_t parameters);

// The names of the kernels that the text declares, each once, in their order.
std::vector<std::string> kernelsIn(std::string_view text);

// "gemm" of "space::gemm<128, 64>".
std::string_view baseName(std::string_view title);

}  // namespace tileloom::own
