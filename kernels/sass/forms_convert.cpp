// SPDX-License-Identifier: GPL-3.0-or-later
// Conversions between integers and floating-point numbers, and between widths of these.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Shapes kSource = kRegisters | kConstant | kUniform;
constexpr Field kFloatB = kB.uncached().negative(63).magnitude(62).number(OperandKind::Float);
constexpr Field kIntegerB = kB.uncached();
constexpr Field kWideB = kFloatB.pair().number(OperandKind::Double);
constexpr Modifier kToInteger =
    modifier(78, 2, {{0, ""}, {1, ".FLOOR"}, {2, ".CEIL"}, {3, ".TRUNC"}});
constexpr Modifier kNotToZero = modifier(77, 1, {{0, ""}, {1, ".NTZ"}});  // of a NaN

// Widths are coded as 0 to 3: 8, 16, 32 and 64 bits.
constexpr FixedBits from(int width) {
  return bits(84, 2, static_cast<std::uint64_t>(width));
}
constexpr FixedBits to(int width) {
  return bits(75, 2, static_cast<std::uint64_t>(width));
}
constexpr Modifier signedTo(std::string_view isUnsigned, std::string_view isSigned) {
  return modifier(72, 1, {{0, isUnsigned}, {1, isSigned}});
}
constexpr Modifier signedFrom(std::string_view isUnsigned, std::string_view isSigned) {
  return modifier(74, 1, {{0, isUnsigned}, {1, isSigned}});
}
constexpr Modifier kFromFloat = modifier(84, 2, {{2, ""}});
constexpr Modifier kFromHalf = modifier(84, 2, {{1, ".F16"}});
constexpr Shapes kHalfSource = kRegisters | kUniform;
constexpr Modifier kToFloat = modifier(75, 2, {{1, ".F16"}, {2, ""}});
constexpr Modifier kByte = modifier(60, 2, {{0, ""}, {1, ".B1"}, {2, ".B2"}, {3, ".B3"}});

// Which half of a register is converted.
constexpr Modifier kWord = modifier(60, 1, {{0, ""}, {1, ".H1"}});
constexpr Field kHalfB = kFloatB.ending(kWord);

constexpr auto kForms = std::to_array<Form>({
    form({0x105, kSource}, "F2I", kFlush, signedTo(".U32", ""), kFromFloat, kToInteger, kNotToZero,
         kD, kFloatB, to(2)),
    form({0x105, kHalfSource}, "F2I", kFlush, signedTo(".U32", ""), kFromHalf, kToInteger,
         kNotToZero, kD, kHalfB, to(2)),
    form({0x105, kSource}, "F2I", kFlush, signedTo(".U16", ".S16"), kFromFloat, kToInteger,
         kNotToZero, kD, kFloatB, to(1)),
    form({0x105, kHalfSource}, "F2I", kFlush, signedTo(".U16", ".S16"), kFromHalf, kToInteger,
         kNotToZero, kD, kHalfB, to(1)),
    form({0x105, kSource}, "F2I", kFlush, signedTo(".U8", ".S8"), kFromFloat, kToInteger,
         kNotToZero, kD, kFloatB, to(0)),
    form({0x105, kHalfSource}, "F2I", kFlush, signedTo(".U8", ".S8"), kFromHalf, kToInteger,
         kNotToZero, kD, kHalfB, to(0)),
    form({0x111, kSource}, "F2I", kFlush, signedTo(".U64", ".S64"), kFromFloat, kToInteger,
         kNotToZero, kD.pair(), kFloatB, to(3)),
    form({0x111, kHalfSource}, "F2I", kFlush, signedTo(".U64", ".S64"), kFromHalf, kToInteger,
         kNotToZero, kD.pair(), kHalfB, to(3)),
    form({0x111, kSource}, "F2I", signedTo(".U32", ""), modifier(84, 2, {{3, ".F64"}}), kToInteger,
         kNotToZero, kD, kWideB, to(2)),
    form({0x111, kSource}, "F2I", signedTo(".U64", ".S64"), modifier(84, 2, {{3, ".F64"}}),
         kToInteger, kNotToZero, kD.pair(), kWideB, to(3)),
    form({0x106, kSource}, "I2F", kToFloat, signedFrom(".U32", ""), kRound, kD, kIntegerB, from(2)),
    // Of a number that the compiler knows only late, as the threads of a warp.
    form({0x106, kImmediate}, "I2F", kToFloat, signedFrom(".U32", ""), kRound, kD, kB, from(2)),
    form({0x106, kSource}, "I2F", kToFloat, signedFrom(".U16", ".S16"), kRound, kD,
         kIntegerB.ending(kWord), from(1)),
    form({0x106, kSource}, "I2F", kToFloat, signedFrom(".U8", ".S8"), kRound, kD,
         kIntegerB.ending(kByte), from(0)),
    form({0x112, kSource}, "I2F.F64", signedFrom(".U32", ""), kRound, kD.pair(), kIntegerB, from(2),
         to(3)),
    form({0x112, kSource}, "I2F.F64", signedFrom(".U16", ".S16"), kRound, kD.pair(),
         kIntegerB.ending(kWord), from(1), to(3)),
    form({0x112, kSource}, "I2F.F64", signedFrom(".U64", ".S64"), kRound, kD.pair(),
         kIntegerB.pair(), from(3), to(3)),
    form({0x112, kSource}, "I2F", kToFloat, signedFrom(".U64", ".S64"), kRound, kD,
         kIntegerB.pair(), from(3)),
    form({0x045, kSource}, "I2FP.F32", signedFrom(".U32", ".S32"),
         modifier(78, 2, {{0, ""}, {3, ".RZ"}}), kD, kB, from(2), to(2)),
    form({0x845}, "I2FP.F32.U32", modifier(78, 2, {{0, ""}, {3, ".RZ"}}), kD, immediate(32, 32),
         from(2), to(2)),
    form({0x845}, "I2FP.F32.S32", modifier(78, 2, {{0, ""}, {3, ".RZ"}}), kD,
         immediate(32, 32).with(&Field::isSigned, true), ones(74), from(2), to(2)),
    form({0x107, kSource}, "FRND", kFlush, kToInteger, kD, kFloatB, from(2), to(2)),
    form({0x107, kHalfSource}, "FRND.F16", kToInteger, kD, kHalfB, from(1), to(1)),
    form({0x113, kSource}, "FRND.F64", kToInteger, kD.pair(), kWideB, from(3), to(3)),
    form({0x104, kSource}, "F2F", kFlush, modifier(75, 3, {{1, ".F16.F32"}, {4, ".BF16.F32"}}),
         kRound, kD, kFloatB, from(2)),
    form({0x110, kSource}, "F2F.F32.F64", kRound, kD, kWideB, from(3), to(2)),
    form({0x110, kSource}, "F2F", kFlush, modifier(75, 2, {{3, ".F64.F32"}}), kD.pair(), kFloatB,
         from(2)),
});

}  // namespace

std::span<const Form> conversionForms() {
  return kForms;
}

}  // namespace tileloom::sass
