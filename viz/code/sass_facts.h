// SPDX-License-Identifier: GPL-3.0-or-later
// The data of the SASS views for one kernel, as plain values without workers or files.
#pragma once

#include <QString>
#include <memory>
#include <vector>

#include "kernels/sass/machine_code.h"
#include "kernels/sass/register_banks.h"
#include "viz/charts/chart_data.h"

namespace tileloom {

// A listing and what follows from it.
struct SassFacts {
  sass::MachineCode code;
  sass::Loop loop;
  sass::Mix inLoop;
  sass::LoopCost cost;
  std::vector<sass::Lost> lost;  // one per instruction of the loop

  static std::shared_ptr<const SassFacts> of(sass::MachineCode code);

  int size() const { return static_cast<int>(code.listing.instructions.size()); }
  const sass::Instruction& at(int index) const {
    return code.listing.instructions[static_cast<std::size_t>(index)];
  }
  int loopBegin() const { return static_cast<int>(loop.range.begin); }
  int loopEnd() const { return static_cast<int>(loop.range.end); }  // one past its last instruction
  bool inside(int index) const { return index >= loopBegin() && index < loopEnd(); }
  // Cycles that this instruction loses; none outside of the loop.
  sass::Lost lostAt(int index) const;
  // Whether the rule of the register banks, which is for FFMA, applies to this loop.
  bool banksKnown() const { return !inLoop.onTensorCores(); }
  Freshness freshness() const;
  QString origin() const;  // "recorded 2026-11-21 · sm_90 · bf16 · NVRTC 13.0 · nvdisasm …"
};

struct StallFacts;

// One side of the view: a listing, or why there is none.
struct SassSide {
  std::shared_ptr<const SassFacts> facts;
  std::shared_ptr<const StallFacts> stalls;  // where its warps wait; nullptr: not sampled
  QString note;          // one sentence: what is being computed, or what to install; may be empty
  int scale = 0;         // number of instructions in the longer of two compared loops
  bool waiting = false;  // another listing is being computed
};

// "0x0de0, in the loop: FFMA R113, … · 98 registers live · 1 cycles lost to register banks"
QString describeInstruction(const SassFacts& facts, int index);

}  // namespace tileloom
