// SPDX-License-Identifier: GPL-3.0-or-later
// A trace with everything that views ask of it, made once, away from the GUI thread.
#pragma once

#include <memory>
#include <optional>

#include "kernels/analysis/block_map.h"
#include "kernels/analysis/coalescing.h"
#include "kernels/analysis/copy_cost.h"
#include "kernels/analysis/merging.h"
#include "kernels/analysis/totals.h"
#include "kernels/analysis/wavefronts.h"

namespace tileloom::analysis {

enum class Matrix : std::uint8_t { A, B, C };

struct Element {
  Matrix matrix = Matrix::A;
  std::int64_t row = 0;
  std::int64_t column = 0;
  bool operator==(const Element&) const = default;
};

// A word of a shared array: the array's index in Trace::arrays and the element within it.
struct SharedWord {
  std::uint32_t array = 0;
  std::uint32_t index = 0;
  bool operator==(const SharedWord&) const = default;
};

// What one word of one lane's access, or one factor of its multiply-add, has to do with a matrix.
struct Touch {
  std::uint32_t lane = 0;
  std::uint32_t word = 0;  // of a wide access
  Element element;
};

// One warp instruction, explained.
struct Moment {
  std::uint32_t warp = 0;
  std::uint32_t index = 0;  // in the warp's stream
  emulator::Instruction instruction;
  std::string array;        // name; empty for arithmetic and barriers
  std::uint32_t width = 0;  // words a lane, as merged
  std::uint32_t merged = 1;
  bool follower = false;                      // executed already, merged into an earlier load
  std::array<std::uint32_t, 32> addresses{};  // words of shared memory, or elements
  Wavefronts served;                          // shared accesses
  Coalescing moved;                           // global accesses
  CopyCost copied;                            // asynchronous copies: L1's side too
  std::vector<Touch> touches;
};

class Recording {
 public:
  explicit Recording(emulator::Trace trace);

  emulator::Trace trace;
  BlockMap map;
  Totals totals;  // of what is traced
  Totals loop;    // the same without what stands before and after the loop over K

  // Instruction `index` of `warp`; both must exist.
  Moment moment(std::uint32_t warp, std::uint32_t index) const;

  // The last shared-memory access of the warp at or before `index`; the last global one for a
  // kernel without shared memory; nothing if there was none yet.
  std::optional<std::uint32_t> lastAccess(std::uint32_t warp, std::uint32_t index) const;

  // The first instruction with the given K tile and dot index; kNoDot asks for the tile's first.
  std::optional<std::uint32_t> find(std::uint32_t warp, std::uint32_t kTile,
                                    std::uint16_t dot) const;

  // What each word of a shared array holds when all warps have executed as many instructions as
  // `index` says of this one: provenance bits, 0 for nothing.
  std::vector<emulator::Provenance> contents(std::uint32_t array, std::uint32_t warp,
                                             std::uint32_t index) const;
  // Where an element of A or B lies in shared memory at that time.
  std::optional<SharedWord> wordOf(const Element& element, std::uint32_t warp,
                                   std::uint32_t index) const;

  // The element that a provenance names; nothing for accumulators and unknown values.
  std::optional<Element> elementOf(emulator::Provenance provenance) const;

 private:
  BlockAccesses accesses_;
};

std::shared_ptr<const Recording> record(emulator::Workspace& workspace,
                                        const emulator::TraceRequest& request);

}  // namespace tileloom::analysis
