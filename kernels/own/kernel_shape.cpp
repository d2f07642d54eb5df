// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/own/kernel_shape.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "kernels/analysis/block_product.h"

namespace tileloom::own {
namespace {

using emulator::Kind;
using emulator::Provenance;
using emulator::Trace;

// Where along K an element of A or B is.
std::optional<std::uint32_t> alongK(const Trace& trace, Provenance element) {
  const std::uint32_t columnsA = trace.arrays[emulator::kArrayA].columns,
                      columnsB = trace.arrays[emulator::kArrayB].columns;
  if (element.source() == Provenance::Source::A && columnsA != 0 && element.isElement())
    return element.index() % columnsA;
  if (element.source() == Provenance::Source::B && columnsB != 0) return element.index() / columnsB;
  return std::nullopt;
}

struct Filled {
  std::map<std::uint32_t, std::set<std::uint32_t>> byInterval;  // elements of K
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> byPhase;
  std::set<std::uint32_t> places;  // of shared memory that hold elements of A
};

void addStores(const Trace& trace, Filled& filled) {
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
      const auto view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const emulator::Instruction& one = view.instructions[i];
        if (one.kind != Kind::SharedStore && one.kind != Kind::AsyncCopy) continue;
        for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
          if ((one.mask >> lane & 1) == 0) continue;
          const std::uint32_t* words = view.payload(i, lane);
          for (std::uint32_t e = 0; e < one.elements(); ++e) {
            const Provenance element(words[1 + e]);
            const auto k = alongK(trace, element);
            if (!k) continue;
            filled.byInterval[interval].insert(*k);
            if (element.source() == Provenance::Source::A) filled.places.insert(words[0] + e);
          }
        }
      }
    }
  }
}

void addBoxes(const Trace& trace, Filled& filled) {
  for (const emulator::BoxRecord& box : trace.boxes) {
    const bool a = box.matrix == emulator::kArrayA;
    if (!a && box.matrix != emulator::kArrayB) continue;
    std::set<std::uint32_t>& its = filled.byPhase[{box.barrier, box.phase}];
    const std::uint32_t first = static_cast<std::uint32_t>(std::max(0, a ? box.x : box.y));
    for (std::uint32_t k = 0; k < (a ? box.columns : box.rows); ++k) its.insert(first + k);
    if (!a) continue;
    for (std::uint32_t e = 0; e < box.columns * box.rows; ++e) filled.places.insert(box.index + e);
  }
}

// The size that most of the sets have; of two, the smaller one.
template <class Sets>
std::uint32_t usualSize(const Sets& sets) {
  std::map<std::size_t, int> counts;
  for (const auto& [key, set] : sets) ++counts[set.size()];
  std::uint32_t usual = 0;
  int most = 0;
  for (const auto& [size, count] : counts) {
    if (count <= most) continue;
    most = count;
    usual = static_cast<std::uint32_t>(size);
  }
  return usual;
}

}  // namespace

KernelShape shapeOf(const Trace& trace) {
  KernelShape shape;
  const analysis::BlockProduct product = analysis::blockProductOf(trace);
  if (product.elements > 0) {
    shape.firstRow = product.firstRow;
    shape.firstColumn = product.firstColumn;
    shape.rows = product.lastRow - product.firstRow + 1;
    shape.columns = product.lastColumn - product.firstColumn + 1;
    shape.whole = product.isRectangle();
    shape.product =
        product.complete == product.elements && product.foreign == 0 && product.repeated == 0;
  }
  Filled filled;
  addStores(trace, filled);
  addBoxes(trace, filled);
  shape.stepK = filled.byPhase.empty() ? usualSize(filled.byInterval) : usualSize(filled.byPhase);
  const std::uint64_t perTile = std::uint64_t{shape.rows} * shape.stepK;
  if (perTile > 0)
    shape.buffers = std::max<std::uint32_t>(
        1, static_cast<std::uint32_t>((filled.places.size() + perTile / 2) / perTile));
  return shape;
}

}  // namespace tileloom::own
