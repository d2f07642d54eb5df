// SPDX-License-Identifier: GPL-3.0-or-later
// Integers, bits, predicates and moves between general registers.
#include <bit>

#include "kernels/sass/decode.h"
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// IMAD also replaces simpler instructions, and is named after them: "IMAD.MOV.U32 R3, RZ, RZ, R4".
std::string_view imadAlias(const Decoded& d) {
  const DecodedOperand& a = d.operands[1];
  const DecodedOperand& b = d.operands[2];
  const DecodedOperand& c = d.operands[3];
  const bool isSigned = d.modifiers[0] != 0;
  if ((a.isZero() || b.isZero()) && c.kind != OperandKind::UniformRegister &&
      b.kind != OperandKind::UniformRegister && (!isSigned || (a.isZero() && b.isZero())))
    return ".MOV";
  if (b.kind != OperandKind::Immediate) return "";
  constexpr std::int64_t kHalf = 0x10000;  // has no name of its own
  if (!isSigned && c.isZero() && b.value != kHalf &&
      std::has_single_bit(static_cast<std::uint32_t>(b.value)))
    return ".SHL";
  return b.value == 1 ? ".IADD" : "";
}

constexpr Field kShift = immediate(75, 5);
// What a minimum or maximum is of.
constexpr Modifier kMinMaxOf =
    modifier(72, 3, {{0, ".U32"}, {1, ""}, {2, ".U16x2"}, {3, ".S16x2"}});
constexpr Modifier kMinMaxNamed = modifier(
    72, 3, {{0, ".U32"}, {1, ".S32"}, {2, ".U16x2"}, {3, ".S16x2"}, {4, ".U8x4"}, {5, ".S8x4"}});
constexpr Modifier kRelu = modifier(76, 1, {{0, ""}, {1, ".RELU"}});

