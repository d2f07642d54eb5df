// SPDX-License-Identifier: GPL-3.0-or-later
// The additions of compute capability 9.0: TMA, mbarriers, clusters, and register reallocation.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kBarrierAddress = address(OperandKind::BarrierAddress, 24, 40, 24, 64);
// Consecutive uniform registers: the address in shared memory, the mbarrier, the coordinates.
constexpr Field boxToLoad(int coordinates) {
  return uniformAddress(32, 2 + coordinates);
}
// The address in shared memory and the coordinates.
constexpr Field boxToStore(int coordinates) {
  return uniformAddress(32, 1 + coordinates);
}
constexpr Field kTensorMap = uniformAddress(24, 2);
// An address in another block of the cluster, and the mbarrier there.
constexpr Field kRemote =
    globalAddress(40, 24, 64).with(&Field::uniformFrom, -1).with(&Field::uniformRegisters, 0);
constexpr FixedBits dimensions(int count) {
  return bits(79, 3, static_cast<std::uint64_t>(count - 1));
}
constexpr Form load(std::string_view name, int count) {
  return form({0x5b4}, name, boxToLoad(count), kTensorMap, dimensions(count), ones(91),
              Effect::BulkLoad);
}
// With a policy of L2.
constexpr Form hinted(std::string_view name, int count) {
  return form({0x5b4}, name, boxToLoad(count), kTensorMap,
              field(OperandKind::Descriptor, 40, 6).pair(), ones(76), dimensions(count), ones(91),
              Effect::BulkLoad);
}
constexpr Form multicast(std::string_view name, int count) {
  return form({0x3b4}, name, boxToLoad(count), kTensorMap, ureg(64), ones(75), dimensions(count),
              ones(91), Effect::BulkLoad);
}
constexpr Form store(std::string_view name, int count) {
  return form({0x3b5}, name, boxToStore(count), kTensorMap, dimensions(count), ones(91),
              Effect::BulkStore);
}
// Which transactions and arrivals an arrival counts: A for arrivals, T for bytes; R is a register.
constexpr Modifier kCounted =
    modifier(84, 3, {{0, ""}, {1, ".A1T0"}, {2, ".A0T1"}, {3, ".A0TR"}, {5, ".ART0"}});

constexpr auto kForms = std::to_array<Form>({
    load("UTMALDG.1D", 1),
    load("UTMALDG.2D", 2),
    load("UTMALDG.3D", 3),
    load("UTMALDG.4D", 4),
    load("UTMALDG.5D", 5),
    hinted("UTMALDG.1D", 1),
    hinted("UTMALDG.2D", 2),
    hinted("UTMALDG.3D", 3),
    hinted("UTMALDG.4D", 4),
    hinted("UTMALDG.5D", 5),
    multicast("UTMALDG.1D.MULTICAST", 1),
    multicast("UTMALDG.2D.MULTICAST", 2),
    multicast("UTMALDG.3D.MULTICAST", 3),
    multicast("UTMALDG.4D.MULTICAST", 4),
    multicast("UTMALDG.5D.MULTICAST", 5),
    store("UTMASTG.1D", 1),
    store("UTMASTG.2D", 2),
    store("UTMASTG.3D", 3),
    store("UTMASTG.4D", 4),
    store("UTMASTG.5D", 5),
    form({0x3b6}, "UTMAREDG.2D.ADD", boxToStore(2), kTensorMap, dimensions(2), ones(91),
         Effect::BulkStore),
    form({0x5b8}, "UTMAPF.L2.2D", boxToStore(2), kTensorMap, dimensions(2), ones(91)),
    form({0x9b9}, "UTMACCTL.PF", kTensorMap, ones(82), ones(91)),
    form({0x9b7}, "UTMACMDFLUSH", Effect::AsyncCommit),
    // Bytes in a row, with their number divided by 16 in a register.
    form({0x3ba}, "UBLKCP", modifier(73, 2, {{1, ".S.G"}, {3, ".S.S"}}), uniformAddress(32, 2),
         uniformAddress(24, 2), ureg(64), ones(91), Effect::BulkLoad),
    form({0x3ba}, "UBLKCP.G.S", uniformAddress(32, 2), uniformAddress(24, 1), ureg(64),
         bits(73, 2, 2), ones(91), Effect::BulkStore),
    form({0x3bb}, "UBLKRED.G.S.ADD.F32.RN", uniformAddress(32, 2), uniformAddress(24, 1), ureg(64),
         bits(73, 2, 2), bits(81, 3, 5), ones(91), Effect::BulkStore),
    form({0x5b2}, "SYNCS.EXCH.64", kUD, uniformAddressAt(24, 40, 24), ureg(32).pair(), ones(72),
         ones(91), Effect::BarrierObject)
        .underUniform(),
    form({0x5a7}, "SYNCS.PHASECHK.TRANS64", modifier(72, 1, {{0, ""}, {1, ".TRYWAIT"}}),
         predicateOut(81), kBarrierAddress, reg(32), ones(70), ones(91), Effect::BarrierObject),
    form({0x9a7}, "SYNCS.ARRIVE.TRANS64", modifier(73, 1, {{0, ""}, {1, ".TMASK"}}),
         modifier(74, 1, {{0, ""}, {1, ".RED"}}), kCounted, kD.pair(), kBarrierAddress, reg(32),
         ones(91), Effect::BarrierObject),
    form({0x9b1}, "SYNCS.CCTL.IV", kBarrierAddress, ones(91), Effect::BarrierObject),
    form({0xdbd}, "STAS", kRemote, reg(32), ureg(64).hidden(), ones(75), ones(90, 2),
         Effect::SharedStore),
    form({0x3c6}, "FENCE.VIEW.ASYNC.S", Effect::Fence),
    form({0x9c7}, "UCGABAR_ARV", ones(91), Effect::Barrier),
    form({0xdc7}, "UCGABAR_WAIT", ones(91), Effect::Barrier),
    form({0x9c8}, "USETMAXREG.DEALLOC.CTAPOOL", immediate(32, 8), bits(72, 3, 5), kNoResult,
         ones(91), Effect::RegisterPool),
    form({0x9c8}, "USETMAXREG.TRY_ALLOC.CTAPOOL", upredicateOut(81), immediate(32, 8),
         bits(72, 3, 6), ones(91), Effect::RegisterPool),
    form({0x82d}, "PREEXIT"),
    form({0x82e}, "ACQBULK"),
});

// All of them are of 9.0, and some do not exist in later ones: there, none is known.
constexpr auto kOnly90 = [] {
  auto forms = kForms;
  for (Form& row : forms) {
    row = row.from(90).upTo(99);
    if (row.name.front() == 'U') row = row.underUniform();
  }
  return forms;
}();

}  // namespace

std::span<const Form> asyncForms() {
  return kOnly90;
}

}  // namespace tileloom::sass
