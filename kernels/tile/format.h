// SPDX-License-Identifier: GPL-3.0-or-later
// The table of formats of the elements of A, B and C, and of their sums. A new format is one row.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

namespace tileloom {

enum class Format : std::uint8_t { Fp32, Bf16, Fp16 };

struct FormatRow {
  Format format;
  std::string_view name;   // on the command line, and the constant ELEMENT of a 16-bit kernel
  int bytes;               // of one element of A, B or C
  std::string_view words;  // for the screen
  int major;               // the least compute capability that has it; 0.0: all have it
  int minor;
};

std::span<const FormatRow> formats();
const FormatRow& rowOf(Format format);

// The format with this name; the error lists the known ones.
tl::expected<Format, std::string> formatNamed(std::string_view text);

// An element of a 16-bit format as its bits, and as the fp32 number that it equals exactly; the
// first function rounds to nearest, ties to even. Not for Fp32.
std::uint16_t halfBits(Format format, float value);
float halfValue(Format format, std::uint16_t bits);

}  // namespace tileloom
