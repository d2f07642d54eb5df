// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares the machine code of a kernel for execution.
#pragma once

#include "kernels/executor/launch.h"
#include "kernels/executor/operation.h"

namespace tileloom::executor {

// Where the fields of the launch are in constant bank 0, below the parameters. They were the same
// on all architectures from 8.0 to 9.0 (hardware.md, rule 89).
inline constexpr std::uint32_t kBlockSizeAt = 0x0, kGridSizeAt = 0xc, kStackAt = 0x28;

// An instruction that is unknown, or that this program cannot execute, is in Program::unknown: a
// kernel may have some that it never executes.
Program translated(const Launch& launch);

}  // namespace tileloom::executor
