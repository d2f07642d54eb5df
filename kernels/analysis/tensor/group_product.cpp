// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/group_product.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/analysis/tensor/warp_operands.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::ProductRecord;

constexpr std::uint32_t kRows = GroupProduct::kRows, kDepth = GroupProduct::kDepth;
constexpr std::uint32_t kWarpRows = GroupProduct::kWarpRows;

bool recordedWell(const ProductRecord& product) {
  return product.factorsA != nullptr && product.factorsB != nullptr;
}

GroupProduct::Origin originOf(const emulator::Trace& trace, std::uint32_t byte,
                              std::uint32_t stages) {
  GroupProduct::Origin origin;
  origin.array = emulator::kFirstShared;
  for (std::uint32_t i = emulator::kFirstShared; i < trace.arrays.size(); ++i) {
    if (trace.arrays[i].base * 4 <= byte) origin.array = i;
  }
  const emulator::Array& array = trace.arrays[origin.array];
  origin.index = (byte / 4 - array.base) * array.parts + byte % 4 * array.parts / 4;
  origin.stage = origin.index / std::max(1u, array.elements / stages);
  return origin;
}

// The row of the matrix A for each of a warp's 16 rows of its operand, and the column of B for each
// column: of this wgmma, or, if it reads only zeros from outside, of an earlier one that adds to
// the same sums.
struct Lines {
  std::unordered_map<std::int64_t, std::uint32_t> rows, columns;
};

void learn(const Recording& recording, const ProductRecord& product, Lines& lines) {
  for (std::uint32_t i = 0; i < kWarpRows * kDepth; ++i) {
    if (const auto e = recording.elementOf((*product.factorsA)[i]))
      lines.rows.try_emplace(e->row, i / kDepth);
  }
  for (std::uint32_t i = 0; i < kDepth * product.columns; ++i) {
    if (const auto e = recording.elementOf((*product.factorsB)[i]))
      lines.columns.try_emplace(e->column, i % product.columns);
  }
}

Lines linesOf(const Recording& recording, std::uint32_t warp, const ProductRecord& product) {
  Lines lines;
  learn(recording, product, lines);
  if (lines.rows.size() == kWarpRows && lines.columns.size() == product.columns) return lines;
  for (const ProductRecord& other : recording.trace.products[warp]) {
    if (other.number == product.number && other.columns == product.columns && recordedWell(other))
      learn(recording, other, lines);
  }
  return lines;
}

void addSums(const Recording& recording, std::uint32_t warp, const ProductRecord& product,
             GroupProduct& all) {
  const auto& trace = recording.trace;
  const Lines lines = linesOf(recording, warp, product);
  const std::int64_t width = trace.arrays[emulator::kArrayC].columns;
  const std::uint32_t firstRow = (warp - all.firstWarp) * kWarpRows;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t thread = warp * emulator::kWarpSize + lane;
    for (std::uint32_t i = 0; i < product.columns / 2; ++i) {
      const std::uint32_t c = trace.accumulatorElement(thread, product.number + i);
      if (c == emulator::Trace::kNoElement) continue;
      const Element element{Matrix::C, c / width, c % width};
      const auto row = lines.rows.find(element.row);
      const auto column = lines.columns.find(element.column);
      if (row == lines.rows.end() || column == lines.columns.end()) continue;
      all.sums[std::size_t{firstRow + row->second} * all.columns + column->second] =
          GroupProduct::Sum{element, thread, i};
      all.tileC.add(element.row, element.column);
    }
  }
}

}  // namespace

std::optional<Element> GroupProduct::elementAt(const Place& place) const {
  const std::size_t at = std::size_t{place.row} * columnsOf(place.matrix) + place.column;
  if (place.matrix == Matrix::C) {
    const auto& sum = sums[at];
    return sum ? std::optional(sum->element) : std::nullopt;
  }
  return (place.matrix == Matrix::A ? a : b)[at];
}

std::optional<GroupProduct::Place> GroupProduct::placeOf(const Element& element) const {
  const Region& tile = element.matrix == Matrix::A   ? tileA
                       : element.matrix == Matrix::B ? tileB
                                                     : tileC;
  if (!tile.contains(element.row, element.column)) return std::nullopt;
  Place place{element.matrix, 0, 0};
  for (place.row = 0; place.row < rowsOf(place.matrix); ++place.row) {
    for (place.column = 0; place.column < columnsOf(place.matrix); ++place.column) {
      if (elementAt(place) == element) return place;
    }
  }
  return std::nullopt;
}

std::optional<GroupProduct> groupProduct(const Recording& recording, std::uint32_t warp,
                                         std::uint32_t index) {
  const auto& trace = recording.trace;
  if (!trace.features().warpgroupMma) return std::nullopt;
  const auto found = nearestProduct(recording, warp, index);
  if (!found) return std::nullopt;
  const emulator::Position at = trace.position(warp, *found);
  const auto view = trace.at(warp, at.interval);
  const Instruction& instruction = view.instructions[at.instruction];
  const std::uint32_t number = view.payload(at.instruction, 0)[0];

  GroupProduct all;
  all.warp = warp;
  all.firstWarp = warp / emulator::kWarpsPerGroup * emulator::kWarpsPerGroup;
  all.index = *found;
  all.kTile = instruction.kTile;
  all.dot = instruction.dot;
  all.step = placeInStep(trace, warp, at);
  all.when = *found == index  ? WarpProduct::When::Now
             : *found < index ? WarpProduct::When::Before
                              : WarpProduct::When::Later;
  const ProductRecord& mine = trace.products[warp][number];
  if (!recordedWell(mine)) return std::nullopt;
  all.columns = mine.columns;
  all.group = mine.group;
  all.first = mine.a;
  all.with = mine.b;
  if (trace.rung()->spec(Parameter::STAGES) != nullptr)
    all.stages = static_cast<std::uint32_t>(std::max(1, trace.tile[Parameter::STAGES]));
  all.originA = originOf(trace, all.first.start, all.stages);
  all.originB = originOf(trace, all.with.start, all.stages);
  all.a.resize(std::size_t{kRows} * kDepth);
  all.b.resize(std::size_t{kDepth} * all.columns);
  all.sums.resize(std::size_t{kRows} * all.columns);
  for (std::uint32_t i = 0; i < all.b.size(); ++i) {
    all.b[i] = recording.elementOf((*mine.factorsB)[i]);
    if (all.b[i]) all.tileB.add(all.b[i]->row, all.b[i]->column);
  }
  for (std::uint32_t w = all.firstWarp; w < all.firstWarp + emulator::kWarpsPerGroup; ++w) {
    // The four warps have issued it together, each as its wgmma of this number.
    if (w >= trace.products.size() || number >= trace.products[w].size()) continue;
    const ProductRecord& its = trace.products[w][number];
    if (!recordedWell(its) || its.columns != all.columns) continue;
    const std::size_t first = std::size_t{w - all.firstWarp} * kWarpRows * kDepth;
    for (std::uint32_t i = 0; i < kWarpRows * kDepth; ++i) {
      all.a[first + i] = recording.elementOf((*its.factorsA)[i]);
      if (const auto& e = all.a[first + i]) all.tileA.add(e->row, e->column);
    }
    addSums(recording, w, its, all);
  }
  return all;
}

}  // namespace tileloom::analysis
