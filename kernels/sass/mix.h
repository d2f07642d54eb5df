// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel spends its time: its main loop, and the number of instructions of each class in
// it. Each instruction takes one issue slot of its warp, whatever it does.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "kernels/sass/listing.h"

namespace tileloom::sass {

enum class Class {
  Ffma,     // multiply-add of floats
  Lds,      // shared memory to registers
  Ldg,      // global memory to registers, or by an asynchronous copy to shared memory
  Sts,      // registers to shared memory
  Stg,      // registers to global memory
  Barrier,  // waits for the block or for asynchronous copies
  Branch,
  Integer,  // addresses, counters, moves
  Other,
};
inline constexpr std::size_t kClasses = 9;

Class classOf(const Instruction& instruction);
std::string_view name(Class c);  // "FFMA", "LDS", …, "integer", "other"
char letter(Class c);            // used for it where there is little room: F L G S W B J I ·

struct Mix {
  std::array<int, kClasses> counts{};
  int total = 0;
  int asyncCopies = 0;  // those counted as Ldg: LDGSTS

  int of(Class c) const { return counts[static_cast<std::size_t>(c)]; }
  // Multiply-adds per shared load; 0 if there is no shared load.
  double ffmaPerLds() const;
  bool operator==(const Mix&) const = default;
};

// Instructions [begin, end) of a listing.
struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::size_t size() const { return end - begin; }
  bool operator==(const Range&) const = default;
};

struct Loop {
  Range range;
  bool whole = false;  // no loop has an FFMA, so that this is the whole kernel
};

// The loop, that is the range that a backward branch closes, with the most FFMAs. Among loops with
// equally many it is the shortest, which is the innermost.
Loop mainLoop(const Listing& listing);

Mix mixOf(const Listing& listing, const Range& range);

}  // namespace tileloom::sass
