// SPDX-License-Identifier: GPL-3.0-or-later
// How many general registers hold a value that is still needed: the column that nvdisasm prints
// with `-lrm count`. docs/hardware.md (rule 92) has the comparison.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "kernels/sass/decode.h"

namespace tileloom::sass {

// For each instruction, the registers that are live before it or behind it, or that it writes.
// std::nullopt: a branch goes to an address that the code does not say (basicBlocks).
std::optional<std::vector<int>> liveRegisters(std::span<const Decoded> code);

}  // namespace tileloom::sass
