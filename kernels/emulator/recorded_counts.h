// SPDX-License-Identifier: GPL-3.0-or-later
// The limits of a recording. A kernel that exceeds one gets a fault.
#pragma once

#include <cstdint>
#include <string>

namespace tileloom::emulator {

// Groups that a wait leaves in flight: Instruction::width of CopyWait, WaitProducts and WaitBoxes.
inline constexpr std::uint32_t kMostGroupsLeft = 15;
// Arrays of a block, with A, B and C: Instruction::array.
inline constexpr std::uint32_t kMostArrays = 128;
// Lines of a source: Instruction::line.
inline constexpr std::uint32_t kMostLines = 0xFFFF;

// The end of a fault's sentence if a wait leaves more groups in flight; else empty.
std::string tooManyGroups(std::uint32_t newest);

}  // namespace tileloom::emulator
