// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/rewrite/turn_slots.h"

#include <algorithm>
#include <cmath>

#include "kernels/rewrite/issue.h"

namespace tileloom::rewrite {
namespace {

using machine::MemoryAccess;
using sass::Effect;

int loadedBytes(const sass::Decoded& code) {
  int bytes = code.bytes();
  for (const sass::DecodedOperand& operand : code.operands)
    if (operand.access == sass::Access::Write) bytes = std::max(bytes, 4 * operand.registers);
  return bytes;
}

int times(int wavefronts, double conflicts) {
  return static_cast<int>(std::lround(wavefronts * conflicts));
}

std::optional<MemoryAccess> memoryOf(const Op& op, bool paired, const Residency& residency) {
  if (op.never()) return std::nullopt;
  using enum MemoryAccess::Kind;
  constexpr int kWord = 4;
  const int words = std::max(1, op.code.bytes() / kWord);
  switch (op.code.effect()) {
    case Effect::SharedLoad: {
      // Without pairs of lanes the registers come one by one.
      const int registers = std::max(1, loadedBytes(op.code) / kWord);
      return MemoryAccess{
          .kind = SharedLoad,
          .wavefronts = times(std::max(1, registers / (paired ? 2 : 1)), residency.loadConflicts),
          .late = paired ? 0 : registers - 1};
    }
    case Effect::SharedStore:
      return MemoryAccess{.kind = SharedStore,
                          .wavefronts = times(words, residency.storeConflicts)};
    case Effect::GlobalLoad:
      return MemoryAccess{.kind = GlobalLoad, .wavefronts = words, .wayCycles = machine::kLoadWay};
    case Effect::AsyncCopy:
      if (words > 1)
        return MemoryAccess{.kind = Copy,
                            .wavefronts = words,
                            .wayCycles = machine::kCopyWay,
                            .lookUp = machine::kLookUpWide};
      return MemoryAccess{.kind = Copy,
                          .wavefronts = residency.copyWavefronts,
                          .wayCycles = machine::kCopyWay,
                          .lookUp = machine::kLookUpPerLine * residency.copyLines};
    default:
      return std::nullopt;
  }
}

// Constants and UMOV are not arithmetic for the barrier (rule 75).
bool passesBarrier(const Op& op) {
  return isArithmetic(op) && op.code.base() != "ULDC" && op.code.base() != "UMOV";
}

Slot slotOf(const Op& op, const sass::Lost& lost, const Residency& residency) {
  Slot slot;
  slot.effect = op.never() ? Effect::None : op.code.effect();
  const sass::Control& control = op.code.control;
  slot.stall = std::max(1, control.stall);
  slot.banks = lost.banks;
  slot.wait = static_cast<unsigned>(control.wait);
  slot.writes = control.writeScoreboard;
  slot.reads = control.readScoreboard;
  slot.memory = memoryOf(op, lost.pairedBytes > 0, residency);
  slot.pairedBytes = lost.pairedBytes;
  slot.writesAtOnce = lost.writesAtOnce;
  slot.passes = passesBarrier(op);
  if (op.code.base() == "LDC") slot.latency = machine::kConstantLatency;
  if (op.code.base() == "S2R" || op.code.base() == "S2UR") slot.latency = machine::kSpecialLatency;
  if (op.code.effect() == Effect::Wait) {
    for (const sass::DecodedOperand& operand : op.code.operands) {
      if (operand.kind == sass::OperandKind::Scoreboard) slot.awaited = operand.number;
      if (operand.kind == sass::OperandKind::Immediate) slot.left = static_cast<int>(operand.value);
    }
  }
  return slot;
}

}  // namespace

std::vector<Slot> slotsOf(std::span<const Op> turn, std::span<const sass::Lost> lost,
                          const Residency& residency) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < turn.size(); ++i)
    slots.push_back(slotOf(turn[i], lost[i], residency));
  return slots;
}

}  // namespace tileloom::rewrite