constexpr auto kForms = std::to_array<Form>({
    form({0x010, kSecondAny}, "IADD3", kD, carryOut(81), carryOut(84), kA.negative(72),
         kB.negative(63).withSign(), kC.negative(75), ones(77, 4), kNoCarry),
    form({0x010, kSecondAny}, "IADD3.X", kD, carryOut(81), carryOut(84), kA.inverse(72),
         kB.inverse(63).withSign(), kC.inverse(75), predicate(87), predicate(77), ones(74)),
    form({0x035, kRegisters | kImmediate | kUniform}, "IADD.64", kD.pair(), kA.pair().negative(72),
         kB.pair().negative(63).withSign(), ones(73), kNoResult, kNoCarry)
        .from(120),
    form({0x036, kImmediate | kUniform}, "VIADD", kD, kA, kB.negative(63)).from(90).upTo(119),
    form({0x036, kImmediate | kUniform}, "VIADD.32", kD, kA, kB.negative(63)).from(120),
    form({0x036, kRegisters}, "VIADD.U8x4", kD, kA, kB.negative(63), ones(75)).from(120),
    form({0x024, kEitherAny}, "IMAD", kSigned, kD, kA, kB.withSign(), kC.negative(75).withSign(),
         kNoResult, kNoCarry)
        .named(imadAlias),
    form({0x024, kEitherAny}, "IMAD.X", kD, kA, kB.withSign(), kC.inverse(75).withSign(),
         predicate(87), ones(73, 2), kNoResult),
    form({0x025, kEitherAny}, "IMAD.WIDE", kSigned, kD.pair(), predicateOut(81).unlessDefault(), kA,
         kB.withSign(), kC.pair().negative(75).withSign(), kNoCarry),
    // The third source is 64 bits that are added before the upper half is taken.
    form({0x027, kEitherAny}, "IMAD.HI", kSigned, kD, predicateOut(81).unlessDefault(), kA,
         kB.withSign(), kC.pair().withSign(), kNoCarry),
    form({0x011, kSecondAny}, "LEA", kD, predicateOut(81).unlessDefault(), kA.negative(72),
         kB.negative(63), kC.hidden(), kShift, kNoCarry),
    form({0x011, kSecondAny}, "LEA.HI", kD, predicateOut(81).unlessDefault(), kA, kB.negative(63),
         kC, kShift, ones(80), kNoCarry),
    form({0x011, kSecondAny}, "LEA.HI.X", kD, predicateOut(81).unlessDefault(), kA, kB, kC, kShift,
         predicate(87), ones(80), ones(74)),
    // The part above the first source is its sign.
    form({0x011, kSecondAny}, "LEA.HI.SX32", kD, predicateOut(81).unlessDefault(), kA,
         kB.negative(63), kC.hidden(), kShift, ones(80), ones(73), kNoCarry),
    form({0x011, kSecondAny}, "LEA.HI.X.SX32", kD, predicateOut(81).unlessDefault(), kA, kB,
         kC.hidden(), kShift, predicate(87), ones(80), ones(73, 2)),
    form({0x012, kSecondAny}, "LOP3.LUT", predicateOut(81).unlessDefault(), kD, kA, kB, kC,
         immediate(72, 8), predicate(87)),
    form({0x019, kEitherAny}, "SHF", modifier(76, 1, {{0, ".L"}, {1, ".R"}}),
         modifier(75, 1, {{0, ""}, {1, ".W"}}),
         modifier(73, 2, {{0, ".S64"}, {1, ".U64"}, {2, ".S32"}, {3, ".U32"}}),
         modifier(80, 1, {{0, ""}, {1, ".HI"}}), kD, kA, kB, kC),
    form({0x016, kRegisters | kImmediate}, "PRMT",
         modifier(72, 3,
                  {{0, ""},
                   {1, ".F4E"},
                   {2, ".B4E"},
                   {3, ".RC8"},
                   {4, ".ECL"},
                   {5, ".ECR"},
                   {6, ".RC16"}}),
         kD, kA, kB, kC),
    form({0x00c, kSecondAny}, "ISETP", kCompare, kSigned, kCombine, predicateOut(81),
         predicateOut(84), kA, kB.withSign(), predicate(87), ones(68, 3)),
    // Of the upper halves of 64 bits; the last predicate is the result for the lower ones.
    form({0x00c, kSecondAny}, "ISETP", kCompare, kSigned, kCombine, modifier(72, 1, {{1, ".EX"}}),
         predicateOut(81), predicateOut(84), kA, kB.withSign(), predicate(87), predicate(68)),
    form({0x00c, kSecondAny}, "ISETP", kCompare, kSignedWide, kCombine, predicateOut(81),
         predicateOut(84), kA.pair(), kB.pair().withSign(), predicate(87), ones(68, 3), ones(80))
        .from(120),
    form({0x007, kSecondAny}, "SEL", kD, kA, kB, predicate(87)),
    form({0x017, kSecondAny}, "IMNMX", kSigned, kD, kA, kB.withSign(), predicate(87)).upTo(89),
    form({0x013, kRegisters | kConstant | kUniform}, "IABS", kD, kB),
    form({0x01a, kRegisters | kImmediate | kUniform}, "SGXT", modifier(75, 1, {{0, ""}, {1, ".W"}}),
         kSigned, kD, kA, kB),
    form({0x01b, kRegisters | kImmediate | kUniform}, "BMSK", modifier(75, 1, {{0, ""}, {1, ".W"}}),
         kD, kA, kB),
    form({0x101, kRegisters | kConstant | kUniform}, "BREV", kD, kB.uncached()),
    form({0x109, kRegisters | kConstant | kUniform}, "POPC", kD, kB.uncached()),
    form({0x100, kRegisters | kConstant | kUniform}, "FLO", modifier(73, 1, {{0, ".U32"}, {1, ""}}),
         modifier(74, 1, {{0, ""}, {1, ".SH"}}), kD, kB.uncached(), kNoResult),
    form({0x026, kRegisters | kImmediate | kUniform}, "IDP.4A",
         modifier(73, 1, {{0, ".U8"}, {1, ".S8"}}), modifier(74, 1, {{0, ".U8"}, {1, ".S8"}}), kD,
         kA, kB, kC),
    form({0x014, kRegisters | kThirdImmediate}, "VABSDIFF", kSigned, kD, kA, kB, kC, kNoResult),
    form({0x015, kRegisters}, "VABSDIFF4", modifier(73, 1, {{0, ".U8"}, {1, ""}}), kD, kA, kB, kC,
         kNoResult),
    // One of two; of three or of a sum and a number, see the rows below.
    form({0x048, kSecondAny}, "VIMNMX", kMinMaxOf, kRelu, kD, kA, kB.withSign(), predicate(87),
         kNoResult, ones(84, 3))
        .from(90)
        .upTo(99),
    form({0x048, kSecondAny}, "VIMNMX", kMinMaxOf, kRelu, kD, predicateOut(81), predicateOut(84),
         kA, kB.withSign(), predicate(87))
        .from(100)
        .upTo(119),
    form({0x048, kSecondAny}, "VIMNMX", kMinMaxNamed, kRelu, kD, kA, kB.withSign(), predicate(87),
         kNoResult, ones(84, 3))
        .from(120),
    form({0x00f, kRegisters | kImmediate | kUniform}, "VIMNMX3", kMinMaxOf, kRelu, kD, kA, kB, kC,
         predicate(87))
        .from(90),
    form({0x046, kEitherAny}, "VIADDMNMX", kMinMaxOf, kRelu, kD, kA, kB.negative(63), kC,
         predicate(87))
        .from(90),
    form({0x002, kSecondAny}, "MOV", kD, kB, ones(72, 4)),
    form({0x002, kRegisters | kUniform}, "MOV.64", kD.pair(), kB.pair(), ones(72, 4), ones(80))
        .from(120),
    form({0x919}, "S2R", kD, field(OperandKind::SpecialRegister, 72, 8)),
    form({0x805}, "CS2R", kD.pair(), field(OperandKind::SpecialRegister, 72, 8), ones(80)),
    form({0x805}, "CS2R.32", kD, field(OperandKind::SpecialRegister, 72, 8)),
    form({0x81c}, "PLOP3.LUT", predicateOut(81), predicateOut(84), predicate(87), predicate(77),
         predicate(68).with(&Field::uniformFlag, 67), kPredicateTable, immediate(16, 8)),
    form({0x803}, "P2R", kD, field(OperandKind::AllPredicates, 0, 0), reg(24), immediate(32, 7)),
    // The predicate says whether threads of the warp disagree; with .OR it stays true if it was.
    form({0x0ca, kRegisters}, "R2UR", predicateOut(81).unlessDefault(), kUD, kA).from(90),
    form({0x0ca, kRegisters}, "R2UR.OR", predicateOut(81).with(&Field::access, Access::Both), kUD,
         kA, ones(84)),
});

}  // namespace

std::span<const Form> integerForms() {
  return kForms;
}

}  // namespace tileloom::sass
