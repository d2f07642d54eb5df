// SPDX-License-Identifier: GPL-3.0-or-later
// Tensor cores, what feeds them from shared memory, and the conversion of their results.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// Matrices of 8 x 8 numbers of 16 bits: each thread moves 4 bytes of each.
constexpr Modifier kMatrices = modifier(72, 2, {{0, "", 4}, {1, ".2", 8}, {2, ".4", 16}});
constexpr Modifier kBf16 = modifier(82, 1, {{0, ""}, {1, ".BF16"}});

// Two FP32 numbers become 16-bit ones in one register. Its name differs before compute capability
// 8.9.
constexpr Form packing(std::string_view name, int format) {
  return form({0x03e, kRegisters}, name, kD, kA, kB, kC.hidden(),
              bits(76, 1, static_cast<std::uint64_t>(format)));
}

// Which factors are transposed, and whether A is negated.
constexpr Modifier kTransposed =
    modifier(61, 2, {{0, ""}, {1, ".tnspA"}, {2, ".tnspB"}, {3, ".tnspA.tnspB"}});
constexpr Modifier kNegatedTransposed = modifier(
    61, 2, {{0, ".negA"}, {1, ".negA.tnspA"}, {2, ".negA.tnspB"}, {3, ".negA.tnspA.tnspB"}});
constexpr Modifier kTransposedB = modifier(61, 2, {{0, ""}, {2, ".tnspB"}});
constexpr Modifier kSaturated = modifier(77, 1, {{0, ""}, {1, ".SATFINITE"}});
constexpr Modifier kRelu = modifier(75, 1, {{0, ""}, {1, ".RELU"}});
constexpr Modifier kEightBits = modifier(76, 1, {{0, ".E5M2"}, {1, ".E4M3"}});
constexpr Modifier kUpperHalf = modifier(72, 1, {{0, ""}, {1, ".H1"}});
constexpr Modifier kRow = modifier(73, 1, {{0, ".ROW"}});
constexpr Modifier kColumn = modifier(77, 1, {{0, ".COL"}});

// A wgmma: 64 rows, and as many columns as a modifier says. B, and A if it is not in registers,
// come from shared memory. UP says whether the old results count. Without gsb0, later wgmma of the
// same group follow.
constexpr Field kFromShared = field(OperandKind::MatrixDescriptor, 24, 6).of(4);
// The descriptor of A would be in the first two of them. Only that of B is read.
constexpr Field kBFromShared = field(OperandKind::MatrixDescriptor, 32, 6).of(4);
constexpr Field kSums = reg(64).sized();
constexpr Field kCounts = upredicate(87).with(&Field::inverted, true).unlessDefault();
constexpr Field kGroup = field(OperandKind::ProductGroup, 84, 3).unlessDefault();
constexpr int kSumBytes = 16, kHalfSumBytes = 8;  // of a thread, for each 8 columns
constexpr Modifier columns(std::string_view tail, int bytes) {
  return multiples(53, 5, 8, tail, bytes);
}
constexpr Modifier kBf16Sums = modifier(76, 1, {{0, ".F32"}, {1, ".F32.BF16"}});

template <class... Parts>
constexpr Form groupProduct(std::uint16_t opcode, std::string_view name, const Modifier& width,
                            const Modifier& type, const Field& a, const Parts&... more) {
  return form({opcode}, name, width, type, kD.sized(), a, more..., kSums, kCounts, kGroup, ones(91),
              Effect::GroupProduct)
      .from(90)
      .upTo(99);
}
// The formats of both factors.
constexpr Modifier k8BitTypes =
    modifier(76, 2, {{0, ".E4M3.E4M3"}, {1, ".E5M2.E4M3"}, {2, ".E4M3.E5M2"}, {3, ".E5M2.E5M2"}});

