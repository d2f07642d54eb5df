// SPDX-License-Identifier: GPL-3.0-or-later
// The variables of a module (__device__, __constant__) in a launch: their addresses and their
// initial values.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/executor/launch.h"

namespace tileloom::executor {

// The most bytes of all variables together.
inline constexpr std::uint64_t kMostVariableBytes = std::uint64_t{1} << 30;

// The memory of all variables, placed, as it is before a launch: __device__ ones, then the constant
// bank of __constant__ ones. A module without variables has no such buffer.
std::vector<Buffer> variablesOf(const sass::Module& module);

// Writes the addresses of variables into a constant bank or into initial values. A name that is not
// a variable, as of a function of CUDA, gets an address at which there is nothing.
void writeAddresses(const sass::Module& module, std::span<const sass::Relocation> relocations,
                    std::vector<std::uint8_t>& bytes, std::uint64_t from = 0);

}  // namespace tileloom::executor
