// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores, what feeds them from shared memory, and the conversion of their results.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// Matrices of 8 x 8 numbers of 16 bits: each thread moves 4 bytes of each.
constexpr Modifier kMatrices = modifier(72, 2, {{0, ".1", 4}, {1, ".2", 8}, {2, ".4", 16}});
constexpr Modifier kBf16 = modifier(82, 1, {{0, ""}, {1, ".BF16"}});

// Two FP32 numbers become 16-bit ones in one register. Its name differs before compute capability
// 8.9.
constexpr Form packing(std::string_view name, int format) {
  return form({0x03e, kRegisters}, name, kD, kA, kB, kC.hidden(),
              bits(76, 1, static_cast<std::uint64_t>(format)));
}

constexpr auto kForms = std::to_array<Form>({
    form({0x03c, kRegisters}, "HMMA.16816.F32", kBf16, kD.of(4), kA.of(4), kB.pair(), kC.of(4),
         ones(75, 2), Effect::TensorProduct),
    // A wgmma: 64 rows, and twice as many columns as each thread has results. The factors come from
    // shared memory. Without gsb0, later wgmma of the same group follow; UP says whether the old
    // results count.
    form({0x9f0}, "HGMMA.64x",
         modifier(53, 5,
                  {{7, "64x16.F32", 128}, {0xf, "128x16.F32", 256}, {0x1f, "256x16.F32", 512}}),
         modifier(76, 1, {{0, ""}, {1, ".BF16"}}), kD.sized(),
         field(OperandKind::MatrixDescriptor, 24, 6).of(4), reg(64).sized(),
         field(OperandKind::ProductGroup, 84, 3).unlessDefault(),
         upredicate(87).with(&Field::inverted, true).unlessDefault(), ones(62), ones(75), ones(91),
         Effect::GroupProduct)
        .from(90)
        .upTo(99),
    form({0x9c5}, "WARPGROUP.ARRIVE", Effect::GroupProduct).from(90).upTo(99),
    form({0x9c5}, "WARPGROUP.DEPBAR.LE", field(OperandKind::ProductGroup, 44, 3), immediate(72, 3),
         ones(47), ones(80), Effect::Wait)
        .from(90)
        .upTo(99),
    form({0x83b}, "LDSM.16", modifier(78, 1, {{0, ".M88"}, {1, ".MT88"}}), kMatrices, kD.sized(),
         sharedAddress(24, 40, 24, 32), Effect::SharedLoad),
    form({0x844}, "STSM.16", modifier(78, 1, {{0, ".M88"}, {1, ".MT88"}}), kMatrices,
         sharedAddress(24, 40, 24, 64), reg(32).sized(), Effect::SharedStore)
        .from(90),
    packing("F2FP.BF16.PACK_AB", 1).upTo(88),
    packing("F2FP.F16.F32.PACK_AB", 0).from(89),
    packing("F2FP.BF16.F32.PACK_AB", 1).from(89),
});

}  // namespace

std::span<const Form> tensorForms() {
  return kForms;
}

}  // namespace tileloom::sass
