// SPDX-License-Identifier: GPL-3.0-or-later
// What a kernel's time goes into: its main loop, and how many instructions of which class are in
// it. An instruction is an issue slot of a warp, whatever it does.
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
  Barrier,  // waits: for the block, or for copies
  Branch,
  Integer,  // addresses, counters, moves
  Other,
};
inline constexpr std::size_t kClasses = 9;

Class classOf(const Instruction& instruction);
std::string_view name(Class c);  // "FFMA", "LDS", …, "integer", "other"
char letter(Class c);            // that stands for it where there is no room: F L G S W B J I ·

struct Mix {
  std::array<int, kClasses> counts{};
  int total = 0;
  int asyncCopies = 0;  // of the Ldg: LDGSTS

  int of(Class c) const { return counts[static_cast<std::size_t>(c)]; }
  // Multiply-adds that a shared load pays for; 0 where there is no shared load.
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
  bool whole = false;  // there is no loop with an FFMA: all of the kernel stands for it
};

// The backward branch whose body has the most FFMAs; of equals the shortest, which is the
// innermost.
Loop mainLoop(const Listing& listing);

Mix mixOf(const Listing& listing, const Range& range);

}  // namespace tileloom::sass
