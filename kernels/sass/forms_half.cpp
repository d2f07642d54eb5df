// SPDX-License-Identifier: GPL-3.0-or-later
// Two FP16 or BF16 numbers in a register.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// Which half of a register is used, for both results.
constexpr Modifier halves(int from) {
  return modifier(from, 2, {{0, ""}, {2, ".H0_H0"}, {3, ".H1_H1"}});
}
constexpr Modifier kHalfA = halves(74), kHalfB = halves(60), kHalfC = halves(81);
constexpr Modifier kBf16Pair = modifier(85, 1, {{0, ""}, {1, ".BF16_V2"}});

constexpr Field kPairA = kA.negative(72).ending(kHalfA);
constexpr Field kMagnitudeA = kPairA.magnitude(73);
constexpr Field kPairB =
    kB.negative(63).ending(kHalfB).with(&Field::upperMinus, 84).with(&Field::upperSuffix, &kHalfC);
constexpr Field kMagnitudeB = kPairB.magnitude(62);
constexpr Field kLower = kMagnitudeB.with(&Field::slot, Slot::Lower).kept(124);
constexpr Field kPairC =
    kC.negative(84).ending(kHalfB).with(&Field::upperMinus, 84).with(&Field::upperSuffix, &kHalfC);
// Two immediate numbers.
constexpr Field kHigh = field(OperandKind::Half, 48, 16);
constexpr Field kLow = field(OperandKind::Half, 32, 16);
constexpr Field kBHigh = field(OperandKind::BHalf, 48, 16);
constexpr Field kBLow = field(OperandKind::BHalf, 32, 16);
constexpr Shapes kNoImmediate = kRegisters | kConstant | kUniform | kThirdConstant | kThirdUniform;
constexpr Field kUpperB = reg(64).negative(84).kept(123).ending(kHalfC);
constexpr Field kUpperC = reg(64).negative(84).kept(124).ending(kHalfC);
constexpr FixedBits kNone = ones(87, 3);  // a predicate that .RELU has, and nothing prints
constexpr Field kWholeA = kA.negative(72);
constexpr Field kWholeB = kB.negative(63).with(&Field::upperMinus, 84);
constexpr Field kWholeC = kC.negative(84).with(&Field::upperMinus, 84);

constexpr Form fused(std::uint16_t opcode, std::string_view name) {
  return form({opcode, kNoImmediate}, name, kBf16Pair, kSaturate, kD, kPairA, kPairB, kPairC);
}
constexpr Form fusedRelu(std::uint16_t opcode, std::string_view name) {
  return form({opcode, kNoImmediate}, name, kBf16Pair, modifier(79, 1, {{1, ".RELU"}}), kD, kPairA,
              kPairB, kPairC, kNone);
}

// What a comparison makes: ones in all bits of a half, or the number 1.
constexpr Modifier kAsNumbers = modifier(71, 1, {{0, ""}, {1, ".BF"}});
constexpr Modifier kCombineHalves = modifier(69, 2, {{0, ".AND"}, {1, ".OR"}, {2, ".XOR"}});
constexpr Field kCompared = kMagnitudeB.kept(124);

