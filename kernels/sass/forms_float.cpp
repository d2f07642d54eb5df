// SPDX-License-Identifier: GPL-3.0-or-later
// FP32, FP16, and conversions between numbers.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr auto kForms = std::to_array<Form>({
    form({0x023, kRegisters | kConstant | kUniform}, "FFMA", kD, kA, kB, kC),
    form({0x020, kRegisters | kConstant | kUniform}, "FMUL", kD, kA, kB, ones(86)),
    form({0x021, kRegisters | kConstant | kUniform}, "FADD", kD, kA, kB),
    // Both halves of the result are -0 * 0 + an immediate number: a move through another pipe.
    form({0x435}, "HFMA2.MMA", kD, reg(24).negative(72), reg(64), field(OperandKind::Half, 48, 16),
         field(OperandKind::Half, 32, 16))
        .upTo(99),
    form({0x431}, "HFMA2", kD, reg(24).negative(72), reg(64), field(OperandKind::Half, 48, 16),
         field(OperandKind::Half, 32, 16))
        .from(100),
    form({0x108, kRegisters}, "MUFU.RCP", kD, kB, bits(74, 4, 4)),
    form({0x106, kRegisters | kConstant | kUniform}, "I2F.U32.RP", kD, kB, ones(76), ones(79),
         ones(85)),
    form({0x105, kRegisters}, "F2I.FTZ.U32.TRUNC.NTZ", kD, kB, ones(76, 5), ones(85)),
});

}  // namespace

std::span<const Form> floatForms() {
  return kForms;
}

}  // namespace tileloom::sass
