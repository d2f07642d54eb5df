// SPDX-License-Identifier: GPL-3.0-or-later
// What the copy engine's boxes bring, element by element and sector by sector.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/analysis/block_map.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// The part of a box that lies inside of its matrix; empty if nothing does.
Region insideOf(const emulator::Trace& trace, const emulator::BoxRecord& box);

// Calls visit(index, provenance) for each element of a box, with its place in the shared array.
template <class Visit>
void forEachElement(const emulator::Trace& trace, const emulator::BoxRecord& box,
                    const Visit& visit) {
  const Region inside = insideOf(trace, box);
  const std::uint32_t origin = trace.arrays[box.array].base * 4;
  const std::uint32_t columns = trace.arrays[box.matrix].columns;
  const auto source = static_cast<emulator::Provenance::Source>(box.matrix + 1);
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    for (std::uint32_t column = 0; column < box.columns; ++column) {
      const std::int64_t y = std::int64_t{box.y} + row, x = std::int64_t{box.x} + column;
      visit((box.byteOf(row, column) - origin) / 2,
            inside.contains(y, x)
                ? emulator::Provenance::element(source, static_cast<std::uint32_t>(y * columns + x))
                : emulator::Provenance::outside());
    }
  }
}

// Replays when boxes are there: when somebody has waited for their phase. (They may be there
// earlier, but nobody knows.)
class BoxArrivals {
 public:
  explicit BoxArrivals(const emulator::Trace& trace) : trace_(&trace) {}

  // Somebody has waited for `phase` of `barrier`: visits the boxes that have come by that, once.
  template <class Visit>
  void wait(std::uint32_t barrier, std::uint32_t phase, const Visit& visit) {
    if (barrier >= ended_.size()) ended_.resize(barrier + 1, 0);
    // Before phase 0 there was none, and it has the number -1.
    const std::uint32_t ended = phase + 1;
    if (ended <= ended_[barrier]) return;
    for (const emulator::BoxRecord& box : trace_->boxes) {
      if (box.barrier == barrier && box.phase >= ended_[barrier] && box.phase < ended) visit(box);
    }
    ended_[barrier] = ended;
  }

 private:
  const emulator::Trace* trace_;
  std::vector<std::uint32_t> ended_;  // phases, by barrier
};

// Sectors of global memory that a box touches: zeros from outside are not fetched.
std::uint64_t sectorsOf(const emulator::Trace& trace, const emulator::BoxRecord& box);

// Bytes that the hardware counts for a box (rule 64 of docs/hardware.md): whole sectors of each of
// its rows, zeros from outside included.
std::uint64_t bytesFetched(const emulator::Trace& trace, const emulator::BoxRecord& box);

}  // namespace tileloom::analysis
