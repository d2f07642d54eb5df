// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores and copies of a thread.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// Whether others may see or change the memory at the same time.
constexpr Modifier kLoadOrder = modifier(
    76, 5,
    {{1, ""}, {9, ".CONSTANT"}, {11, ".STRONG.SM"}, {15, ".STRONG.GPU"}, {21, ".STRONG.SYS"}});
constexpr Modifier kStoreOrder =
    modifier(76, 5, {{1, ""}, {11, ".STRONG.SM"}, {15, ".STRONG.GPU"}, {21, ".STRONG.SYS"}});
// How long the cache keeps the line, and how much of L2 is fetched.
constexpr Modifier kEviction = modifier(84, 3, {{0, ".EF"}, {1, ""}, {3, ".LU"}, {5, ".NA"}});
constexpr Modifier kFetched =
    modifier(68, 2, {{0, ""}, {1, ".LTC64B"}, {2, ".LTC128B"}, {3, ".LTC256B"}});
// 64 bits of address (bit 72), and a descriptor in uniform registers (bits 90 and 91).
constexpr FixedBits kWide = ones(72);
constexpr FixedBits kDescriptor = ones(90, 2);
constexpr FixedBits kUsual = bits(84, 3, 1);

constexpr Field kShared = sharedAddress(24, 40, 24, 32);
constexpr Field kScaledShared = kShared.with(&Field::scaleFrom, 78);
constexpr Modifier kCopySize = modifier(73, 3, {{4, "", 4}, {5, ".64", 8}, {6, ".128", 16}});
constexpr Field kStored = reg(32).sized();
// Without it, zeros are written.
constexpr Field kCopied = predicate(87).unlessDefault();

// The same without a descriptor: of shared memory of the cluster.
constexpr Field kPlain = globalAddress(40, 24, 64)
                             .with(&Field::kind, OperandKind::Address)
                             .with(&Field::uniformFrom, -1)
                             .with(&Field::uniformRegisters, 0);

constexpr auto kForms = std::to_array<Form>({
    form({0xb82}, "LDC", kConstantSize, kD.sized(), indexedConstant(38, 16)),
    form({0x984}, "LDS", kSize, kD.sized(), kScaledShared, Effect::SharedLoad),
    form({0x388}, "STS", kSize, sharedAddress(24, 40, 24, 64).with(&Field::scaleFrom, 78), kStored,
         Effect::SharedStore),
    // The same, with a uniform register in its address.
    form({0x988}, "STS", kSize, sharedAddress(24, 40, 24, 64), kStored, Effect::SharedStore),
    form({0x981}, "LDG.E", kEviction, kFetched, kSize, kLoadOrder, kD.sized(),
         globalAddress(40, 24, 32), kWide, kNoResult, kDescriptor, Effect::GlobalLoad),
    form({0x986}, "STG.E", kEviction, kSize, kStoreOrder, globalAddress(40, 24, 64), kStored, kWide,
         kDescriptor, Effect::GlobalStore),
    // Of any memory: the address says which.
    form({0x980}, "LD.E", kSize, kLoadOrder, kD.sized(), globalAddress(40, 24, 32), kWide, kUsual,
         kDescriptor, Effect::GlobalLoad),
    form({0x985}, "ST.E", kSize, kStoreOrder, globalAddress(40, 24, 64), kStored, kWide, kUsual,
         kDescriptor, Effect::GlobalStore),
    form({0x980}, "LD.E", kSize, kD.sized(), clusterAddress(32), kWide, kUsual, ones(91),
         Effect::SharedLoad)
        .from(90),
    form({0x985}, "ST.E", kSize, clusterAddress(64), kStored, kWide, kUsual, ones(91),
         Effect::SharedStore)
        .from(90),
    form({0x980}, "LD.E", kSize, kD.sized(), kPlain, kWide, kUsual, Effect::SharedLoad)
        .from(90)
        .upTo(99),
    form({0x385}, "ST.E", kSize, kPlain, reg(64).sized(), kWide, kUsual, Effect::SharedStore)
        .from(90)
        .upTo(99),
    // The shared address has 20 bits of offset, the global one 12.
    form({0xfae}, "LDGSTS.E", modifier(81, 1, {{0, ".BYPASS"}, {1, ""}}),
         modifier(71, 2, {{0, ""}, {1, ".LTC64B"}, {2, ".LTC128B"}, {3, ".LTC256B"}}), kCopySize,
         modifier(82, 1, {{0, ""}, {1, ".ZFILL"}}), sharedAddress(16, 44, 20, -1),
         globalAddress(32, 12, 64), kCopied, ones(70), ones(76), kUsual, ones(91),
         Effect::AsyncCopy)
        .upTo(99),
    form({0xfae}, "LDGSTS.E", modifier(81, 1, {{0, ".BYPASS"}, {1, ""}}),
         modifier(72, 2, {{0, ""}, {1, ".LTC64B"}, {2, ".LTC128B"}, {3, ".LTC256B"}}),
         modifier(74, 2, {{0, "", 4}, {1, ".64", 8}, {2, ".128", 16}}),
         modifier(82, 1, {{0, ""}, {1, ".ZFILL"}}), sharedAddress(16, 44, 20, -1),
         globalAddress(32, 12, 64), kCopied, ones(76), bits(83, 4, 3), ones(91), Effect::AsyncCopy)
        .from(100),
    // A thread's local memory: values without a register.
    form({0x983}, "LDL", modifier(84, 3, {{1, ""}, {3, ".LU"}}), kSize, kD.sized(),
         sharedAddress(24, 40, 24, -1), Effect::LocalLoad),
    form({0x387}, "STL", kSize, sharedAddress(24, 40, 24, -1), kStored, kUsual, Effect::LocalStore),
    form({0x9af}, "LDGDEPBAR", Effect::AsyncCommit),
    form({0x98f}, "CCTL.E.PF2", sharedAddress(24, 32, 32, -1), kWide, ones(87)),
});

}  // namespace

std::span<const Form> memoryForms() {
  return kForms;
}

}  // namespace tileloom::sass
