// SPDX-License-Identifier: GPL-3.0-or-later
// Floating-point numbers of 32 and 64 bits, and conversions.
#include <algorithm>

#include "kernels/executor/conversions.h"
#include "kernels/executor/halves.h"
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
  // RCP64H and RSQ64H read the upper half of a double.
  if (t.operand(sass::OperandKind::Double) != nullptr &&
      (t.words.has("RCP64H") || t.words.has("RSQ64H")))
    o.b.row = o.b.upper;
  return {};
}

// The widths of both sides: a word names that of the integer, if it is not 32 bits.
void widthsOf(const Translator& t, Operation& o) {
  const auto& words = t.words;
  o.kind = words.has("F64") ? kDouble : words.has("F16") ? kHalf : kSingle;
  o.bytes = words.has("S64") || words.has("U64")   ? 8
            : words.has("S16") || words.has("U16") ? 2
            : words.has("S8") || words.has("U8")   ? 1
                                                   : 4;
  o.isSigned = !words.has("U8") && !words.has("U16") && !words.has("U32") && !words.has("U64");
  o.b = o.a;
}

std::string fromIntegerOf(Translator& t, Operation& o) {
  widthsOf(t, o);
  const bool rounds = o.kind == kHalf && o.rounding != Rounding::Nearest;
  return rounds ? std::string(kNotExecuted) : std::string();
}

std::string wholeOf(Translator& t, Operation& o) {
  widthsOf(t, o);
  return {};
}

std::string widthOf(Translator& t, Operation& o) {
  const auto& words = t.words.words();
  o.b = o.a;
  o.kind = kSingle;
  const bool widens = words.size() > 2 && words[1] == "F64" && words[2] == "F32";
  const bool narrows = words.size() > 2 && words[1] == "F32" && words[2] == "F64";
  const bool toHalf =
      words.size() > 2 && words[2] == "F32" && (words[1] == "F16" || words[1] == "BF16");
  if (toHalf && o.rounding == Rounding::Nearest) {
    // The upper half is zero.
    o.kind = words[1] == "BF16" ? kBf16 : kFp16;
    o.a = {};
    o.execute = packPairs;
    return {};
  }
  if (!widens && !narrows) return std::string(kNotExecuted);
  o.execute = widens ? widen : narrow;
  return {};
}

std::string onlyNearest(Translator&, Operation& o) {
  return o.rounding == Rounding::Nearest ? std::string()
                                         : "this rounding of FP64 is not executed yet";
}

// With MIN and MAX, predicates say which source is chosen.
std::string relationOnly(Translator& t, Operation&) {
  return t.words.has("MIN") || t.words.has("MAX") ? std::string(kNotExecuted) : std::string();
}

constexpr Operands kSortedNumbers = Operands::Sorted;

constexpr Instruction kInstructions[] = {
    {"FFMA", fusedMultiplyAdd},
    {"FMUL", multiply},
    {"FADD", add},
    {"FSETP", compareFloats, kSortedNumbers, relationOnly},
    {"FMNMX", minMaxFloats},
    {"FCHK", needsSlowDivision},
    {"MUFU", function, kSortedNumbers, functionOf},
    {"I2F", fromInteger, kSortedNumbers, fromIntegerOf},
    {"I2FP", fromInteger, kSortedNumbers, fromIntegerOf},
    {"F2I", toInteger, kSortedNumbers, wholeOf},
    {"FRND", toWhole, kSortedNumbers, wholeOf},
    {"F2F", nullptr, kSortedNumbers, widthOf},
    {"DFMA", doubleMultiplyAdd, kSortedNumbers, onlyNearest},
    {"DMUL", doubleMultiply, kSortedNumbers, onlyNearest},
    {"DADD", doubleAdd, kSortedNumbers, onlyNearest},
    {"DSETP", compareDoubles, kSortedNumbers, relationOnly},
};

}  // namespace

std::span<const Instruction> numberInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
