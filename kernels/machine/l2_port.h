// SPDX-License-Identifier: GPL-3.0-or-later
// What L2 delivers to an SM of an H100 or H200 if four neighbours load the same lines, as blocks of
// a GEMM do: rule 65 of docs/hardware.md. If each SM loads its own lines, as `tileloom ceilings`
// measures it, it is half of that.
#pragma once

#include <string_view>

namespace tileloom::machine {

inline constexpr std::string_view kL2PortOf = "sm_90";

inline constexpr double kL2MostBytes = 64;    // per cycle, the upper bound of a fit (rule 35)
inline constexpr double kL2LoadBytes = 59.3;  // per cycle, to loads and copies of threads
inline constexpr double kL2BoxBytes = 85;     // per cycle, to TMA loads

}  // namespace tileloom::machine