constexpr auto kForms = std::to_array<Form>({
    fused(0x031, "HFMA2"),
    fusedRelu(0x031, "HFMA2"),
    // Through another pipe, and of whole registers.
    form({0x035, kNoImmediate}, "HFMA2.MMA", kSaturate, kD, kWholeA, kWholeB, kWholeC).upTo(99),
    form({0x035, kNoImmediate}, "HFMA2.MMA.BF16_V2", kSaturate, kD, kWholeA, kWholeB, kWholeC,
         ones(85))
        .from(90)
        .upTo(99),
    form({0x035, kNoImmediate}, "HFMA2.MMA.RELU", kD, kWholeA, kWholeB, kWholeC, ones(79), kNone)
        .upTo(99),
    // Immediate numbers: B and C are exchanged as in other instructions.
    form({0x431}, "HFMA2", kSaturate, kD, kPairA, kUpperB, kHigh, kLow),
    form({0x431}, "HFMA2.BF16_V2", kSaturate, kD, kPairA, kUpperB, kBHigh, kBLow, ones(85)),
    form({0x831}, "HFMA2", kSaturate, kD, kPairA, kHigh, kLow, kUpperC),
    form({0x831}, "HFMA2.BF16_V2", kSaturate, kD, kPairA, kBHigh, kBLow, kUpperC, ones(85)),
    form({0x435}, "HFMA2.MMA", kSaturate, kD, kWholeA, reg(64).negative(84).kept(123), kHigh, kLow)
        .upTo(99),
    form({0x435}, "HFMA2.MMA.BF16_V2", kSaturate, kD, kWholeA, reg(64).negative(84).kept(123),
         kBHigh, kBLow, ones(85))
        .from(90)
        .upTo(99),
    form({0x835}, "HFMA2.MMA", kSaturate, kD, kWholeA, kHigh, kLow, reg(64).negative(84).kept(124))
        .upTo(99),
    form({0x835}, "HFMA2.MMA.BF16_V2", kSaturate, kD, kWholeA, kBHigh, kBLow,
         reg(64).negative(84).kept(124), ones(85))
        .from(90)
        .upTo(99),
    form({0x030, kRegisters | kThirdConstant | kThirdUniform}, "HADD2",
         modifier(78, 1, {{0, ""}, {1, ".F32"}}), kSaturate, kD, kMagnitudeA, kLower),
    form({0x030, kRegisters | kThirdConstant | kThirdUniform}, "HADD2.BF16_V2", kSaturate, kD,
         kMagnitudeA, kLower, ones(85))
        .from(90),
    form({0x430}, "HADD2", kSaturate, kD, kMagnitudeA, kHigh, kLow),
    form({0x430}, "HADD2.BF16_V2", kSaturate, kD, kMagnitudeA, kBHigh, kBLow, ones(85)).from(90),
    form({0x032, kRegisters | kConstant | kUniform}, "HMUL2", kSaturate, kD, kMagnitudeA,
         kMagnitudeB),
    form({0x032, kRegisters | kConstant | kUniform}, "HMUL2.BF16_V2", kSaturate, kD, kMagnitudeA,
         kMagnitudeB, ones(85))
        .from(90),
    form({0x832}, "HMUL2", kSaturate, kD, kMagnitudeA, kHigh, kLow),
    form({0x832}, "HMUL2.BF16_V2", kSaturate, kD, kMagnitudeA, kBHigh, kBLow, ones(85)).from(90),
    form({0x040, kRegisters}, "HMNMX2", kBf16Pair, kD, kA.negative(72), kB.negative(63),
         predicate(87)),
    form({0x033, kRegisters}, "HSET2", kAsNumbers, kCompareFloats, kCombineHalves, kD, kMagnitudeA,
         kCompared, predicate(87)),
    form({0x033, kRegisters}, "HSET2.BF16_V2", kAsNumbers, kCompareFloats, kCombineHalves, kD,
         kMagnitudeA, kCompared, predicate(87), ones(65))
        .from(90),
    form({0x433}, "HSET2", kAsNumbers, kCompareFloats, kCombineHalves, kD, kMagnitudeA, kHigh, kLow,
         predicate(87)),
    form({0x433}, "HSET2.BF16_V2", kAsNumbers, kCompareFloats, kCombineHalves, kD, kMagnitudeA,
         kBHigh, kBLow, predicate(87), ones(65))
        .from(90),
    form({0x034, kRegisters}, "HSETP2", kCompareFloats, kCombineHalves, predicateOut(81),
         predicateOut(84), kMagnitudeA, kCompared, predicate(87)),
    form({0x034, kRegisters}, "HSETP2.BF16_V2", kCompareFloats, kCombineHalves, predicateOut(81),
         predicateOut(84), kMagnitudeA, kCompared, predicate(87), ones(65))
        .from(90),
    form({0x434}, "HSETP2", kCompareFloats, kCombineHalves, predicateOut(81), predicateOut(84),
         kMagnitudeA, kHigh, kLow, predicate(87)),
    form({0x434}, "HSETP2.BF16_V2", kCompareFloats, kCombineHalves, predicateOut(81),
         predicateOut(84), kMagnitudeA, kBHigh, kBLow, predicate(87), ones(65))
        .from(90),
});

}  // namespace

std::span<const Form> halfForms() {
  return kForms;
}

}  // namespace tileloom::sass
