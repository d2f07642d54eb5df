// SPDX-License-Identifier: GPL-3.0-or-later
// Instructions that execute once per warp: uniform registers and predicates.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Shapes kEither = kRegisters | kImmediate;
constexpr FixedBits kUniformDatapath = ones(91);
constexpr Field kShift = immediate(75, 5);

constexpr auto kForms = std::to_array<Form>({
    form({0x090, kEither}, "UIADD3", kUD, ucarryOut(81), ucarryOut(84), kUA.negative(72),
         kUB.negative(63).withSign(), kUC.negative(75), ones(77, 4), kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x090, kEither}, "UIADD3.X", kUD, ucarryOut(81), ucarryOut(84), kUA.inverse(72),
         kUB.inverse(63).withSign(), kUC.inverse(75), upredicate(87), upredicate(77), ones(74),
         kUniformDatapath)
        .underUniform(),
    form({0x097, kEither}, "UIADD3.64", kUD.pair(), ucarryOut(81), ucarryOut(84), kUA.pair(),
         kUB.pair().withSign(), kUC.pair(), ones(77, 4), kNoCarry, kUniformDatapath)
        .from(90)
        .underUniform(),
    form({0x0a4, kEither | kThirdImmediate}, "UIMAD", kSigned, kUD, kUA, kUB.withSign(), kUC,
         kNoResult, kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x0a5, kEither}, "UIMAD.WIDE", kSigned, kUD.pair(), kUA, kUB.withSign(), kUC.pair(),
         kNoResult, kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x091, kEither}, "ULEA", kUD, upredicateOut(81).unlessDefault(), kUA, kUB.negative(63),
         kUC.hidden(), kShift, kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x091, kEither}, "ULEA.HI", kUD, upredicateOut(81).unlessDefault(), kUA, kUB.negative(63),
         kUC, kShift, ones(80), kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x091, kEither}, "ULEA.HI.X", kUD, upredicateOut(81).unlessDefault(), kUA, kUB, kUC,
         kShift, upredicate(87), ones(80), ones(74), kUniformDatapath)
        .underUniform(),
    form({0x091, kEither}, "ULEA.HI.SX32", kUD, upredicateOut(81).unlessDefault(), kUA,
         kUB.negative(63), kUC.hidden(), kShift, ones(80), ones(73), kNoCarry, kUniformDatapath)
        .underUniform(),
    form({0x091, kEither}, "ULEA.HI.X.SX32", kUD, upredicateOut(81).unlessDefault(), kUA, kUB,
         kUC.hidden(), kShift, upredicate(87), ones(80), ones(73, 2), kUniformDatapath)
        .underUniform(),
    form({0x092, kEither}, "ULOP3.LUT", upredicateOut(81).unlessDefault(), kUD, kUA, kUB, kUC,
         immediate(72, 8), upredicate(87), kUniformDatapath)
        .underUniform(),
    form({0x099, kEither}, "USHF", modifier(76, 1, {{0, ".L"}, {1, ".R"}}),
         modifier(73, 2, {{0, ".S64"}, {1, ".U64"}, {2, ".S32"}, {3, ".U32"}}),
         modifier(80, 1, {{0, ""}, {1, ".HI"}}), kUD, kUA, kUB, kUC, kUniformDatapath)
        .underUniform(),
    form({0x08c, kEither}, "UISETP", kCompare, kSigned, kCombine, upredicateOut(81),
         upredicateOut(84), kUA, kUB.withSign(), upredicate(87), ones(68, 3), kUniformDatapath)
        .underUniform(),
    form({0x08c, kEither}, "UISETP", kCompare, kSigned, kCombine, modifier(72, 1, {{1, ".EX"}}),
         upredicateOut(81), upredicateOut(84), kUA, kUB.withSign(), upredicate(87), upredicate(68),
         kUniformDatapath)
        .underUniform(),
    form({0x0bd, kRegisters}, "UFLO.U32", kUD, kUB, kNoResult, kUniformDatapath).underUniform(),
    form({0x0bf, kRegisters}, "UPOPC", kUD, kUB, kUniformDatapath).underUniform(),
    form({0x04a, kEither}, "UVIMNMX", modifier(72, 3, {{0, ".U32"}, {1, ".S32"}}), kUD, kUA, kUB,
         upredicate(87), kNoResult, ones(84, 3), kUniformDatapath)
        .from(120)
        .underUniform(),
    form({0x055, kThirdImmediate}, "UFFMA", kUD, kUA.negative(72), kUB,
         kUC.number(OperandKind::Float), kUniformDatapath)
        .from(120)
        .underUniform(),
    form({0x8cb}, "CS2UR", kUD, field(OperandKind::SpecialRegister, 72, 8), ones(80))
        .from(120)
        .underUniform(),
    form({0x087, kEither}, "USEL", kUD, kUA, kUB, upredicate(87), kUniformDatapath).underUniform(),
    form({0x096, kEither}, "UPRMT", kUD, kUA, kUB, kUC, kUniformDatapath).underUniform(),
    form({0x89c}, "UPLOP3.LUT", upredicateOut(81), upredicateOut(84), upredicate(87),
         upredicate(77), upredicate(68), kPredicateTable, immediate(16, 8))
        .underUniform(),
    form({0x082, kImmediate | kUniform}, "UMOV", kUD, kUB).underUniform(),
    form({0x082, kUniform}, "UMOV.64", kUD.pair(), kUB.pair(), ones(80)).from(120).underUniform(),
    form({0x9c3}, "S2UR", kUD, field(OperandKind::SpecialRegister, 72, 8)).underUniform(),
    form({0xab9}, "ULDC", kConstantSize, kUD.sized(), constant(38, 16)).underUniform(),
    form({0x7ac}, "LDCU", kSize, kUD.sized(), indexedConstant(37, 17, true), kUniformDatapath)
        .from(100)
        .underUniform(),
});

}  // namespace

std::span<const Form> uniformForms() {
  return kForms;
}

}  // namespace tileloom::sass
