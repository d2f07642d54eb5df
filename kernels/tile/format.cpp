// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tile/format.h"

#include <fmt/format.h>

#include <array>
#include <bit>

#include "kernels/base/half_formats.h"
#include "kernels/base/small_formats.h"

namespace tileloom {
namespace {

std::uint32_t fp32Bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}
float fp32Value(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
template <auto To>
std::uint32_t bitsBy(float value) {
  return To(value);
}
template <auto From, class Bits>
float valueBy(std::uint32_t bits) {
  return From(static_cast<Bits>(bits));
}

// Of the OCP Microscaling Formats, and NVIDIA's.
constexpr SharedFactors kMx{32, Format::E8m0}, kNv{16, Format::E4m3};

constexpr auto kTable = std::to_array<FormatRow>({
    {Format::Fp32, "fp32", 32, "fp32", 0, 0, fp32Bits, fp32Value},
    {Format::Bf16, "bf16", 16, "bf16 with fp32 accumulation", 8, 0, bitsBy<toBf16>,
     valueBy<fromBf16, std::uint16_t>},
    {Format::Fp16, "fp16", 16, "fp16 with fp32 accumulation", 8, 0, bitsBy<toFp16>,
     valueBy<fromFp16, std::uint16_t>},
    {Format::Tf32, "tf32", 32, "tf32 with fp32 accumulation", 8, 0, bitsBy<toTf32>, fp32Value},
    {Format::E4m3, "e4m3", 8, "fp8 e4m3 with fp32 accumulation", 8, 9, bitsBy<toE4m3>,
     valueBy<fromE4m3, std::uint8_t>},
    {Format::E5m2, "e5m2", 8, "fp8 e5m2 with fp32 accumulation", 8, 9, bitsBy<toE5m2>,
     valueBy<fromE5m2, std::uint8_t>},
    {Format::E2m1, "e2m1", 4, "fp4 e2m1 with fp32 accumulation", 12, 0, bitsBy<toE2m1>,
     valueBy<fromE2m1, std::uint8_t>},
    {Format::E8m0, "e8m0", 8, "e8m0, powers of two as shared factors", 10, 0, bitsBy<toE8m0>,
     valueBy<fromE8m0, std::uint8_t>},
    {Format::Mxfp4, "mxfp4", 4, "fp4 e2m1 with factors e8m0 and fp32 accumulation", 12, 0,
     bitsBy<toE2m1>, valueBy<fromE2m1, std::uint8_t>, kMx},
    {Format::Nvfp4, "nvfp4", 4, "fp4 e2m1 with factors e4m3 and fp32 accumulation", 12, 0,
     bitsBy<toE2m1>, valueBy<fromE2m1, std::uint8_t>, kNv},
});

constexpr bool rowsStandAtTheirPlaces() {
  for (std::size_t i = 0; i < kTable.size(); ++i) {
    if (static_cast<std::size_t>(kTable[i].format) != i) return false;
  }
  return true;
}
static_assert(rowsStandAtTheirPlaces(), "the table and the enumeration have different orders");

constexpr bool wordsHaveWholeElements() {
  for (const FormatRow& row : kTable) {
    if (row.bits < kLeastElementBits || kWordBits % row.bits != 0) return false;
  }
  return true;
}
static_assert(wordsHaveWholeElements(), "a stored element has 4, 8, 16 or 32 bits");

}  // namespace

std::span<const FormatRow> formats() {
  return kTable;
}

const FormatRow& rowOf(Format format) {
  return kTable[static_cast<std::size_t>(format)];
}

std::string whyNotMultiplied(const FormatRow& row) {
  if (row.factors.elements == 0) return {};
  return fmt::format(
      "{} has a factor of {} for every {} elements of K, and this program multiplies without "
      "shared factors",
      row.name, rowOf(row.factors.format).name, row.factors.elements);
}

std::uint16_t halfBits(Format format, float value) {
  return static_cast<std::uint16_t>(rowOf(format).bitsOf(value));
}

float halfValue(Format format, std::uint16_t bits) {
  return rowOf(format).valueOf(bits);
}

}  // namespace tileloom
