// SPDX-License-Identifier: GPL-3.0-or-later
// The cost of one access of a warp, in each memory that it touches. All counts, pictures and
// sentences use it: the totals of a block, the rows of the instruction table, the bank view and the
// memory path show the same access, so they must agree.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/copy_cost.h"
#include "kernels/analysis/memory/merging.h"
#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

struct AccessCost {
  // The first word or element that each lane touches; 0 for inactive lanes. Words of the block's
  // shared memory if the access touches it, else elements of its matrix.
  std::array<std::uint32_t, 32> addresses{};
  Wavefronts shared;  // of the banks alone; count 0: it does not touch shared memory
  Coalescing global;  // sectors 0: it does not touch global memory
  CopyCost copy;      // wavefronts 0: not an asynchronous copy
  // The first element that each lane of an asynchronous copy reads; 0 for inactive lanes.
  std::array<std::uint32_t, 32> copied{};

  // Passes of the shared memory's data pipe, as the hardware counts them. An asynchronous copy
  // reads L1's lines in the same passes, so its count is not that of the banks alone.
  std::uint32_t wavefronts() const { return copy.wavefronts > 0 ? copy.wavefronts : shared.count; }
  // The wavefronts that conflicts add.
  std::uint32_t conflicts() const {
    return copy.wavefronts > 0 ? copy.conflicts : shared.conflicts();
  }
  // Whether to warn the reader: wavefronts that another layout would save, in the banks or, for a
  // copy, in L1; or sectors that another order of lanes would save.
  bool conflicted() const { return shared.conflicts() + copy.conflicts > 0; }
  bool scattered() const { return global.sectors > global.idealSectors(); }
};

// The cost of `access`, which must be one of the plan for this warp and interval (merging.h).
AccessCost accessCost(const emulator::Trace& trace, const emulator::WarpInterval& view,
                      const Access& access);

// The same for an access to shared memory by its parts: `addresses` as in AccessCost; `elements` as
// in copiedElements() (merging.h), for an asynchronous copy only.
AccessCost sharedCost(emulator::Kind kind, const std::array<std::uint32_t, 32>& addresses,
                      const std::array<std::uint32_t, 32>& elements, std::uint32_t mask,
                      std::uint32_t width);

// Calls visit(interval, access, cost) for each access of the trace, with the warp's instructions
// between two barriers.
template <class Visit>
void forEachAccessInTurn(const emulator::Trace& trace, const BlockAccesses& plans, Visit visit) {
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const emulator::WarpInterval view = trace.at(warp, interval);
      for (const Access& access : plans[interval][warp]->accesses) {
        visit(view, access, accessCost(trace, view, access));
      }
    }
  }
}

// Calls visit(instruction, access, cost) for each access of the trace.
template <class Visit>
void forEachAccess(const emulator::Trace& trace, const BlockAccesses& plans, Visit visit) {
  forEachAccessInTurn(
      trace, plans,
      [&](const emulator::WarpInterval& view, const Access& access, const AccessCost& cost) {
        visit(view.instructions[access.lowest], access, cost);
      });
}

}  // namespace tileloom::analysis
