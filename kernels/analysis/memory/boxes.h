// SPDX-License-Identifier: GPL-3.0-or-later
// The contents of TMA boxes, element by element and sector by sector.
#pragma once

#include <cstdint>

#include "kernels/analysis/element.h"
#include "kernels/emulator/box_inside.h"
#include "kernels/emulator/trace.h"

namespace tileloom::analysis {

// The part of a box inside its matrix; empty if there is none. The rest are zeros.
Region insideOf(const emulator::Trace& trace, const emulator::BoxRecord& box);

// Calls visit(index, row, column, provenance) for each element of a box: its place in the shared
// array, and in the matrix, outside which it is a zero.
template <class Visit>
void forEachPlace(const emulator::Trace& trace, const emulator::BoxRecord& box,
                  const Visit& visit) {
  const emulator::BoxInside inside = emulator::insideOf(box, trace.arrays[box.matrix], trace.kEnd);
  const std::uint32_t origin = trace.arrays[box.array].base * 4;
  const std::uint32_t columns = trace.arrays[box.matrix].columns;
  const auto source = static_cast<emulator::Provenance::Source>(box.matrix + 1);
  for (std::uint32_t row = 0; row < box.rows; ++row) {
    for (std::uint32_t column = 0; column < box.columns; ++column) {
      const std::int64_t y = std::int64_t{box.y} + row, x = std::int64_t{box.x} + column;
      visit((box.byteOf(row, column) - origin) / 2, y, x,
            inside.contains(y, x)
                ? emulator::Provenance::element(source, static_cast<std::uint32_t>(y * columns + x))
                : emulator::Provenance::outside());
    }
  }
}

// The same without the place in the matrix: visit(index, provenance).
template <class Visit>
void forEachElement(const emulator::Trace& trace, const emulator::BoxRecord& box,
                    const Visit& visit) {
  forEachPlace(trace, box,
               [&](std::uint32_t index, std::int64_t, std::int64_t, emulator::Provenance what) {
                 visit(index, what);
               });
}

// Calls visit(row, column, provenance) for each element of C that a box stores.
template <class Visit>
void forEachStored(const emulator::Trace& trace, const emulator::BoxStoreRecord& store,
                   const Visit& visit) {
  const emulator::BoxInside inside =
      emulator::insideOf(store.box, trace.arrays[store.box.matrix], trace.kEnd);
  for (std::size_t i = 0; i < store.values.size(); ++i) {
    const std::int64_t row = store.box.y + static_cast<std::int64_t>(i / store.box.columns);
    const std::int64_t column = store.box.x + static_cast<std::int64_t>(i % store.box.columns);
    if (inside.contains(row, column)) visit(row, column, store.values[i]);
  }
}

// Sectors of global memory that a box touches: zeros from outside are not loaded.
std::uint64_t sectorsOf(const emulator::Trace& trace, const emulator::BoxRecord& box);

// Bytes that the hardware counts for a TMA load (rules 64 and 71 of docs/hardware.md), at all
// receiving blocks together. It also counts zeros from outside, and empty parts of multicast
// packets.
std::uint64_t bytesFetched(const emulator::Trace& trace, const emulator::BoxRecord& box);

}  // namespace tileloom::analysis
