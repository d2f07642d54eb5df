// SPDX-License-Identifier: GPL-3.0-or-later
// The additions of compute capability 9.0: TMA, mbarriers, clusters, and register reallocation.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kBarrierAddress = address(OperandKind::BarrierAddress, 24, 0, 0, 64);
// Four uniform registers: the address in shared memory, the mbarrier, two coordinates.
constexpr Field kBoxToLoad = uniformAddress(32, 4);
// The address in shared memory and two coordinates.
constexpr Field kBoxToStore = uniformAddress(32, 3);
constexpr Field kTensorMap = uniformAddress(24, 2);

constexpr auto kForms = std::to_array<Form>({
    form({0x5b4}, "UTMALDG.2D", kBoxToLoad, kTensorMap, ones(79), ones(91), Effect::BulkLoad),
    form({0x3b4}, "UTMALDG.2D.MULTICAST", kBoxToLoad, kTensorMap, ureg(64), ones(75), ones(79),
         ones(91), Effect::BulkLoad),
    form({0x3b5}, "UTMASTG.2D", kBoxToStore, kTensorMap, ones(79), ones(91), Effect::BulkStore),
    form({0x9b7}, "UTMACMDFLUSH", Effect::AsyncCommit),
    form({0x5b2}, "SYNCS.EXCH.64", kUD, uniformAddress(24, 1), ureg(32).pair(), ones(72), ones(91),
         Effect::BarrierObject)
        .underUniform(),
    form({0x5a7}, "SYNCS.PHASECHK.TRANS64.TRYWAIT", predicateOut(81), kBarrierAddress, reg(32),
         ones(70), ones(72), ones(91), Effect::BarrierObject),
    form({0x9a7}, "SYNCS.ARRIVE.TRANS64", modifier(74, 1, {{0, ""}, {1, ".RED"}}),
         modifier(84, 1, {{0, ""}, {1, ".A1T0"}}), kD, kBarrierAddress, reg(32), ones(91),
         Effect::BarrierObject),
    form({0x3c6}, "FENCE.VIEW.ASYNC.S", Effect::Fence),
    form({0x9c7}, "UCGABAR_ARV", ones(91), Effect::Barrier),
    form({0xdc7}, "UCGABAR_WAIT", ones(91), Effect::Barrier),
    form({0x9c8}, "USETMAXREG.DEALLOC.CTAPOOL", immediate(32, 8), bits(72, 3, 5), kNoResult,
         ones(91), Effect::RegisterPool),
    form({0x9c8}, "USETMAXREG.TRY_ALLOC.CTAPOOL", upredicateOut(81), immediate(32, 8),
         bits(72, 3, 6), ones(91), Effect::RegisterPool),
});

// All of them are of 9.0, and some do not exist in later ones: there, none is known.
constexpr auto kOnly90 = [] {
  auto forms = kForms;
  for (Form& row : forms) row = row.from(90).upTo(99);
  return forms;
}();

}  // namespace

std::span<const Form> asyncForms() {
  return kOnly90;
}

}  // namespace tileloom::sass
