// SPDX-License-Identifier: GPL-3.0-or-later
// How a shared array could lie in its words: plain rows, rows with spare words between them, or a
// swizzle. A layout is a value; it maps a word of plain rows, row * length + column, to the word of
// the array where it stands.
//
// A word has 32 bits: of an array of 16-bit elements it is two of them.
//
//   plain          row * length + column
//   pad:P          row * (length + P) + column
//   swizzle:B,M,S  with w = row * length + column, bits M to M+B-1 of w are XORed with the B bits
//                  that stand S further up, as CuTe's Swizzle<B, M, S> does with elements: chunks
//                  of 2^M words change places within groups of 2^B chunks
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::analysis {

// What a recording says of a shared array: `rows` rows of `length` words that are used, `pitch`
// words from one row to the next. The K tiles that it holds at a time lie one behind the other.
struct ArrayShape {
  std::uint32_t rows = 0;
  std::uint32_t length = 0;
  std::uint32_t pitch = 0;
  // Of an array that the kernel swizzles itself: where word row * length + column of a K tile
  // stands, and which one stands at a word; one K tile lies behind the other. Empty: in rows.
  std::vector<std::uint32_t> standing = {}, holding = {};

  bool inRows() const { return standing.empty(); }
  std::uint32_t words() const { return rows * length; }  // that are used
  bool operator==(const ArrayShape&) const = default;
};

enum class LayoutForm : std::uint8_t { Recorded, Plain, Padded, Swizzled };

inline constexpr std::uint32_t kMostPad = 32;         // a row as many banks on as there are
inline constexpr std::uint32_t kMostSwizzleBits = 5;  // 32 chunks
inline constexpr std::uint32_t kMostSwizzleBase = 5;  // chunks of 128 bytes
inline constexpr std::uint32_t kMostSwizzleShift = 16;

struct Swizzle {
  std::uint32_t bits = 3;   // B
  std::uint32_t base = 2;   // M
  std::uint32_t shift = 5;  // S, at least `bits`

  constexpr std::uint32_t operator()(std::uint32_t word) const {
    return word ^ ((word >> (base + shift) & ((1u << bits) - 1)) << base);
  }
  // Words that change places with each other only: chunks times what one chunk has.
  constexpr std::uint32_t group() const { return 1u << (base + bits); }
  bool operator==(const Swizzle&) const = default;
};

struct ArrayLayout {
  LayoutForm form = LayoutForm::Recorded;
  std::uint32_t pad = 4;  // words per row, of Padded
  Swizzle swizzle = {};   // of Swizzled

  static ArrayLayout plain() { return {LayoutForm::Plain}; }
  static ArrayLayout padded(std::uint32_t words) { return {LayoutForm::Padded, words}; }
  static ArrayLayout swizzled(const Swizzle& s) { return {LayoutForm::Swizzled, 4, s}; }
  // What does not count for its form makes no difference.
  bool operator==(const ArrayLayout& other) const;
};

// "recorded", "plain", "pad:4", "swizzle:3,2,5": what parseLayout() reads, which else gives one
// sentence without a full stop.
std::string layoutText(const ArrayLayout& layout);
tl::expected<ArrayLayout, std::string> parseLayout(std::string_view text);

// The same, where a unit may stand behind a swizzle: "swizzle:3,3,3:elements" counts elements, as
// CuTe does, of which a word has `perWord` (1 or 2), and "swizzle:3,2,3:words" words, as without
// one.
struct LayoutInUnits {
  ArrayLayout layout;  // in words
  bool unitGiven = false;
};
tl::expected<LayoutInUnits, std::string> parseLayoutInUnits(std::string_view text,
                                                            std::uint32_t perWord);

// "Swizzle<3,3,3>": the swizzle as CuTe writes it for elements of which a word has so many.
std::string cuteText(const Swizzle& swizzle, std::uint32_t perWord);

// Empty, or one sentence on why the layout cannot hold an array of this shape: a swizzle would lose
// words or put two into one.
std::string whyNoLayout(const ArrayLayout& layout, const ArrayShape& shape);

// For a layout that can hold it: words that the array takes, spare ones included; where the word at
// row and column stands, and which word stands there, as row * length + column, or kSpare.
inline constexpr std::uint32_t kSpare = 0xFFFFFFFF;
std::uint32_t wordsTaken(const ArrayLayout& layout, const ArrayShape& shape);
std::uint32_t wordOf(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t row,
                     std::uint32_t column);
std::uint32_t standsAt(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t word);

// What the swizzle's shift means for rows of this length: "with row / 2 % 8", or with bits of the
// word's number where rows are no power of two long.
std::string swizzleSource(const Swizzle& swizzle, const ArrayShape& shape);

// The swizzle that kernels usually have: chunks of 16 bytes, over all banks, by the rows' numbers.
Swizzle usualSwizzle(const ArrayShape& shape);

}  // namespace tileloom::analysis
