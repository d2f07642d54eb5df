// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of one iteration of a kernel's main loop: from its machine code, and from the trace for
// what the machine code does not show.
#pragma once

#include <optional>
#include <string_view>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/register_banks.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {

// The paired shared loads of this kernel, by its trace. Nothing for a listing of another source
// than the program's, and for kernels on tensor cores.
sass::PairedLoads pairedLoads(const sass::MachineCode& code);

// For the recorded listing. std::nullopt: no listing of this tile is recorded, or its source has
// changed since, or it multiplies on tensor cores, which the rules do not cover.
std::optional<sass::LoopCost> recordedLoopCost(const Subject& subject, std::string_view arch);

}  // namespace tileloom::analysis
