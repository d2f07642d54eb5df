// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts of a shared array: plain rows, rows with padding words between them, or a swizzle. A
// layout is a value; it maps a word of plain rows, row * length + column, to a word of the array.
//
// A word has 32 bits: in an array of 16-bit elements it is two of them.
//
//   plain          row * length + column
//   pad:P          row * (length + P) + column
//   swizzle:B,M,S  with w = row * length + column, bits M to M+B-1 of w are XORed with the B bits
//                  that are S further up, as CuTe's Swizzle<B, M, S> does with elements: chunks
//                  of 2^M words change places within groups of 2^B chunks
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace tileloom::analysis {

// The shape of a shared array in a recording: `rows` rows of `length` used words, `pitch` words
// from one row to the next. The K tiles that it holds at a time are one after the other.
struct ArrayShape {
  std::uint32_t rows = 0;
  std::uint32_t length = 0;
  std::uint32_t pitch = 0;
  // For an array that the kernel swizzles itself: the place of word row * length + column of a K
  // tile, and the word at a place; K tiles are one after the other. Empty: in rows.
  std::vector<std::uint32_t> standing = {}, holding = {};

  bool inRows() const { return standing.empty(); }
  std::uint32_t words() const { return rows * length; }  // that are used
  bool operator==(const ArrayShape&) const = default;
};

enum class LayoutForm : std::uint8_t { Recorded, Plain, Padded, Swizzled };

inline constexpr std::uint32_t kMostPad = 32;         // as many words as banks
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
  // The words of a group, which change places only with each other: chunks times words per chunk.
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
  // Values that its form does not use are not compared.
  bool operator==(const ArrayLayout& other) const;
};

// "recorded", "plain", "pad:4", "swizzle:3,2,5": as parseLayout() reads it; its error is one
// sentence without a full stop.
std::string layoutText(const ArrayLayout& layout);
tl::expected<ArrayLayout, std::string> parseLayout(std::string_view text);

// The same, with an optional unit after a swizzle: "swizzle:3,3,3:elements" counts elements, as
// CuTe does, of which a word has `perWord` (1 or 2), and "swizzle:3,2,3:words" counts words, the
// default.
struct LayoutInUnits {
  ArrayLayout layout;  // in words
  bool unitGiven = false;
};
tl::expected<LayoutInUnits, std::string> parseLayoutInUnits(std::string_view text,
                                                            std::uint32_t perWord);

// "Swizzle<3,3,3>": the swizzle as CuTe writes it, for `perWord` elements in a word.
std::string cuteText(const Swizzle& swizzle, std::uint32_t perWord);

// Empty, or one sentence on why the layout cannot hold an array of this shape: a swizzle would lose
// words or map two to one.
std::string whyNoLayout(const ArrayLayout& layout, const ArrayShape& shape);

// For a layout that can hold it: words that the array takes, with padding; the place of the word at
// row and column, and the word at a place, as row * length + column, or kSpare.
inline constexpr std::uint32_t kSpare = 0xFFFFFFFF;
std::uint32_t wordsTaken(const ArrayLayout& layout, const ArrayShape& shape);
std::uint32_t wordOf(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t row,
                     std::uint32_t column);
std::uint32_t standsAt(const ArrayLayout& layout, const ArrayShape& shape, std::uint32_t word);

// The source bits of the swizzle for rows of this length: "with row / 2 % 8", or bits of the word's
// number where the row length is not a power of two.
std::string swizzleSource(const Swizzle& swizzle, const ArrayShape& shape);

// The swizzle that kernels usually have: chunks of 16 bytes, over all banks, by the rows' numbers.
Swizzle usualSwizzle(const ArrayShape& shape);

}  // namespace tileloom::analysis
