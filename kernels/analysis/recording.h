// SPDX-License-Identifier: GPL-3.0-or-later
// A trace with everything that views need, made once, outside the GUI thread.
#pragma once

#include <memory>
#include <optional>

#include "kernels/analysis/block_map.h"
#include "kernels/analysis/memory/merging.h"
#include "kernels/analysis/moment.h"

namespace tileloom::emulator {
class Workspace;
struct TraceRequest;
}  // namespace tileloom::emulator

namespace tileloom::analysis {

struct LoopTotals;
struct Totals;

class Recording {
 public:
  explicit Recording(emulator::Trace trace);
  Recording(emulator::Trace trace, LoopTotals kTile);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  emulator::Trace trace;
  BlockMap map;

  // For everything traced, and without the parts before and after the loop over K. Forward declared
  // (totals.h): a new count must not recompile everything that includes a recording.
  const Totals& totals() const { return *totals_; }
  const Totals& loop() const { return *loop_; }
  // A K tile of the launch, if record() made this (loop_totals.h).
  const LoopTotals* kTile() const { return kTile_.get(); }

  // The accesses as the hardware executes them.
  const BlockAccesses& accesses() const { return plans_; }

  // Instruction `index` of `warp`; both must exist.
  Moment moment(std::uint32_t warp, std::uint32_t index) const;

  // The last shared-memory access of the warp at or before `index`; the last global one for a
  // kernel without shared memory; std::nullopt if there was none yet.
  std::optional<std::uint32_t> lastAccess(std::uint32_t warp, std::uint32_t index) const;

  // The first instruction with the given K tile and k; kNoDot: the first one of the tile.
  std::optional<std::uint32_t> find(std::uint32_t warp, std::uint32_t kTile,
                                    std::uint16_t dot) const;

  // See shared_contents.h.
  std::vector<emulator::Provenance> contents(std::uint32_t array, std::uint32_t warp,
                                             std::uint32_t index) const;
  // The place of an element of A or B in shared memory at that time.
  std::optional<SharedWord> wordOf(const Element& element, std::uint32_t warp,
                                   std::uint32_t index) const;

  // The element that a provenance names; nothing for accumulators and unknown values.
  std::optional<Element> elementOf(emulator::Provenance provenance) const;

 private:
  void touchProduct(Moment& moment, std::uint32_t number) const;

  BlockAccesses plans_;
  std::unique_ptr<const Totals> totals_, loop_;
  std::unique_ptr<const LoopTotals> kTile_;
};

// The counts of a K tile (loop_totals.h): as record() made it, else for all traced K tiles of the
// loop.
LoopTotals loopTotals(const Recording& recording);

std::shared_ptr<const Recording> record(emulator::Workspace& workspace,
                                        const emulator::TraceRequest& request);

}  // namespace tileloom::analysis
