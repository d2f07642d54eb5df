// SPDX-License-Identifier: GPL-3.0-or-later
// What exchanges values between the lanes of a warp.
#include "kernels/sass/form_parts.h"

namespace tileloom::sass {
namespace {

using namespace forms;

constexpr Modifier kShuffle =
    modifier(58, 2, {{0, ".IDX"}, {1, ".UP"}, {2, ".DOWN"}, {3, ".BFLY"}});
constexpr Modifier kOfAll = modifier(72, 2, {{0, ".ALL"}, {1, ".ANY"}, {2, ".EQ"}});
constexpr Modifier kReduced =
    modifier(78, 3, {{0, ""}, {1, ".OR"}, {2, ".XOR"}, {3, ".SUM"}, {4, ".MIN"}, {5, ".MAX"}});

constexpr auto kForms = std::to_array<Form>({
    // The lane or distance, then the clamp and the width; both may be immediate.
    form({0x389}, "SHFL", kShuffle, predicateOut(81), kD, reg(24), reg(32), reg(64),
         Effect::AcrossLanes),
    form({0x589}, "SHFL", kShuffle, predicateOut(81), kD, reg(24), reg(32), immediate(40, 13),
         Effect::AcrossLanes),
    form({0x989}, "SHFL", kShuffle, predicateOut(81), kD, reg(24), immediate(53, 5), reg(64),
         Effect::AcrossLanes),
    form({0xf89}, "SHFL", kShuffle, predicateOut(81), kD, reg(24), immediate(53, 5),
         immediate(40, 13), Effect::AcrossLanes),
    form({0x806}, "VOTE", kOfAll, kD.unlessDefault(), predicateOut(81), predicate(87),
         Effect::AcrossLanes),
    form({0x886}, "VOTEU", kOfAll, kUD.unlessDefault(), upredicateOut(81), predicate(87),
         Effect::AcrossLanes),
    form({0x3a1}, "MATCH.ANY", kD, reg(24), ones(79), kNoResult, Effect::AcrossLanes),
    form({0x3a1}, "MATCH.ALL", predicateOut(81), kD, reg(24), Effect::AcrossLanes),
    form({0x3a1}, "MATCH.ANY.U64", kD, reg(24).pair(), ones(73), ones(79), kNoResult,
         Effect::AcrossLanes),
    form({0x3a1}, "MATCH.ALL.U64", predicateOut(81), kD, reg(24).pair(), ones(73),
         Effect::AcrossLanes),
    form({0x3c4}, "REDUX", kReduced, modifier(73, 1, {{0, ""}, {1, ".S32"}}), kUD, reg(24),
         Effect::AcrossLanes),
    form({0x2cc}, "CREDUX", modifier(79, 1, {{0, ".MAX"}, {1, ".MIN"}}),
         modifier(73, 1, {{0, ""}, {1, ".S32"}}), kUD, kA, Effect::AcrossLanes)
        .from(100),
    // One of the active threads; its number, and for each of them whether it is that one.
    form({0x82f}, "ELECT", predicateOut(81), kUD, predicate(87), Effect::AcrossLanes).from(90),
    form({0x23a}, "MOVM.16.MT88", kD, reg(24), Effect::AcrossLanes),
});

}  // namespace

std::span<const Form> laneForms() {
  return kForms;
}

}  // namespace tileloom::sass
