// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats of the elements of A, B and C, and of their sums. A new format is one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

enum class Format : std::uint8_t { Fp32, Bf16, Fp16, Tf32, E4m3, E5m2 };

struct FormatRow {
  Format format;
  std::string_view name;   // on the command line, and the constant ELEMENT of a tensor core kernel
  int bytes;               // of one element of A, B or C
  std::string_view words;  // for the screen
  int major;               // the least compute capability that has it; 0.0: all have it
  int minor;
  // An element as its bits, in the lowest ones, and as the fp32 number that it equals exactly. The
  // first rounds to nearest, ties to even.
  std::uint32_t (*bitsOf)(float value);
  float (*valueOf)(std::uint32_t bits);

  constexpr int elementBits() const { return 8 * bytes; }
  constexpr std::uint32_t elementsPerWord() const { return 4 / static_cast<std::uint32_t>(bytes); }
  // The fp32 number that an element holds after rounding.
  float rounded(float value) const { return valueOf(bitsOf(value)); }
};

std::span<const FormatRow> formats();
const FormatRow& rowOf(Format format);

// Those in which a rung calculates, in the order of the table.
std::span<const FormatRow* const> formatsOfRungs();

// The format of a rung with this name; the error lists them.
tl::expected<Format, std::string> formatNamed(std::string_view text);

// An element of a 16-bit format as its bits, and as the fp32 number that it equals exactly; the
// first function rounds to nearest, ties to even. Only for such formats.
std::uint16_t halfBits(Format format, float value);
float halfValue(Format format, std::uint16_t bits);

}  // namespace tileloom
