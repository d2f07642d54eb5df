// SPDX-License-Identifier: GPL-3.0-or-later
// Loads, stores and copies of a thread.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

// Whether others may see or change the memory at the same time.
constexpr Modifier kLoadOrder = modifier(76, 4, {{1, ""}, {9, ".CONSTANT"}, {15, ".STRONG.GPU"}});
constexpr Modifier kStoreOrder = modifier(76, 4, {{1, ""}, {15, ".STRONG.GPU"}});
// 64 bits of address (bit 72), and a descriptor in uniform registers (bits 90 and 91).
constexpr FixedBits kWide = ones(72);
constexpr FixedBits kDescriptor = ones(90, 2);
constexpr FixedBits kUsual = bits(84, 3, 1);  // how long the cache keeps the line

constexpr Field kShared = sharedAddress(24, 40, 24, 32);
constexpr Field kScaledShared = kShared.with(&Field::scaleFrom, 78);
constexpr Field kStored = reg(32).sized();

constexpr auto kForms = std::to_array<Form>({
    form({0xb82}, "LDC", kSize, kD.sized(), constant(38, 16), reg(24).hidden()),
    form({0x984}, "LDS", kSize, kD.sized(), kScaledShared, Effect::SharedLoad),
    form({0x388}, "STS", kSize, sharedAddress(24, 40, 24, 64).with(&Field::scaleFrom, 78), kStored,
         Effect::SharedStore),
    // The same, with a uniform register in its address.
    form({0x988}, "STS", kSize, sharedAddress(24, 40, 24, 64), kStored, Effect::SharedStore),
    form({0x981}, "LDG.E", kSize, kLoadOrder, kD.sized(), globalAddress(40, 24, 32), kWide,
         kNoResult, kUsual, kDescriptor, Effect::GlobalLoad),
    form({0x986}, "STG.E", kSize, kStoreOrder, globalAddress(40, 24, 64), kStored, kWide, kUsual,
         kDescriptor, Effect::GlobalStore),
    // Adds and returns the previous value; neither the operation nor its type varies yet.
    form({0x9a8}, "ATOMG.E.ADD.STRONG.GPU", predicateOut(81), kD, globalAddress(40, 24, 64),
         reg(32), ones(70, 2), kWide, bits(76, 4, 14), kUsual, ones(91), Effect::GlobalAtomic),
    // The shared address has 20 bits of offset, the global one 12.
    form({0xfae}, "LDGSTS.E", modifier(81, 1, {{0, ".BYPASS"}, {1, ""}}),
         modifier(72, 1, {{0, ""}, {1, ".LTC128B"}}), kSize, sharedAddress(16, 44, 20, -1),
         globalAddress(32, 12, 64), ones(70), ones(76), kUsual, kNoCondition, ones(91),
         Effect::AsyncCopy)
        .upTo(99),
    form({0xfae}, "LDGSTS.E", modifier(81, 1, {{0, ".BYPASS"}, {1, ""}}),
         modifier(73, 1, {{0, ""}, {1, ".LTC128B"}}),
         modifier(74, 2, {{0, "", 4}, {1, ".64", 8}, {2, ".128", 16}}),
         sharedAddress(16, 44, 20, -1), globalAddress(32, 12, 64), ones(76), bits(83, 4, 3),
         kNoCondition, ones(91), Effect::AsyncCopy)
        .from(100),
    // A thread's local memory: values without a register.
    form({0x983}, "LDL", modifier(84, 3, {{1, ""}, {3, ".LU"}}), kSize, kD.sized(),
         sharedAddress(24, 40, 24, -1), Effect::LocalLoad),
    form({0x387}, "STL", kSize, sharedAddress(24, 40, 24, -1), kStored, kUsual, Effect::LocalStore),
    form({0x9af}, "LDGDEPBAR", Effect::AsyncCommit),
});

}  // namespace

std::span<const Form> memoryForms() {
  return kForms;
}

}  // namespace tileloom::sass
