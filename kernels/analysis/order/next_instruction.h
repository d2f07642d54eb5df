// SPDX-License-Identifier: GPL-3.0-or-later
// The search forwards in a warp's stream of instructions, with wrap-around.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// The first instruction of the warp, from this index on, for which `wanted` holds; the search
// continues at the first instruction after the last. std::nullopt: there is none.
std::optional<std::uint32_t> nextInstruction(
    const emulator::Trace& trace, std::uint32_t warp, std::uint32_t from,
    const std::function<bool(const emulator::Instruction&)>& wanted);

}  // namespace tileloom::analysis
