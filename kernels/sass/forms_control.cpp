// SPDX-License-Identifier: GPL-3.0-or-later
// Control flow, barriers, and the order of memory accesses.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Field kMeeting = field(OperandKind::ConvergenceBarrier, 16, 4);

constexpr auto kForms = std::to_array<Form>({
    form({0x947}, "BRA", kOldTarget, kNoCondition, Effect::Branch).upTo(89),
    form({0x947}, "BRA", kTarget, kNoCondition, Effect::Branch).from(90),
    form({0x947}, "BRA.U.ANY", kTarget, ones(32), ones(84), kNoCondition, Effect::Branch).from(90),
    form({0x547}, "BRA.U", upredicate(24), kTarget, ones(32), kNoCondition, ones(91),
         Effect::Branch)
        .from(100),
    form({0x944}, "CALL.REL.NOINC", kOldTarget, ones(86), kNoCondition, Effect::Call).upTo(89),
    form({0x94d}, "EXIT", kNoCondition, Effect::Exit),
    form({0x945}, "BSSY", kMeeting.written(), label(34, 30), kNoCondition, Effect::Convergence),
    form({0x941}, "BSYNC", kMeeting, kNoCondition, Effect::Convergence),
    form({0x948}, "WARPSYNC.ALL", kNoCondition, Effect::Convergence),
    form({0x946}, "YIELD", kNoCondition),
    form({0x918}, "NOP"),
    // All threads of the block, or a number of threads at one of 16 barriers.
    form({0xb1d}, "BAR.SYNC.DEFER_BLOCKING", immediate(54, 4), immediate(42, 12).unlessDefault(),
         ones(80), Effect::Barrier),
    form({0x51d}, "BAR.SYNC.DEFER_BLOCKING", reg(32), immediate(42, 12).unlessDefault(), ones(80),
         Effect::Barrier),
    form({0x91a}, "DEPBAR.LE", field(OperandKind::Scoreboard, 44, 3), immediate(38, 6), ones(47),
         Effect::Wait),
    form({0x992}, "MEMBAR", modifier(79, 1, {{0, ".SC"}, {1, ".ALL"}}),
         modifier(76, 3, {{0, ".CTA"}, {2, ".GPU"}}), Effect::Fence),
    form({0x9ab}, "ERRBAR", Effect::Fence),
    form({0x5ab}, "CGAERRBAR", Effect::Fence),
    form({0x98f}, "CCTL.IVALL", reg(24).hidden(), ones(89), Effect::Fence),
});

}  // namespace

std::span<const Form> controlForms() {
  return kForms;
}

}  // namespace tileloom::sass
