// SPDX-License-Identifier: GPL-3.0-or-later
// FP32.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kFloatA = kA.negative(72).magnitude(73);
constexpr Field kFloatB = kB.negative(63).magnitude(62).number(OperandKind::Float);
constexpr Field kFloatLower = kFloatB.with(&Field::slot, Slot::Lower).kept(124);

constexpr auto kForms = std::to_array<Form>({
    form({0x023, kEitherAny}, "FFMA", kFlush, kRound, kSaturate, kD, kA.negative(72),
         kB.negative(63).number(OperandKind::Float),
         kC.negative(75).magnitude(74).number(OperandKind::Float)),
    form({0x020, kSecondAny}, "FMUL", kFlush, kRound, kSaturate, kD, kFloatA, kFloatB, ones(86)),
    form({0x021, kEitherAny}, "FADD", kFlush, kRound, kSaturate, kD, kFloatA, kFloatLower),
    form({0x009, kSecondAny}, "FMNMX", kFlush, kD, kFloatA, kFloatB, predicate(87)),
    form({0x008, kSecondAny}, "FSEL", kD, kFloatA, kFloatB, predicate(87)),
    form({0x00b, kSecondAny}, "FSETP", kCompareFloats, kFlush, kCombine, predicateOut(81),
         predicateOut(84), kFloatA, kFloatB, predicate(87)),
    form({0x102, kSecondAny}, "FCHK", predicateOut(81), kFloatA.kept(-1), kFloatB.uncached()),
    form({0x108, kSecondAny}, "MUFU",
         modifier(74, 4,
                  {{0, ".COS"},
                   {1, ".SIN"},
                   {2, ".EX2"},
                   {3, ".LG2"},
                   {4, ".RCP"},
                   {5, ".RSQ"},
                   {8, ".SQRT"},
                   {9, ".TANH"}}),
         kD, kFloatB.uncached()),
    // Of the upper halves of FP64 numbers.
    form({0x108, kSecondAny}, "MUFU", modifier(74, 4, {{6, ".RCP64H"}, {7, ".RSQ64H"}}), kD,
         kFloatB.uncached().number(OperandKind::Double)),
});

}  // namespace

std::span<const Form> floatForms() {
  return kForms;
}

}  // namespace tileloom::sass