constexpr auto kForms = std::to_array<Form>({
    form({0x03c, kRegisters}, "HMMA.16816.F32", kBf16, kD.of(4), kA.of(4), kB.pair(), kC.of(4),
         ones(75, 2), Effect::TensorProduct),
    form({0x03c, kRegisters}, "HMMA.16816.F16", kD.pair(), kA.of(4), kB.pair(), kC.pair(), ones(75),
         Effect::TensorProduct),
    form({0x03c, kRegisters}, "HMMA.1688.F32", kBf16, kD.of(4), kA.pair(), kB, kC.of(4), ones(76),
         Effect::TensorProduct),
    form({0x03c, kRegisters}, "HMMA.1688.F16", kD.pair(), kA.pair(), kB, kC.pair(),
         Effect::TensorProduct),
    form({0x03c, kRegisters}, "HMMA.1688.F32.TF32", kD.of(4), kA.of(4), kB.pair(), kC.of(4),
         ones(76), ones(83), Effect::TensorProduct),
    form({0x03c, kRegisters}, "HMMA.1684.F32.TF32", kD.of(4), kA.pair(), kB, kC.of(4), ones(76),
         ones(78), ones(83), Effect::TensorProduct),
    form({0x037, kRegisters}, "IMMA.16832", modifier(76, 1, {{0, ".U8"}, {1, ".S8"}}),
         modifier(78, 1, {{0, ".U8"}, {1, ".S8"}}), modifier(82, 1, {{0, ""}, {1, ".SAT"}}),
         kD.of(4), kA.of(4).ending(kRow), kB.pair().ending(kColumn), kC.of(4), ones(74, 2),
         ones(86), Effect::TensorProduct),
    form({0x037, kRegisters}, "IMMA.16816", modifier(76, 1, {{0, ".U8"}, {1, ".S8"}}),
         modifier(78, 1, {{0, ".U8"}, {1, ".S8"}}), modifier(82, 1, {{0, ""}, {1, ".SAT"}}),
         kD.of(4), kA.pair().ending(kRow), kB.ending(kColumn), kC.of(4), ones(74), ones(86),
         Effect::TensorProduct),
    groupProduct(0x9f0, "HGMMA.64x", columns("x16", kSumBytes), kBf16Sums,
                 kFromShared.ending(kTransposed), ones(75)),
    groupProduct(0x9f0, "HGMMA.64x", columns("x16", kSumBytes), kBf16Sums,
                 kFromShared.ending(kNegatedTransposed), ones(72), ones(75)),
    groupProduct(0x9f0, "HGMMA.64x", columns("x16", kHalfSumBytes), modifier(75, 3, {{0, ".F16"}}),
                 kFromShared.ending(kTransposed)),
    groupProduct(0x9f0, "HGMMA.64x", columns("x8", kSumBytes), modifier(75, 3, {{5, ".F32.TF32"}}),
                 kFromShared.ending(kTransposed), ones(58)),
    groupProduct(0xdf0, "HGMMA.64x", columns("x16", kSumBytes), kBf16Sums, reg(24).of(4),
                 kBFromShared.ending(kTransposedB), ones(75)),
    groupProduct(0xdf0, "HGMMA.64x", columns("x8", kSumBytes), modifier(75, 3, {{5, ".F32.TF32"}}),
                 reg(24).of(4), kBFromShared.ending(kTransposedB), ones(58)),
    // The widths of 8-bit integers are numbered in another way; these three were seen.
    groupProduct(
        0x9f1, "IGMMA.",
        modifier(53, 5, {{0, "64x8x32", 16}, {15, "64x64x32", 128}, {27, "64x128x32", 256}}),
        modifier(76, 1, {{0, ".U8.S8"}, {1, ".S8.S8"}}), kFromShared, ones(82)),
    groupProduct(0x9f3, "QGMMA.64x", columns("x32.F32", kSumBytes), k8BitTypes, kFromShared,
                 ones(75)),
    groupProduct(0x9f3, "QGMMA.64x", columns("x32.F16", kHalfSumBytes), k8BitTypes, kFromShared),
    groupProduct(0xdf3, "QGMMA.64x", columns("x32.F32", kSumBytes), k8BitTypes, reg(24).of(4),
                 kBFromShared, ones(75)),
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
    packing("F2FP.PACK_AB", 0).upTo(88),
    packing("F2FP.F16.F32.PACK_AB", 0).from(89),
    packing("F2FP.BF16.F32.PACK_AB", 1).from(89),
    // Two numbers of 8 bits become 16-bit ones.
    form({0x03e, kRegisters}, "F2FP", kRelu, modifier(76, 1, {{0, ".F16"}, {1, ".BF16"}}),
         modifier(73, 1, {{0, ".E5M2"}, {1, ".E4M3"}}), modifier(89, 1, {{1, ".UNPACK_B"}}), kD,
         kA.hidden(), kB, kC.hidden(), ones(74))
        .from(89),
    // Two numbers become 8-bit ones in the lower half, and a half of C the upper one.
    form({0x03e, kRegisters}, "F2FP", kSaturated, kRelu, kEightBits,
         modifier(78, 1, {{1, ".F32.PACK_AB_MERGE_C"}}), kD, kA, kB, kC.ending(kUpperHalf),
         ones(87), ones(90))
        .from(89),
    form({0x03e, kRegisters}, "F2FP", kSaturated, kRelu, kEightBits,
         modifier(73, 1, {{1, ".F16.UNPACK_B_MERGE_C"}}), kD, kA.hidden(), kB,
         kC.ending(kUpperHalf), ones(87), ones(90))
        .from(89),
});

}  // namespace

std::span<const Form> tensorForms() {
  return kForms;
}

}  // namespace tileloom::sass
