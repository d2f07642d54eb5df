// SPDX-License-Identifier: GPL-3.0-or-later
// FP64, in pairs of registers.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kWideA = kA.pair().negative(72).magnitude(73);
constexpr Field kWideB = kB.pair().negative(63).magnitude(62).number(OperandKind::Double);
constexpr Field kWideC = kC.pair().negative(75).number(OperandKind::Double);
// DADD and DSETP differ: the second source of DADD is in the third place.
constexpr Field kWideThird = kWideC.magnitude(74);
constexpr Field kWideLower = kWideB.with(&Field::slot, Slot::Lower).kept(124);

constexpr auto kForms = std::to_array<Form>({
    form({0x02b, kEitherAny}, "DFMA", kRound, kD.pair(), kA.pair().negative(72),
         kB.pair().negative(63).number(OperandKind::Double), kWideC),
    form({0x028, kSecondAny}, "DMUL", kRound, kD.pair(), kWideA, kWideB),
    form({0x029, kEitherAny}, "DADD", kRound, kD.pair(), kWideA, kWideThird),
    form({0x02a, kEitherAny}, "DSETP",
         modifier(76, 4,
                  {{0, ".MIN"},
                   {1, ".LT"},
                   {2, ".EQ"},
                   {3, ".LE"},
                   {4, ".GT"},
                   {5, ".NE"},
                   {6, ".GE"},
                   {7, ".NUM"},
                   {8, ".NAN"},
                   {9, ".LTU"},
                   {10, ".EQU"},
                   {11, ".LEU"},
                   {12, ".GTU"},
                   {13, ".NEU"},
                   {14, ".GEU"},
                   {15, ".MAX"}}),
         kCombine, predicateOut(81), predicateOut(84), kWideA, kWideLower, predicate(87)),
    // 8 x 4 by 4 x 8: a thread has one element of A and B and two of the sums.
    form({0x03f, kRegisters}, "DMMA.884", kD.of(4), kA.pair(), kB.pair(), kC.of(4),
         Effect::TensorProduct)
        .upTo(89),
    form({0x03f, kRegisters}, "DMMA.8x8x4", kD.of(4), kA.pair(), kB.pair(), kC.of(4),
         Effect::TensorProduct)
        .from(90),
});

}  // namespace

std::span<const Form> doubleForms() {
  return kForms;
}

}  // namespace tileloom::sass
