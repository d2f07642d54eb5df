// SPDX-License-Identifier: GPL-3.0-or-later
// Two numbers of 16 bits in a register.
#include "kernels/executor/eighths.h"
#include "kernels/executor/halves.h"
#include "kernels/executor/integers.h"
#include "kernels/executor/short_numbers.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

std::string pairOf(Translator& t, Operation& o) {
  o.kind = t.words.has("BF16_V2") || t.words.has("BF16") ? kBf16 : kFp16;
  o.clamps = t.words.has("RELU");
  return {};
}

// -0 * 0 + two immediate numbers is a move through another pipe.
std::string fusedOf(Translator& t, Operation& o) {
  const auto zero = [](const Source& source) { return !source.fixed && source.row == kZeroRow; };
  const bool negativeZero = o.a.negative != o.b.negative;
  const bool plain = o.c.fixed && t.operand(sass::OperandKind::Constant) == nullptr &&
                     !o.c.negative && !o.c.absolute && o.c.half == 0;
  if (zero(o.a) && zero(o.b) && negativeZero && plain && !o.saturates && !t.words.has("RELU")) {
    o.a = o.c;
    o.execute = move;
  }
  return pairOf(t, o);
}

// To FP32, of one half of each source.
std::string addOf(Translator& t, Operation& o) {
  if (!t.words.has("F32")) return pairOf(t, o);
  o.execute = addWide;
  for (const Source& each : {o.a, o.b})
    if (each.half == 0 && (each.fixed || each.row != kZeroRow))
      return "it does not say which half is converted";
  return {};
}

std::string maskOf(Translator& t, Operation& o) {
  const std::string why = pairOf(t, o);
  o.table = !t.words.has("BF") ? 0xffffu : o.kind == kBf16 ? Bfloat::kOne : Half::kOne;
  return why;
}

// Between 8 and 16 or 32 bits, or from FP32 to 16 bits.
std::string convertedOf(Translator& t, Operation& o) {
  const bool unpacks = t.words.has("UNPACK_B");
  o.extended = t.words.has("UNPACK_B_MERGE_C");
  if (!unpacks && !o.extended && !t.words.has("PACK_AB_MERGE_C")) return pairOf(t, o);
  o.execute = unpacks ? unpackEighths : packEighths;
  o.kind = t.words.has("E4M3") ? kE4m3 : 0;
  o.clamps = t.words.has("RELU");
  o.wide = t.words.has("BF16");
  if (!unpacks && (!t.words.has("SATFINITE") || o.clamps)) return std::string(kNotExecuted);
  for (const sass::DecodedOperand& each : t.decoded.operands) {
    if (each.kind != sass::OperandKind::Register || each.access != sass::Access::Read) continue;
    constexpr int kPlaceA = 24, kPlaceB = 32;
    (each.firstBit == kPlaceA ? o.a : each.firstBit == kPlaceB ? o.b : o.c) = t.source(each);
    if (each.suffix != 0) return std::string(kNotExecuted);
  }
  return {};
}

constexpr Instruction kInstructions[] = {
    {"HFMA2", fusedPairs, Operands::Sorted, fusedOf},
    {"HADD2", addPairs, Operands::Sorted, addOf},
    {"HMUL2", multiplyPairs, Operands::Sorted, pairOf},
    {"HMNMX2", minMaxPairs, Operands::Sorted, pairOf},
    {"HSETP2", comparePairs, Operands::Sorted, pairOf},
    {"HSET2", maskPairs, Operands::Sorted, maskOf},
    {"F2FP", packPairs, Operands::Sorted, convertedOf},
};

}  // namespace

std::span<const Instruction> halfInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
