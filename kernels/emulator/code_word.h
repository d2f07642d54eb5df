// SPDX-License-Identifier: GPL-3.0-or-later
// What a lane executed, without its data, in one word: lanes of a warp that executed the same have
// equal streams of these words. Each field has a name and a width here, and nothing else knows
// where it is.
#pragma once

#include <cstdint>

#include "kernels/emulator/recorded_counts.h"
#include "kernels/emulator/trace.h"

namespace tileloom::emulator {

// A part of a code word: the place and the width of a number, in bits.
struct CodeField {
  int shift, width;
  constexpr std::uint64_t most() const { return (std::uint64_t{1} << width) - 1; }
  // A larger value is cut off, so that it cannot change other fields.
  constexpr std::uint64_t of(std::uint32_t value) const { return (value & most()) << shift; }
  constexpr std::uint32_t in(std::uint64_t bits) const {
    return static_cast<std::uint32_t>(bits >> shift & most());
  }
};

class CodeWord {
 public:
  CodeWord() = default;  // without a value: buffers of code words are not cleared
  // `count`: Instruction::width. `parts`: elements in each 32-bit word.
  constexpr CodeWord(Kind kind, std::uint32_t count, std::uint32_t array, std::uint32_t line,
                     std::uint32_t parts = 1, bool turned = false)
      : bits_(kKind.of(static_cast<std::uint32_t>(kind)) | kCount.of(count) | kArray.of(array) |
              kLine.of(line) | kParts.of(parts) | kTurned.of(turned ? 1 : 0)) {}

  constexpr Kind kind() const { return static_cast<Kind>(kKind.in(bits_)); }
  constexpr std::uint32_t count() const { return kCount.in(bits_); }
  constexpr std::uint32_t array() const { return kArray.in(bits_); }
  constexpr std::uint32_t line() const { return kLine.in(bits_); }
  constexpr std::uint32_t parts() const { return kParts.in(bits_); }
  constexpr bool turned() const { return kTurned.in(bits_) != 0; }
  constexpr auto operator<=>(const CodeWord&) const = default;

 private:
  static constexpr CodeField kLine{0, 24}, kArray{24, 8}, kCount{32, 16}, kParts{48, 4},
      kTurned{52, 1}, kKind{56, 8};
  static_assert(kLine.shift + kLine.width <= kArray.shift &&
                    kArray.shift + kArray.width <= kCount.shift &&
                    kCount.shift + kCount.width <= kParts.shift &&
                    kParts.shift + kParts.width <= kTurned.shift &&
                    kTurned.shift + kTurned.width <= kKind.shift && kKind.shift + kKind.width <= 64,
                "two fields of a code word overlap");
  static_assert(static_cast<std::uint64_t>(Kind::Position) <= kKind.most(),
                "the kinds do not fit into a code word");
  static_assert(kMostArrays - 1 <= kArray.most(), "the arrays do not fit into a code word");
  static_assert(kMostLines <= kLine.most(), "the lines do not fit into a code word");
  static_assert(kMostGroupsLeft <= kCount.most(), "the counts do not fit into a code word");

  std::uint64_t bits_;
};

}  // namespace tileloom::emulator
