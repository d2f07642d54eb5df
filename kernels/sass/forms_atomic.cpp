// SPDX-License-Identifier: GPL-3.0-or-later
// Atomic operations on memory: with the previous value (ATOM), and without (RED).
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Modifier kOperation = modifier(87, 4,
                                         {{0, ".ADD"},
                                          {1, ".MIN"},
                                          {2, ".MAX"},
                                          {3, ".INC"},
                                          {4, ".DEC"},
                                          {5, ".AND"},
                                          {6, ".OR"},
                                          {7, ".XOR"},
                                          {8, ".EXCH"}});
constexpr Modifier kShortOperation = modifier(87, 3,
                                              {{0, ".ADD"},
                                               {1, ".MIN"},
                                               {2, ".MAX"},
                                               {3, ".INC"},
                                               {4, ".DEC"},
                                               {5, ".AND"},
                                               {6, ".OR"},
                                               {7, ".XOR"}});
constexpr Modifier kType = modifier(73, 3,
                                    {{0, "", 4},
                                     {1, ".S32", 4},
                                     {2, ".64", 8},
                                     {3, ".F32.FTZ.RN", 4},
                                     {4, ".F16x2.RN", 4},
                                     {5, ".S64", 8},
                                     {6, ".F64.RN", 8}});
constexpr Modifier kNewType =
    modifier(73, 3, {{0, "", 4}, {1, ".S32", 4}, {2, ".64", 8}, {3, ".S64", 8}});
constexpr Modifier kFloatType = modifier(73, 3, {{1, ".F32.FTZ.RN", 4}, {7, ".F64.RN", 8}});
constexpr Modifier kScope =
    modifier(77, 4, {{5, ".STRONG.SM"}, {7, ".STRONG.GPU"}, {10, ".STRONG.SYS"}});
constexpr FixedBits kWide = ones(72);
constexpr FixedBits kUsual = bits(84, 3, 1);
constexpr Field kGlobal = globalAddress(40, 24, 64);
constexpr Field kShortGlobal = globalAddress(40, 23, 64);
constexpr Field kValue = reg(32).sized();
constexpr Field kBarrier = address(OperandKind::BarrierAddress, 24, 40, 24, 64);
constexpr Field kScaled = sharedAddress(24, 40, 24, 64).with(&Field::scaleFrom, 78);

