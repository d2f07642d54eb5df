// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/block_map.h"

#include <algorithm>

#include "kernels/analysis/memory/boxes.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;

// Calls visit(kind, array, thread, element) for each word of each matrix that an access of `trace`
// touches in global memory. The thread of a stored sum is the one that has accumulated it; another
// one may store it, if C is staged in shared memory.
template <class Visit>
void forEachGlobalWord(const emulator::Trace& trace, Visit visit) {
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const emulator::WarpInterval view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        const bool copies = instruction.kind == Kind::AsyncCopy;
        if (!emulator::isGlobal(instruction.kind) && !copies) continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((instruction.mask >> lane & 1u) == 0) continue;
          const std::uint32_t* payload = view.payload(i, lane);
          const emulator::Provenance from(payload[1]);
          const std::uint32_t first = copies ? from.index() : payload[0];
          const std::uint32_t array =
              copies ? static_cast<std::uint32_t>(from.source()) - 1 : instruction.array;
          for (std::uint32_t w = 0; w < instruction.elements(); ++w) {
            std::uint32_t thread = warp * emulator::kWarpSize + lane;
            const emulator::Provenance value(payload[1 + w]);
            if (instruction.kind == Kind::GlobalStore && value.isAccumulator())
              thread = value.owner(thread);
            visit(instruction.kind, array, thread, first + w);
          }
        }
      }
    }
  }
  const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
  for (const emulator::BoxStoreRecord& store : trace.boxStores) {
    forEachStored(trace, store,
                  [&](std::int64_t row, std::int64_t column, emulator::Provenance value) {
                    const std::uint32_t asker = store.box.warp * emulator::kWarpSize;
                    visit(Kind::GlobalStore, emulator::kArrayC,
                          value.isAccumulator() ? value.owner(asker) : asker,
                          static_cast<std::uint32_t>(row * columns + column));
                  });
  }
}

// Splits the elements that `thread` owns into rectangles: each starts at the first element not yet
// taken, extends right over owned elements, then down over whole rows.
std::vector<Region> cutIntoRectangles(const BlockMap& map, std::uint16_t thread,
                                      std::vector<std::uint8_t>& taken, const Region& box) {
  std::vector<Region> rectangles;
  const auto at = [&](std::int64_t r, std::int64_t c) {
    return static_cast<std::size_t>((r - map.c.row) * map.c.columns + (c - map.c.column));
  };
  const auto free = [&](std::int64_t r, std::int64_t c) {
    return map.owner[at(r, c)] == thread && taken[at(r, c)] == 0;
  };
  for (std::int64_t r = box.row; r < box.row + box.rows; ++r) {
    for (std::int64_t c = box.column; c < box.column + box.columns; ++c) {
      if (!free(r, c)) continue;
      Region rect{r, c, 1, 1};
      while (c + rect.columns < box.column + box.columns && free(r, c + rect.columns))
        ++rect.columns;
      const auto rowFree = [&](std::int64_t row) {
        for (std::int64_t x = c; x < c + rect.columns; ++x) {
          if (!free(row, x)) return false;
        }
        return true;
      };
      while (r + rect.rows < box.row + box.rows && rowFree(r + rect.rows)) ++rect.rows;
      for (std::int64_t y = r; y < r + rect.rows; ++y) {
        for (std::int64_t x = c; x < c + rect.columns; ++x) taken[at(y, x)] = 1;
      }
      rectangles.push_back(rect);
    }
  }
  return rectangles;
}

}  // namespace

std::uint16_t BlockMap::ownerOf(std::int64_t row, std::int64_t column) const {
  if (!c.contains(row, column)) return kNobody;
  return owner[static_cast<std::size_t>((row - c.row) * c.columns + (column - c.column))];
}

BlockMap blockMap(const emulator::Trace& trace) {
  BlockMap map;
  map.tileA.resize(trace.kTilesTraced);
  map.tileB.resize(trace.kTilesTraced);
  const auto columnsOf = [&](std::uint32_t array) {
    return std::int64_t{trace.arrays[array].columns};
  };
  std::vector<Region> threadBoxes(trace.threads);
  map.warps.resize(trace.warps);
  forEachGlobalWord(
      trace, [&](Kind kind, std::uint32_t array, std::uint32_t thread, std::uint32_t element) {
        const std::int64_t columns = columnsOf(array);
        const std::int64_t row = element / columns, column = element % columns;
        if (kind == Kind::GlobalStore) {
          map.c.add(row, column);
          threadBoxes[thread].add(row, column);
          map.warps[thread / emulator::kWarpSize].add(row, column);
        } else if (array <= emulator::kArrayB) {
          // Not by the time of the load: that may be a K tile or more ahead.
          const bool isA = array == emulator::kArrayA;
          const std::int64_t kTile = (isA ? column : row) / trace.stepK;
          if (kTile < trace.kTilesTraced)
            (isA ? map.tileA : map.tileB)[static_cast<std::size_t>(kTile)].add(row, column);
        }
      });
  for (const emulator::BoxRecord& box : trace.boxes) {
    const Region inside = insideOf(trace, box);
    if (inside.empty()) continue;
    const bool isA = box.matrix == emulator::kArrayA;
    const std::int64_t first = isA ? inside.column : inside.row;
    const std::int64_t count = isA ? inside.columns : inside.rows;
    for (std::int64_t k = first; k < first + count; ++k) {
      const auto kTile = static_cast<std::size_t>(k / trace.stepK);
      if (kTile >= trace.kTilesTraced) break;
      Region& tile = (isA ? map.tileA : map.tileB)[kTile];
      tile.add(isA ? inside.row : k, isA ? k : inside.column);
      tile.add(isA ? inside.row + inside.rows - 1 : k,
               isA ? k : inside.column + inside.columns - 1);
    }
  }
  map.owner.assign(static_cast<std::size_t>(map.c.rows * map.c.columns), BlockMap::kNobody);
  std::vector<std::int64_t> owned(trace.warps, 0);
  forEachGlobalWord(
      trace, [&](Kind kind, std::uint32_t array, std::uint32_t thread, std::uint32_t element) {
        if (kind != Kind::GlobalStore) return;
        const std::int64_t columns = columnsOf(array);
        const std::int64_t row = element / columns - map.c.row,
                           column = element % columns - map.c.column;
        map.owner[static_cast<std::size_t>(row * map.c.columns + column)] =
            static_cast<std::uint16_t>(thread);
        ++owned[thread / emulator::kWarpSize];
      });
  std::vector<std::uint8_t> taken(map.owner.size(), 0);
  map.subtiles.resize(trace.threads);
  for (std::uint32_t t = 0; t < trace.threads; ++t) {
    if (threadBoxes[t].empty()) continue;
    map.subtiles[t] = cutIntoRectangles(map, static_cast<std::uint16_t>(t), taken, threadBoxes[t]);
  }
  for (std::uint32_t w = 0; w < trace.warps; ++w) {
    map.warpSolid.push_back(owned[w] == map.warps[w].rows * map.warps[w].columns);
  }
  return map;
}

}  // namespace tileloom::analysis
