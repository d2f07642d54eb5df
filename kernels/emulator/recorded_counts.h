// SPDX-License-Identifier: GPL-3.0-or-later
// What a recording has room for. A kernel that goes beyond is told so, as a fault.
#pragma once

#include <cstdint>
#include <string>

namespace tileloom::emulator {

// Groups that a wait leaves under way: Instruction::width of CopyWait, WaitProducts and WaitBoxes.
inline constexpr std::uint32_t kMostGroupsLeft = 15;
// Arrays of a block, A, B and C among them: Instruction::array.
inline constexpr std::uint32_t kMostArrays = 128;
// Lines of a source: Instruction::line.
inline constexpr std::uint32_t kMostLines = 0xFFFF;

// The end of a fault's sentence where a wait leaves more groups under way; else empty.
std::string tooManyGroups(std::uint32_t newest);

}  // namespace tileloom::emulator
