// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kernels/base/half_formats.h"
#include "kernels/base/plain_text.h"

namespace tileloom {
namespace {

constexpr auto kTable = std::to_array<ArithmeticRow>({
    {Arithmetic::Fp32, "fp32", 4, "fp32", 0, 0},
    {Arithmetic::Bf16, "bf16", 2, "bf16 with fp32 accumulation", 8, 0},
    {Arithmetic::Fp16, "fp16", 2, "fp16 with fp32 accumulation", 8, 0},
});

constexpr bool rowsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].arithmetic) != i) return false;
  }
  return true;
}
static_assert(rowsStandAtTheirPlaces(), "the table and the enumeration have different orders");

}  // namespace

std::span<const ArithmeticRow> arithmetics() {
  return kTable;
}

const ArithmeticRow& rowOf(Arithmetic arithmetic) {
  return kTable[static_cast<std::size_t>(arithmetic)];
}

tl::expected<Arithmetic, std::string> arithmeticNamed(std::string_view text) {
  const auto found = std::ranges::find(kTable, text, &ArithmeticRow::name);
  if (found != kTable.end()) return found->arithmetic;
  std::string known;
  for (const ArithmeticRow& row : kTable)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  return tl::unexpected(
      fmt::format("there is no arithmetic \"{}\": choose one of {}", quotable(text), known));
}

std::uint16_t halfBits(Arithmetic arithmetic, float value) {
  return arithmetic == Arithmetic::Bf16 ? toBf16(value) : toFp16(value);
}

float halfValue(Arithmetic arithmetic, std::uint16_t bits) {
  return arithmetic == Arithmetic::Bf16 ? fromBf16(bits) : fromFp16(bits);
}

}  // namespace tileloom
