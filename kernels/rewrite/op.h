// SPDX-License-Identifier: GPL-3.0-or-later
// One machine instruction as the rewriter sees it: decoded, with the registers that it uses.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "kernels/sass/decode.h"

namespace tileloom::rewrite {

struct Op {
  sass::Decoded code;
  sass::RegisterUse reads;
  sass::RegisterUse writes;
  std::size_t at = 0;  // its index in the kernel that it comes from

  static Op of(sass::Decoded code, std::size_t at);
  bool never() const;  // `@!PT`: a placeholder that is never executed
  bool guarded() const { return code.guard != sass::Guard{}; }
};

// A multiply-add of three plain general registers.
struct MultiplyAdd {
  int result = 0;
  std::array<int, 2> factors{};
  int addend = 0;
};
// std::nullopt: it is another instruction, or one that negates, saturates or has a guard.
std::optional<MultiplyAdd> multiplyAddOf(const sass::Decoded& code);

// The registers that an unguarded shared load writes: 1, 2 or 4 neighbours for 32, 64 or 128 bits.
struct LoadedWords {
  int first = 0;
  int count = 0;
  bool operator==(const LoadedWords&) const = default;
};
std::optional<LoadedWords> loadedWordsOf(const sass::Decoded& code);

// Whether the number of the operand is that of general registers other than RZ.
bool namesRegisters(const sass::DecodedOperand& operand);

// Whether the two sets have a register or a predicate in common.
bool overlap(const sass::RegisterUse& a, const sass::RegisterUse& b);
sass::RegisterUse united(sass::RegisterUse a, const sass::RegisterUse& b);
sass::RegisterUse without(sass::RegisterUse a, const sass::RegisterUse& b);
bool empty(const sass::RegisterUse& a);

}  // namespace tileloom::rewrite
