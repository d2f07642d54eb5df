// SPDX-License-Identifier: GPL-3.0-or-later
// Branches, what makes lanes and warps meet, and what has no effect here.
#include <algorithm>

#include "kernels/executor/control.h"
#include "kernels/executor/integers.h"
#include "kernels/executor/translator.h"

namespace tileloom::executor {
namespace {

using sass::DecodedOperand;
using sass::OperandKind;

std::uint32_t targetOf(const Translator& t) {
  return *t.decoded.target() / sass::kCodeWordBytes;
}

std::string branchOf(Translator& t, Operation& o) {
  o.target = targetOf(t);
  if (t.words.has("ANY")) o.execute = branchTogether;
  o.right = t.words.has("CONV");
  if (o.right || t.words.has("DIV")) o.execute = branchIfApart;
  return {};
}

std::string warpMeetingOf(Translator& t, Operation& o) {
  if (!t.words.has("ALL")) return {};
  o.a.fixed = true;
  o.a.row = t.addFixed(kAllLanes);
  return {};
}

// To a sum of registers and a distance.
std::string indexedOf(Translator& t, Operation& o) {
  const DecodedOperand* to = t.operand(OperandKind::IndexedLabel);
  if (to == nullptr) return "it calls a function that is not in the kernel, as printf does";
  o.execute = branchIndexed;
  o.base = registerRow(*to);
  o.baseUpper = after(o.base);
  o.offset = to->value;
  return {};
}

std::string callOf(Translator& t, Operation& o) {
  if (t.operand(OperandKind::Label) == nullptr) return indexedOf(t, o);
  o.execute = callTo;
  o.target = targetOf(t);
  return {};
}

std::string meetingOf(Translator& t, Operation& o) {
  o.kind = static_cast<std::uint8_t>(t.operand(OperandKind::ConvergenceBarrier)->number);
  return {};
}

std::string movedMeetingOf(Translator& t, Operation& o) {
  const DecodedOperand& meeting = *t.operand(OperandKind::ConvergenceBarrier);
  o.kind = static_cast<std::uint8_t>(meeting.number);
  o.execute = meeting.access != sass::Access::Read ? restoreMeeting : saveMeeting;
  o.extended = t.words.has("CLEAR");
  return {};
}

std::string barrierOf(Translator& t, Operation& o) {
  o.kind = t.words.has("ARV")    ? kBarrierArrive
           : t.words.has("POPC") ? kBarrierCount
           : t.words.has("AND")  ? kBarrierAnd
           : t.words.has("OR")   ? kBarrierOr
                                 : kBarrierWait;
  int place = 0;
  for (const DecodedOperand& each : t.decoded.operands) {
    if (each.kind == OperandKind::Predicate) {
      o.p = {static_cast<std::uint8_t>(each.number), each.negated, false};
      continue;
    }
    const bool first = place++ == 0;
    if (each.kind == OperandKind::Register) {
      // The threads are in the upper half of the same register.
      (first ? o.extended : o.wide) = true;
      o.base = registerRow(each);
    } else {
      (first ? o.table : o.secondTable) = static_cast<std::uint32_t>(each.value);
    }
  }
  return {};
}

// DEPBAR.LE SB0, 0x1: how many groups may be in flight.
std::string groupsOf(Translator& t, Operation& o) {
  const DecodedOperand* groups = t.operand(OperandKind::Immediate);
  if (!t.words.has("LE") || groups == nullptr)
    o.execute = nothing;
  else
    o.table = static_cast<std::uint32_t>(groups->value);
  return {};
}

constexpr Instruction kInstructions[] = {
    {"BRA", branch, Operands::Sorted, branchOf},
    {"CALL", nullptr, Operands::Own, callOf},
    {"RET", nullptr, Operands::Own, indexedOf},
    {"BRX", nullptr, Operands::Own, indexedOf},
    {"EXIT", leave},
    {"BSSY", noteMeeting, Operands::Own, meetingOf},
    {"BSYNC", meet, Operands::Own, meetingOf},
    {"BREAK", breakMeeting, Operands::Own, meetingOf},
    {"BMOV", nullptr, Operands::Sorted, movedMeetingOf},
    {"WARPSYNC", meetWarp, Operands::Sorted, warpMeetingOf},
    {"BAR", waitForBlock, Operands::Own, barrierOf},
    {"B2R", barrierResult},
    // The warps of a block execute one after the other, and copies complete at once.
    {"NOP", nothing, Operands::Own},
    {"ENDCOLLECTIVE", nothing, Operands::Own},
    {"YIELD", standBack, Operands::Own},
    {"MEMBAR", nothing, Operands::Own},
    {"ERRBAR", nothing, Operands::Own},
    {"CCTL", nothing, Operands::Own},
    {"CGAERRBAR", nothing, Operands::Own},
    {"DEPBAR", waitForCopies, Operands::Own, groupsOf},
    {"LDGDEPBAR", commitCopies, Operands::Own},
    {"NANOSLEEP", standBack, Operands::Own},
};

}  // namespace

std::span<const Instruction> controlInstructions() {
  return kInstructions;
}

}  // namespace tileloom::executor