constexpr auto kForms = std::to_array<Form>({
    form({0x9a8}, "ATOMG.E", kOperation, kType, kScope, predicateOut(81), kD.sized(), kGlobal,
         kValue, ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .upTo(89),
    form({0x9a8}, "ATOMG.E", kOperation, kNewType, kScope, predicateOut(81), kD.sized(), kGlobal,
         kValue, ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a8}, "ATOMG.E", kOperation, kNewType, kScope, predicateOut(81), kD.sized(),
         kShortGlobal, kValue, ones(63), ones(76), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(100),
    form({0x9a3}, "ATOMG.E.ADD", kFloatType, kScope, predicateOut(81), kD.sized(), kShortGlobal,
         kValue, ones(63), ones(76), kWide, kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(100),
    form({0x3a9}, "ATOMG.E.CAS", kScope, predicateOut(81), kD, sharedAddress(24, 40, 24, -1),
         reg(32), reg(64), kWide, kUsual, Effect::GlobalAtomic),
    form({0x3a9}, "ATOMG.E.CAS.64", kScope, predicateOut(81), kD.pair(),
         sharedAddress(24, 40, 24, -1), reg(32).pair(), reg(64).pair(), kWide, kUsual, ones(74),
         Effect::GlobalAtomic),
    form({0x98a}, "ATOM.E", kOperation, kType, kScope, predicateOut(81), kD.sized(), kGlobal,
         kValue, ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .upTo(89),
    form({0x98a}, "ATOM.E", kOperation, kNewType, kScope, predicateOut(81), kD.sized(), kGlobal,
         kValue, ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x98a}, "ATOM.E", kOperation, kNewType, kScope, predicateOut(81), kD.sized(),
         clusterAddress(64), kValue, kWide, kUsual, ones(91), Effect::SharedStore)
        .from(90)
        .upTo(99),
    form({0x98e}, "RED.E", kShortOperation, kType, kScope, kGlobal, kValue, ones(71), kWide, kUsual,
         ones(90, 2), Effect::GlobalAtomic)
        .upTo(89),
    form({0x98e}, "REDG.E", kShortOperation, kNewType, kScope, kGlobal, kValue, ones(71), kWide,
         kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x98e}, "REDG.E", kShortOperation, kNewType, kScope, kGlobal, kValue, kWide, ones(81),
         kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(100),
    form({0x9a6}, "REDG.E.ADD", kFloatType, kScope, kGlobal, kValue, kWide, ones(76), ones(81),
         kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(100),
    form({0x9a6}, "REDG.E.ADD", kFloatType, kScope, kGlobal, kValue, kWide, ones(71), ones(76),
         kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a3}, "ATOMG.E.ADD", kFloatType, kScope, predicateOut(81), kD.sized(), kGlobal, kValue,
         ones(70, 2), ones(76), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a3}, "ATOMG.E.ADD.F16x2.RN", kScope, predicateOut(81), kD, kGlobal, reg(32),
         ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a6}, "REDG.E.ADD.F16x2.RN", kScope, kGlobal, reg(32), kWide, ones(71), kUsual,
         ones(90, 2), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a2}, "ATOM.E.ADD.F16x2.RN", kScope, predicateOut(81), kD, kGlobal, reg(32),
         ones(70, 2), kWide, kUsual, ones(91), Effect::GlobalAtomic)
        .from(90)
        .upTo(99),
    form({0x9a2}, "ATOM.E.ADD.F16x2.RN", kScope, predicateOut(81), kD, kShortGlobal, reg(32),
         ones(63), kWide, kUsual, ones(90, 2), Effect::GlobalAtomic)
        .from(100),
    // Arrivals at an mbarrier, before and for cp.async.
    form({0xf8c}, "ATOMS.ARRIVE.64", kD.pair(), kBarrier, ones(74), ones(87), ones(90, 2),
         Effect::BarrierObject)
        .upTo(89),
    form({0x9b0}, "ARRIVES.LDGSTSBAR.64", kBarrier, bits(73, 3, 5), ones(91), Effect::BarrierObject)
        .upTo(89),
    form({0x9b0}, "ARRIVES.LDGSTSBAR.64",
         modifier(70, 2, {{0, ""}, {1, ".ARVCNT"}, {2, ".TRANSCNT"}}), kBarrier, bits(73, 3, 5),
         ones(91), Effect::BarrierObject)
        .from(90)
        .upTo(99),
    form({0x38c}, "ATOMS", kOperation, modifier(73, 1, {{0, ""}, {1, ".S32"}}), kD, kScaled,
         reg(32), Effect::SharedStore),
    form({0x98c}, "ATOMS", kOperation, modifier(73, 1, {{0, ""}, {1, ".S32"}}), kD, kScaled,
         reg(32), Effect::SharedStore),
    // Compares and exchanges; CAST locks the word, and the next one stores and unlocks it.
    form({0x38d}, "ATOMS", modifier(87, 2, {{0, ".CAS"}, {3, ".CAST.SPIN"}}), kD,
         sharedAddress(24, 40, 24, -1).with(&Field::scaleFrom, 78), reg(32), reg(64),
         Effect::SharedStore),
    form({0x38d}, "ATOMS", modifier(87, 2, {{0, ".CAS"}, {3, ".CAST.SPIN"}}),
         modifier(74, 1, {{1, ".64", 8}}), kD.pair(),
         sharedAddress(24, 40, 24, -1).with(&Field::scaleFrom, 78), reg(32).pair(), reg(64).pair(),
         Effect::SharedStore),
    form({0x38c}, "ATOMS.EXCH.64", kD.pair(), kScaled, reg(32).pair(), ones(74), bits(87, 4, 8),
         Effect::SharedStore),
    form({0x98c}, "ATOMS.EXCH.64", kD.pair(), kScaled, reg(32).pair(), ones(74), bits(87, 4, 8),
         Effect::SharedStore),
    form({0x58d}, "ATOMS.CAST.SPIN", predicateOut(81),
         sharedAddress(24, 40, 24, -1).with(&Field::scaleFrom, 78), reg(32), reg(64), ones(87, 2),
         Effect::SharedStore),
});

}  // namespace

std::span<const Form> atomicForms() {
  return kForms;
}

}  // namespace tileloom::sass
