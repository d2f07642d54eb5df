// SPDX-License-Identifier: GPL-3.0-or-later
// Rules that several families have, and the words of their sentences.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/tile/constraints.h"

namespace tileloom::families {

inline int at(const Candidate& c, Parameter parameter) {
  return c.tile[parameter];
}

inline bool divides(long long part, long long whole) {
  return part > 0 && whole % part == 0;
}

// A count in a sentence: "1,024".
std::string n(long long count);

// "BM = 128 is not a multiple of WM = 48, so WHAT"
std::string uneven(const Candidate& c, Parameter part, Parameter whole, std::string_view what);

// The registers that a thread of a multiplying warp may have.
int registerCeiling(const Candidate& c);

// Elements in the tiles of B, where C is staged after the main loop; and the sentence for
// `elements` of C that do not fit there, `rows` at a time.
long long roomForC(const Candidate& c);
std::string noRoomForC(const Candidate& c, std::string_view rows, long long elements);

// The most rows or columns of a TMA box.
inline constexpr int kBoxSide = 256;

// `applies`: as Constraint::applies.
using Applies = bool (*)(const Stage&);
// Only of a rung with a format that the program cannot multiply, or that TMA and wgmma do not have
// here: no tile is legal.
Constraint formats();
Constraint range();
Constraint threads();
Constraint warpRows(Applies applies = nullptr);
Constraint warpColumns(Applies applies = nullptr);
Constraint box();
Constraint swizzle(Applies applies = nullptr);
Constraint swizzleRowA(Applies applies = nullptr);
Constraint swizzleRowB(Applies applies = nullptr);
Constraint sharedMemory(Applies applies = nullptr);
Constraint registers(Applies applies = nullptr);

}  // namespace tileloom::families
