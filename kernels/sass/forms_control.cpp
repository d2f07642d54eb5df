// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow, barriers, and the order of memory accesses.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kMeeting = field(OperandKind::ConvergenceBarrier, 16, 4);
// Besides the guard.
constexpr Field kIf = predicate(87).unlessDefault();
// Whether the threads that meet are known to the hardware, from 10.0 on.
constexpr Modifier kSure = modifier(72, 2, {{0, ""}, {1, ".RELIABLE"}, {2, ".RECONVERGENT"}});
constexpr Modifier kDeferred = modifier(80, 1, {{0, ""}, {1, ".DEFER_BLOCKING"}});
constexpr Field kBarrierNumber = immediate(54, 4);
constexpr Field kThreads = immediate(42, 12).unlessDefault();
// A distance from the instruction itself.
constexpr Field kTable = indexed(kTarget).with(&Field::isSigned, true);
constexpr Field kOldTable = indexed(kOldTarget).with(&Field::isSigned, true);

constexpr Field kThreadMask = ureg(24).inverse(30);
// A barrier's number, and its threads from bit 16 on.
constexpr Field kBoth = reg(32);

constexpr auto kForms = std::to_array<Form>({
    form({0x947}, "BRA", kIf, kOldTarget, Effect::Branch).upTo(89),
    form({0x947}, "BRA", kIf, kTarget, Effect::Branch).from(90),
    form({0x947}, "BRA.U.ANY", kTarget, ones(32), ones(84), kNoCondition, Effect::Branch).from(90),
    form({0x547}, "BRA.U", upredicate(24), kTarget, ones(32), kNoCondition, ones(91),
         Effect::Branch)
        .from(100),
    // Whether the active threads are not, or are, those of a mask.
    form({0x947}, "BRA.DIV", kThreadMask, kOldTarget, bits(32, 2, 2), kNoCondition, ones(91),
         Effect::Branch)
        .upTo(89),
    form({0x947}, "BRA.CONV", kThreadMask, kOldTarget, bits(32, 2, 3), kNoCondition, ones(91),
         Effect::Branch)
        .upTo(89),
    form({0x947}, "BRA.DIV", kThreadMask, kTarget, bits(32, 2, 2), kNoCondition, ones(91),
         Effect::Branch)
        .from(90)
        .upTo(99),
    form({0x949}, "BRX", kOldTable, kNoCondition, Effect::Branch).upTo(89),
    form({0x949}, "BRX", kTable, kNoCondition, Effect::Branch).from(90),
    form({0x944}, "CALL.REL.NOINC", kOldTarget, ones(86), kNoCondition, Effect::Call).upTo(89),
    form({0x944}, "CALL.REL.NOINC", kTarget, ones(86), kNoCondition, Effect::Call).from(90),
    form({0x344}, "CALL.REL.NOINC", indexed(kOldTarget), ones(86), kNoCondition, Effect::Call)
        .upTo(89),
    form({0x344}, "CALL.REL.NOINC", indexed(kTarget), ones(86), kNoCondition, Effect::Call)
        .from(90),
    form({0x343}, "CALL.ABS.NOINC", reg(24).pair(), ones(86), kNoCondition, Effect::Call),
    form({0x950}, "RET.REL.NODEC", indexed(kOldTarget), ones(86), kNoCondition, Effect::Call)
        .upTo(89),
    form({0x950}, "RET.REL.NODEC", indexed(kTarget), ones(86), kNoCondition, Effect::Call).from(90),
    form({0x34e}, "LEPC", kD.pair()).upTo(89),
    form({0x94d}, "EXIT", kIf, Effect::Exit),
    form({0x95c}, "BPT.TRAP", immediate(34, 20), ones(84, 2)),
    form({0x945}, "BSSY", kMeeting.written(), label(34, 30), kNoCondition, Effect::Convergence)
        .upTo(99),
    form({0x945}, "BSSY", kSure, kMeeting.written(), label(34, 30), kNoCondition,
         Effect::Convergence)
        .from(100),
    form({0x941}, "BSYNC", kMeeting, kNoCondition, Effect::Convergence).upTo(99),
    form({0x941}, "BSYNC", kSure, kMeeting, kNoCondition, Effect::Convergence).from(100),
    // Leaves the threads that meet there.
    form({0x942}, "BREAK", kMeeting, kNoCondition, Effect::Convergence).upTo(99),
    form({0x942}, "BREAK", kSure, kMeeting, kNoCondition, Effect::Convergence).from(100),
    form({0x355}, "BMOV.32.CLEAR", kD, field(OperandKind::ConvergenceBarrier, 24, 4), ones(84)),
    form({0x356}, "BMOV.32", field(OperandKind::ConvergenceBarrier, 24, 4).written(), reg(32)),
    form({0x948}, "WARPSYNC", immediate(32, 32), kNoCondition, Effect::Convergence).upTo(89),
    form({0xb48}, "WARPSYNC", constant(38, 16), kNoCondition, Effect::Convergence).upTo(89),
    form({0x348}, "WARPSYNC.EXCLUSIVE", reg(32), kNoCondition, ones(86), Effect::Convergence)
        .upTo(89),
    form({0x348}, "WARPSYNC", reg(24), kNoCondition, Effect::Convergence).from(90),
    form({0x348}, "WARPSYNC.EXCLUSIVE", reg(24), kNoCondition, ones(85), Effect::Convergence)
        .from(90),
    // The threads of a mask execute what follows together, up to ENDCOLLECTIVE, which is before the
    // label.
    form({0x348}, "WARPSYNC.COLLECTIVE", reg(24), kTarget, kNoCondition, ones(86),
         Effect::Convergence)
        .from(90),
    form({0x91b}, "ENDCOLLECTIVE", kNoCondition, Effect::Convergence).from(90),
    form({0x948}, "WARPSYNC.ALL", kNoCondition, Effect::Convergence).from(90),
    form({0x946}, "YIELD", kNoCondition),
    form({0x35d}, "NANOSLEEP", reg(32), kNoCondition),
    form({0x35d}, "NANOSLEEP.SYNCS", reg(32), kNoCondition, ones(84)).from(90),
    form({0x95d}, "NANOSLEEP", immediate(32, 32), kNoCondition),
    form({0x918}, "NOP"),
    // All threads of the block, or a number of threads at one of 16 barriers.
    form({0xb1d}, "BAR.SYNC", kDeferred, kBarrierNumber, kThreads, Effect::Barrier),
    form({0x51d}, "BAR.SYNC", kDeferred, reg(32), kThreads, Effect::Barrier),
    form({0x91d}, "BAR.SYNC", kDeferred, kBarrierNumber, reg(32), Effect::Barrier),
    form({0x31d}, "BAR.SYNC", kDeferred, kBoth, kBoth, Effect::Barrier),
    form({0x31d}, "BAR.ARV", kBoth, kBoth, ones(77), Effect::Barrier),
    form({0xb1d}, "BAR.ARV", kBarrierNumber, immediate(42, 12), ones(77), Effect::Barrier),
    form({0x51d}, "BAR.ARV", reg(32), immediate(42, 12), ones(77), Effect::Barrier),
    form({0x91d}, "BAR.ARV", kBarrierNumber, reg(32), ones(77), Effect::Barrier),
    form({0xb1d}, "BAR.RED", modifier(74, 2, {{0, ".POPC"}, {1, ".AND"}, {2, ".OR"}}), kDeferred,
         kBarrierNumber, kThreads, predicate(87), ones(78), Effect::Barrier),
    form({0x91d}, "BAR.RED", modifier(74, 2, {{0, ".POPC"}, {1, ".AND"}, {2, ".OR"}}), kDeferred,
         kBarrierNumber, reg(32), predicate(87), ones(78), Effect::Barrier),
    form({0x31c}, "B2R.RESULT", kD, predicateOut(81).unlessDefault(), ones(78)),
    form({0x91a}, "DEPBAR.LE", field(OperandKind::Scoreboard, 44, 3), immediate(38, 6), ones(47),
         Effect::Wait),
    form({0x992}, "MEMBAR", modifier(79, 1, {{0, ".SC"}, {1, ".ALL"}}),
         modifier(76, 3, {{0, ".CTA"}, {2, ".GPU"}, {3, ".SYS"}}), Effect::Fence),
    form({0x9ab}, "ERRBAR", Effect::Fence),
    form({0x5ab}, "CGAERRBAR", Effect::Fence),
    form({0x98f}, "CCTL.IVALL", reg(24).hidden(), ones(89), Effect::Fence),
});

}  // namespace

std::span<const Form> controlForms() {
  return kForms;
}

}  // namespace tileloom::sass
