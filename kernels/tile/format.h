// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats of the elements of A, B and C, and of their sums. A new format is one row.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

enum class Format : std::uint8_t { Fp32, Bf16, Fp16, Tf32, E4m3, E5m2, E2m1, E8m0, Mxfp4, Nvfp4 };

// The widths of a stored element, in bits, from a part of a word to a whole one.
inline constexpr int kLeastElementBits = 4, kWordBits = 32;

// Factors that blocks of elements share: the value of an element is its own number times its
// block's factor.
struct SharedFactors {
  int elements = 0;              // along K that share one factor; 0: the format has no factors
  Format format = Format::Fp32;  // of a factor
};

struct FormatRow {
  Format format;
  std::string_view name;  // on the command line, and the constant ELEMENT of a tensor core kernel
  // Of one element of A, B or C as memory and registers store it: 4, 8, 16 or 32. Elements of 4
  // bits are two in a byte, the first one in its lower half. A format with fewer bits than its
  // place has the bits of the place: 8 for 6 bits, as mma.sync reads them, and 32 for the 19 of
  // TF32.
  int bits;
  std::string_view words;  // for the screen
  int major;               // the least compute capability that has it; 0.0: all have it
  int minor;
  // An element as its bits, in the lowest ones, and as the fp32 number that it equals exactly. The
  // first rounds to nearest, ties to even.
  std::uint32_t (*bitsOf)(float value);
  float (*valueOf)(std::uint32_t bits);

  SharedFactors factors = {};

  constexpr std::uint32_t elementsPerWord() const {
    return kWordBits / static_cast<std::uint32_t>(bits);
  }
  // Of elements that have a byte or more, 1.
  constexpr int elementsPerByte() const { return bits < 8 ? 8 / bits : 1; }
  // Bytes of consecutive elements without their factors, up to a whole byte: a row of a matrix
  // begins with a byte. Half an element's byte has no address, so bytes follow from a count only.
  constexpr long long bytesOf(std::integral auto elements) const {
    return (static_cast<long long>(elements) * bits + 7) / 8;
  }
  // The same of a mean count, without rounding.
  constexpr double bytesOf(double elements) const { return elements * bits / 8; }
  // Elements that `bytes` have room for.
  constexpr long long elementsIn(std::integral auto bytes) const {
    return static_cast<long long>(bytes) * 8 / bits;
  }
  // The fp32 number that an element holds after rounding.
  float rounded(float value) const { return valueOf(bitsOf(value)); }
};

std::span<const FormatRow> formats();
const FormatRow& rowOf(Format format);

// Why the program cannot multiply numbers of this format, in one sentence; empty: it can. Emulator,
// kernels and counts have no shared factors.
std::string whyNotMultiplied(const FormatRow& row);

// Those in which a rung calculates, in the order of the table.
std::span<const FormatRow* const> formatsOfRungs();

// The format of a rung with this name; the error lists them.
tl::expected<Format, std::string> formatNamed(std::string_view text);

// An element of a 16-bit format as its bits, and as the fp32 number that it equals exactly; the
// first function rounds to nearest, ties to even. Only for such formats.
std::uint16_t halfBits(Format format, float value);
float halfValue(Format format, std::uint16_t bits);

}  // namespace tileloom
