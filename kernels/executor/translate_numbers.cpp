// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of 32 and 64 bits, and conversions.
#include <algorithm>

#include "kernels/executor/numbers.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

std::string functionOf(Translator& t, Operation& o) {
  static constexpr std::string_view kFunctions[] = {"COS", "SIN",    "EX2",    "LG2",  "RCP",
                                                    "RSQ", "RCP64H", "RSQ64H", "SQRT", "TANH"};
  const auto found = std::ranges::find_if(kFunctions, [&](auto name) { return t.words.has(name); });
  o.kind = static_cast<std::uint8_t>(found - std::begin(kFunctions));
  o.b = o.a;
  return {};
}

std::string conversionOf(Translator& t, Operation& o) {
  o.b = o.a;
  o.kind = t.words.has("F64") ? kDouble : kSingle;
  o.wide = t.words.has("S64") || t.words.has("U64");
  for (const std::string_view narrow : {"F16", "S16", "U16", "S8", "U8"})
    if (t.words.has(narrow)) return "conversions of this width are not executed yet";
  return {};
}

constexpr Operands kSortedNumbers = Operands::Sorted;

constexpr Instruction kInstructions[] = {
    {"FFMA", fusedMultiplyAdd},
    {"FMUL", multiply},
    {"FADD", add},
    {"FSETP", compareFloats},
    {"FMNMX", minMaxFloats},
    {"FCHK", needsSlowDivision},
    {"MUFU", function, kSortedNumbers, functionOf},
    {"I2F", fromInteger, kSortedNumbers, conversionOf},
    {"I2FP", fromInteger, kSortedNumbers, conversionOf},
    {"F2I", toInteger, kSortedNumbers, conversionOf},
    {"DFMA", doubleMultiplyAdd},
    {"DMUL", doubleMultiply},
    {"DADD", doubleAdd},
    {"DSETP", compareDoubles},
};

}  // namespace

std::span<const Instruction> numberInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
