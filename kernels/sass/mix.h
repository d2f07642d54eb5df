// SPDX-License-Identifier: GPL-3.0-or-later
// Where a kernel spends its time: its main loop, and the number of instructions of each class in
// it. Each instruction takes one issue slot of its warp, whatever it does.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/sass/listing.h"

namespace tileloom::sass {

enum class Class {
  Ffma,     // multiply-add of floats
  Hmma,     // mma: product of 16-bit matrices on a tensor core, by the whole warp
  Hgmma,    // wgmma: the same by a warpgroup, whose tensor cores read shared memory
  Lds,      // shared memory to registers
  Ldsm,     // the same of matrices, by the whole warp: ldmatrix
  Ldg,      // global memory to registers, or by cp.async or TMA to shared memory
  Sts,      // registers to shared memory
  Stg,      // registers to global memory
  Barrier,  // waits for the block, for asynchronous copies, for wgmma, or for an mbarrier phase
  Branch,
  Integer,  // addresses, counters, moves
  Other,
};
inline constexpr std::size_t kClasses = 12;

Class classOf(const Instruction& instruction);
std::string_view name(Class c);  // "FFMA", "LDS", …, "integer", "other"
char letter(Class c);            // abbreviation: F H P L M G S W B J I x

// Multiply-adds of all 32 threads of a warp together: 32 of an FFMA, 2,048 of an HMMA.16816, and
// for an HGMMA a quarter of its warpgroup's. 0: it has none, or multiplies matrices of another
// shape than the rungs use.
int multiplyAddsOf(const Instruction& instruction);

struct Mix {
  std::array<int, kClasses> counts{};
  int total = 0;
  int asyncCopies = 0;            // those counted as Ldg: LDGSTS, UTMALDG
  std::int64_t multiplyAdds = 0;  // of the warp's threads together

  int of(Class c) const { return counts[static_cast<std::size_t>(c)]; }
  // Multiply-adds per shared load; 0 if there is no shared load.
  double ffmaPerLds() const;
  // The same on tensor cores: mma instructions of the warp per matrix load.
  double hmmaPerLdsm() const;
  // Multiply-adds per instruction of any class; 0 if there is no instruction.
  double multiplyAddsPerInstruction() const;
  // Whether it multiplies on tensor cores, with how many instructions, and with which.
  bool onTensorCores() const { return tensorProducts() > 0; }
  int tensorProducts() const { return of(Class::Hmma) + of(Class::Hgmma); }
  Class tensorProduct() const { return of(Class::Hgmma) > 0 ? Class::Hgmma : Class::Hmma; }
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
  bool whole = false;  // no loop has a multiply-add, so this is the whole kernel
};

// The loop, that is the range that a backward branch closes, with the most multiply-adds, of FFMAs
// or on tensor cores. Among loops with the same number it is the shortest, which is the innermost.
Loop mainLoop(const Listing& listing);

Mix mixOf(const Listing& listing, const Range& range);

}  // namespace tileloom::sass
