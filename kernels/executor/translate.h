// SPDX-License-Identifier: GPL-3.0-or-later
// Prepares the machine code of a kernel for execution.
#pragma once

#include "kernels/executor/launch.h"
#include "kernels/executor/operation.h"

namespace tileloom::executor {

// Where the fields of the launch are in constant bank 0, below the parameters (hardware.md, rule
// 89).
struct LaunchFields {
  std::uint32_t blockSize, gridSize, stack;  // three words, three words, one
};
constexpr LaunchFields launchFieldsOf(int capability) {
  return capability >= 100 ? LaunchFields{0x360, 0x370, 0x37c} : LaunchFields{0x0, 0xc, 0x28};
}

// The bytes of a thread's stack: at least what CUDA gives by default, for calls whose depth the
// file does not know.
std::uint32_t stackBytes(const Launch& launch);

// An instruction that is unknown, or that this program cannot execute, is in Program::unknown: a
// kernel may have some that it never executes.
Program translated(const Launch& launch);

}  // namespace tileloom::executor
