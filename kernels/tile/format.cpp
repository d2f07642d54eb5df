// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/base/half_formats.h"
#include "kernels/base/plain_text.h"

namespace tileloom {
namespace {

constexpr auto kTable = std::to_array<FormatRow>({
    {Format::Fp32, "fp32", 4, "fp32", 0, 0},
    {Format::Bf16, "bf16", 2, "bf16 with fp32 accumulation", 8, 0},
    {Format::Fp16, "fp16", 2, "fp16 with fp32 accumulation", 8, 0},
});

constexpr bool rowsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].format) != i) return false;
  }
  return true;
}
static_assert(rowsStandAtTheirPlaces(), "the table and the enumeration have different orders");

}  // namespace

std::span<const FormatRow> formats() {
  return kTable;
}

const FormatRow& rowOf(Format format) {
  return kTable[static_cast<std::size_t>(format)];
}

tl::expected<Format, std::string> formatNamed(std::string_view text) {
  const auto found = std::ranges::find(kTable, text, &FormatRow::name);
  if (found != kTable.end()) return found->format;
  std::string known;
  for (const FormatRow& row : kTable)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  return tl::unexpected(
      fmt::format("there is no arithmetic \"{}\": choose one of {}", quotable(text), known));
}

std::uint16_t halfBits(Format format, float value) {
  return format == Format::Bf16 ? toBf16(value) : toFp16(value);
}

float halfValue(Format format, std::uint16_t bits) {
  return format == Format::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

}  // namespace tileloom
