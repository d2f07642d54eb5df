// SPDX-License-Identifier: GPL-3.0-or-later
// What a turn of a kernel's main loop costs: from its machine code, and from the trace where
// machine code does not tell.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/register_banks.h"

namespace tileloom::analysis {

// Which shared loads of this kernel are paired, by its trace. Nothing is known of a listing that
// was recorded from another source than the program has, nor of products on tensor cores.
sass::PairedLoads pairedLoads(const sass::MachineCode& code);

// Of the recorded listing; `arithmetic` is one of the stage's, std::nullopt its usual one.
// std::nullopt: no listing of this tile is recorded, or its source has changed since, or it
// multiplies on tensor cores, of which the rules say nothing.
std::optional<sass::LoopCost> recordedLoopCost(const Stage& stage, const TileShape& tile,
                                               std::string_view arch,
                                               std::optional<Arithmetic> arithmetic = {});

}  // namespace tileloom::analysis
