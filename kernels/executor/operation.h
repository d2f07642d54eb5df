// SPDX-License-Identifier: GPL-3.0-or-later
// A machine instruction, prepared for execution: which function executes it, and the rows that it
// reads and writes.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "kernels/executor/accumulation.h"
#include "kernels/executor/registers.h"

namespace tileloom::executor {

class Warp;
struct Operation;

using Execute = void (*)(Warp&, const Operation&);

// A source: a row of the warp's registers, or one of Program::fixed.
struct Source {
  std::uint16_t row = kZeroRow;
  std::uint16_t upper = kZeroRow;  // of 64 bits: the row with the other half
  bool fixed = false;
  bool negative = false;    // the number with the other sign
  bool complement = false;  // all bits inverted
  bool absolute = false;    // without its sign, before `negative`
  std::uint8_t half = 0;    // of a pair of 16-bit numbers: 2 the lower one twice, 3 the upper one
};

struct PredicateSource {
  std::uint8_t number = sass::kTruePredicate;
  bool negated = false;
  bool uniform = false;
};

struct PredicateResult {
  std::uint8_t number = sass::kTruePredicate;
  bool uniform = false;
};

// A comparison's truth by relation, as bits: less, equal, greater, unordered.
enum Relation : std::uint8_t { kLess = 1, kEqual = 2, kGreater = 4, kUnordered = 8 };
enum class Combine : std::uint8_t { And, Or, Xor };
enum class Rounding : std::uint8_t { Nearest, Down, Up, ToZero };

// Where the values of a result come from: how the origins of an instruction's sources pass to it
// (recorded/origins.h). `Lost`: it computes something new of them.
enum class Follow : std::uint8_t {
  Nothing,  // it writes no register
  Lost,
  Memory,  // the access says it, or the wgmma
  First,   // the result is source A, B or C
  Second,
  Third,
  Choice,    // A or B, by a predicate
  Bytes,     // bytes of A and C, which B names
  Upward,    // the lower half of A becomes the upper half
  Upper,     // the upper half of A
  Product,   // A * B
  Sum,       // A + B
  Fused,     // A * B + C
  Products,  // the same of two halves
  Sums,
  FusedPairs,
  Widened,  // a half as FP32
  Packed,   // two numbers as halves: A the upper one, B the lower one
  Shuffled,
  Transposed,
  Matrices,  // products of matrices in registers
};

struct Operation {
  Execute execute = nullptr;  // nullptr: this program cannot execute it
  PredicateSource guard;
  std::uint16_t result = kWasteRow;       // the first of its rows
  std::uint16_t resultUpper = kWasteRow;  // of 64 bits
  Source a, b, c;
  PredicateSource p, q, r;
  PredicateResult first, second;

  // What of these an instruction uses depends on its function.
  bool isSigned = true;
  bool uniform = false;  // executed once for the warp, whatever lanes are active
  bool right = false, upperHalf = false, wraps = false, wide = false;  // of shifts
  bool extended = false;                                               // of comparisons
  bool saturates = false, flushes = false, clamps = false;             // clamps: nothing below 0
  bool secondSigned = false;  // of a product of integers: its second factor
  bool transposed = false;    // of matrices
  std::uint8_t relation = 0;
  std::uint8_t kind = 0;
  Combine combine = Combine::And;
  Rounding rounding = Rounding::Nearest;
  std::uint32_t table = 0, secondTable = 0;
  int shift = 0;
  int bytes = 4;                                        // of an access
  bool extendsSign = false;                             // of an access to fewer than 4 bytes
  bool commits = false;                                 // a wgmma that ends a group
  bool strong = false;                                  // of a load: other blocks may write it
  std::int64_t offset = 0;                              // of an address
  std::uint16_t base = kZeroRow, baseUpper = kZeroRow;  // its rows
  std::uint16_t uniformBase = kZeroRow;
  std::uint16_t globalBase = kZeroRow, globalBaseUpper = kZeroRow;  // of a copy: where it reads
  std::int64_t globalOffset = 0;
  int scale = 1;
  Accumulation accumulation;
  std::uint32_t target = 0;  // of a branch: the number of an instruction
  Follow follow = Follow::Nothing;
  std::uint8_t written = 0;  // general registers of its result
};

// The instructions of a kernel for one launch: constants have their values.
struct Program {
  std::vector<Operation> operations;
  std::vector<Row> fixed;
  std::unordered_map<std::uint32_t, std::uint16_t> fixedAt;  // by value, the place in `fixed`
  std::uint32_t stackBytes = 0;                              // of a thread
  std::vector<std::vector<std::uint8_t>> constants;          // by bank
  std::vector<std::string>
      unknown;  // by number, why an instruction cannot be executed, if it cannot
};

}  // namespace tileloom::executor
