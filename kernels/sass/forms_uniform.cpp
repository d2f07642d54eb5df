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
    form({0x090, kEither}, "UIADD3.X", kUD, ucarryOut(81), ucarryOut(84), kUA, kUB.withSign(), kUC,
         upredicate(87), upredicate(77), ones(74), kUniformDatapath)
        .underUniform(),
    form({0x097, kEither}, "UIADD3.64", kUD.pair(), upredicateOut(81), upredicateOut(84),
         kUA.pair(), kUB.pair().withSign(), kUC.pair(), ones(77, 4), kNoCarry, kUniformDatapath)
        .from(100)
        .underUniform(),
    form({0x0a4, kEither}, "UIMAD", kSigned, kUD, kUA, kUB.withSign(), kUC, kNoResult, kNoCarry,
         kUniformDatapath)
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
    form({0x092, kEither}, "ULOP3.LUT", upredicateOut(81).unlessDefault(), kUD, kUA, kUB, kUC,
         immediate(72, 8), upredicate(87), kUniformDatapath)
        .underUniform(),
    form({0x099, kEither}, "USHF", modifier(76, 1, {{0, ".L"}, {1, ".R"}}),
         modifier(73, 2, {{1, ".U64"}, {3, ".U32"}}), modifier(80, 1, {{0, ""}, {1, ".HI"}}), kUD,
         kUA, kUB, kUC, kUniformDatapath)
        .underUniform(),
    form({0x08c, kEither}, "UISETP", kCompare, kSigned, kCombine, upredicateOut(81),
         upredicateOut(84), kUA, kUB.withSign(), upredicate(87), ones(68, 3), kUniformDatapath)
        .underUniform(),
    form({0x087, kEither}, "USEL", kUD, kUA, kUB, upredicate(87), kUniformDatapath).underUniform(),
    form({0x096, kEither}, "UPRMT", kUD, kUA, kUB, kUC, kUniformDatapath).underUniform(),
    form({0x89c}, "UPLOP3.LUT", upredicateOut(81), upredicateOut(84), upredicate(87),
         upredicate(77), upredicate(68), kPredicateTable, immediate(16, 8))
        .underUniform(),
    form({0x082, kImmediate | kUniform}, "UMOV", kUD, kUB).underUniform(),
    form({0x082, kUniform}, "UMOV.64", kUD.pair(), kUB.pair(), ones(80)).from(100).underUniform(),
    form({0x9c3}, "S2UR", kUD, field(OperandKind::SpecialRegister, 72, 8)),
    form({0xab9}, "ULDC", kSize, kUD.sized(), constant(38, 16)).underUniform(),
    form({0x7ac}, "LDCU", kSize, kUD.sized(), constant(37, 17), reg(24).hidden(), kUniformDatapath)
        .from(100)
        .underUniform(),
    form({0x3c4}, "REDUX.OR", kUD, reg(24), ones(78), Effect::AcrossLanes),
    form({0x886}, "VOTEU", modifier(72, 2, {{0, ".ALL"}, {1, ".ANY"}}), kUD.hidden(),
         upredicateOut(81), predicate(87), Effect::AcrossLanes),
    // One of the active threads; its number, and for each of them whether it is that one.
    form({0x82f}, "ELECT", predicateOut(81), kUD, predicate(87), Effect::AcrossLanes),
});

}  // namespace

std::span<const Form> uniformForms() {
  return kForms;
}

}  // namespace tileloom::sass
