// SPDX-License-Identifier: GPL-3.0-or-later
// Integers, bits, and predicates.
#include "kernels/executor/integers.h"

#include <algorithm>

#include "kernels/executor/bits.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

using sass::DecodedOperand;
using sass::OperandKind;

// With a carry, a negative source is inverted only.
void invertNegative(Source& source) {
  source.complement = source.negative;
  source.negative = false;
}

std::string multiplyAddOf(Translator& t, Operation& o) {
  if (t.words.has("WIDE")) o.execute = multiplyWide;
  if (t.words.has("HI")) o.execute = multiplyHigh;
  if (o.extended) invertNegative(o.c);
  // How an immediate number is extended to 64 bits is not known.
  const DecodedOperand& last = t.decoded.operands.back();
  if (t.words.has("WIDE") && o.c.fixed && last.kind == OperandKind::Immediate && last.value < 0)
    return std::string(kNotExecuted);
  return {};
}

std::string add3Of(Translator& t, Operation& o) {
  if (t.words.has("64")) {
    o.execute = add64;
    const bool carries =
        o.first.number != sass::kTruePredicate || o.second.number != sass::kTruePredicate;
    return carries || o.extended ? std::string(kNotExecuted) : std::string();
  }
  if (!o.extended) return {};
  for (Source* each : {&o.a, &o.b, &o.c}) invertNegative(*each);
  return {};
}

std::string shiftAddOf(Translator& t, Operation& o) {
  if (t.words.has("HI")) o.execute = shiftAddHigh;
  o.wide = t.words.has("SX32");
  for (const DecodedOperand& each : t.decoded.operands)
    if (each.kind == OperandKind::Immediate && each.bitCount == 5)
      o.shift = static_cast<int>(each.value);
  return {};
}

std::string tableOf(Translator& t, Operation& o) {
  o.table = t.table();
  return {};
}

std::string shiftOf(Translator& t, Operation& o) {
  o.right = t.words.has("R");
  o.upperHalf = t.words.has("HI");
  o.wraps = t.words.has("W");
  o.wide = t.words.has("U64") || t.words.has("S64");
  o.isSigned = t.words.has("S32") || t.words.has("S64");
  return {};
}

std::string tablesOf(Translator& t, Operation& o) {
  int count = 0;
  for (const DecodedOperand& each : t.decoded.operands) {
    if (each.kind != OperandKind::Immediate) continue;
    (count++ == 0 ? o.table : o.secondTable) = static_cast<std::uint32_t>(each.value);
  }
  return count == 2 ? "" : "it has no two tables";
}

// Forms of 64 bits, and of several numbers in a word.
bool isOtherWidth(const Translator& t) {
  return std::ranges::any_of(t.words.words(), [](std::string_view word) {
    return word == "64" || word == "S64" || word == "U64" || word.ends_with("x2") ||
           word.ends_with("x4");
  });
}
std::string wordsOnly(Translator& t, Operation&) {
  return isOtherWidth(t) ? std::string(kNotExecuted) : std::string();
}

std::string minMaxOf(Translator& t, Operation& o) {
  const bool tells =
      o.first.number != sass::kTruePredicate || o.second.number != sass::kTruePredicate;
  return tells || isOtherWidth(t) || t.words.has("RELU") ? std::string(kNotExecuted)
                                                         : std::string();
}

template <std::uint8_t Kind>
std::string countOf(Translator& t, Operation& o) {
  o.kind = Kind;
  o.wraps = t.words.has("SH");
  o.b = o.a;
  return {};
}

std::string onlySource(Translator&, Operation& o) {
  o.b = o.a;
  return {};
}

std::string specialOf(Translator& t, Operation& o) {
  o.table = static_cast<std::uint32_t>(t.operand(OperandKind::SpecialRegister)->number);
  // Lane, thread, block, the window of shared memory, masks of lanes, clocks, the rank in a
  // cluster, zero.
  static constexpr std::uint32_t kKnown[] = {0x00, 0x21, 0x22, 0x23, 0x25, 0x26, 0x27,
                                             0x2f, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x50,
                                             0x51, 0x52, 0x53, 0x88, 0xff};
  return std::ranges::find(kKnown, o.table) == std::end(kKnown)
             ? "this special register is not executed yet"
             : "";
}

std::string wrappedOf(Translator& t, Operation& o) {
  o.wraps = t.words.has("W");
  return {};
}

std::string permutationOf(Translator& t, Operation& o) {
  static constexpr std::string_view kModes[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16"};
  const auto found = std::ranges::find_if(kModes, [&](auto mode) { return t.words.has(mode); });
  if (found != std::end(kModes)) o.kind = static_cast<std::uint8_t>(found - kModes + 1);
  return {};
}

// The words of A and B: IDP.4A.S8.U8.
std::string dotOf(Translator& t, Operation& o) {
  const auto& words = t.words.words();
  if (words.size() < 4 || words[1] != "4A") return std::string(kNotExecuted);
  o.isSigned = words[2] == "S8";
  o.secondSigned = words[3] == "S8";
  return {};
}

constexpr Operands kSorted = Operands::Sorted;

constexpr Instruction kInstructions[] = {
    {"MOV", move, kSorted, wordsOnly},
    {"UMOV", move, kSorted, wordsOnly, true},
    {"IADD3", add3, kSorted, add3Of},
    {"UIADD3", add3, kSorted, add3Of, true},
    {"VIADD", add3, kSorted, wordsOnly},
    {"SEL", select},
    {"USEL", select, kSorted, nullptr, true},
    {"FSEL", select},
    {"PRMT", permute, kSorted, permutationOf},
    {"UPRMT", permute, kSorted, nullptr, true},
    {"IMNMX", minMax, kSorted, minMaxOf},
    {"VIMNMX", minMax, kSorted, minMaxOf},
    {"VIADDMNMX", sumMinMax, kSorted, minMaxOf},
    {"IABS", magnitude, kSorted, onlySource},
    {"VABSDIFF", distance},
    {"IDP", dotBytes, kSorted, dotOf},
    {"SGXT", extend, kSorted, wrappedOf},
    {"BMSK", mask, kSorted, wrappedOf},
    {"POPC", countBits, kSorted, countOf<kPopulation>},
    {"UPOPC", countBits, kSorted, countOf<kPopulation>, true},
    {"FLO", countBits, kSorted, countOf<kLeading>},
    {"UFLO", countBits, kSorted, countOf<kLeading>, true},
    {"BREV", countBits, kSorted, countOf<kReverse>},
    {"ISETP", compare, kSorted, wordsOnly},
    {"UISETP", compare, kSorted, wordsOnly, true},
    {"LEA", shiftAdd, kSorted, shiftAddOf},
    {"ULEA", shiftAdd, kSorted, shiftAddOf, true},
    {"LOP3", logic, kSorted, tableOf},
    {"ULOP3", logic, kSorted, tableOf, true},
    {"SHF", funnelShift, kSorted, shiftOf},
    {"USHF", funnelShift, kSorted, shiftOf, true},
    {"IMAD", multiplyAdd, kSorted, multiplyAddOf},
    {"UIMAD", multiplyAdd, kSorted, multiplyAddOf, true},
    {"PLOP3", combinePredicates, kSorted, tablesOf},
    {"UPLOP3", combinePredicates, kSorted, tablesOf, true},
    {"P2R", packPredicates, kSorted, tableOf},
    {"S2R", special, kSorted, specialOf},
    {"CS2R", special, kSorted, specialOf},
    {"S2UR", special, kSorted, specialOf, true},
    {"CS2UR", special, kSorted, specialOf, true},
};

}  // namespace

std::span<const Instruction> integerInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
