// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/warp_product.h"

#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Position;
using emulator::Provenance;

// The last product at or before `from`, else the first one after it.
std::optional<Position> productAt(const emulator::Trace& trace, std::uint32_t warp,
                                  const Position& from) {
  for (std::uint32_t interval = from.interval + 1; interval-- > 0;) {
    const auto all = trace.at(warp, interval).instructions;
    std::uint32_t i =
        interval == from.interval ? from.instruction + 1 : static_cast<std::uint32_t>(all.size());
    while (i-- > 0) {
      if (all[i].kind == Kind::Mma) return Position{interval, i};
    }
  }
  for (std::uint32_t interval = from.interval; interval < trace.intervals(); ++interval) {
    const auto all = trace.at(warp, interval).instructions;
    for (std::uint32_t i = interval == from.interval ? from.instruction + 1 : 0; i < all.size();
         ++i) {
      if (all[i].kind == Kind::Mma) return Position{interval, i};
    }
  }
  return std::nullopt;
}

// Which product of its step along K it is. A step may have a barrier in it, and other instructions.
void count(const emulator::Trace& trace, std::uint32_t warp, const Position& at,
           WarpProduct& product) {
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const auto all = trace.at(warp, interval).instructions;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].kind != Kind::Mma || all[i].kTile != product.kTile || all[i].dot != product.dot)
        continue;
      ++product.count;
      if (Position{interval, i} == at) product.number = product.count;
    }
    if (interval > at.interval && !all.empty() && all.front().kTile != product.kTile) return;
  }
}

void add(std::vector<WarpProduct::Part>& parts, Region& box, const Element& element,
         std::uint32_t lane, std::uint32_t value) {
  parts.push_back({element, lane, value});
  box.add(element.row, element.column);
}

}  // namespace

std::uint32_t dotDepth(const Stage& stage) {
  return stage.is(Trait::TensorCore) ? emulator::kMmaDepth : 1;
}

std::optional<WarpProduct> warpProduct(const Recording& recording, std::uint32_t warp,
                                       std::uint32_t index) {
  const auto& trace = recording.trace;
  const Position from = trace.position(warp, index);
  const auto found = productAt(trace, warp, from);
  if (!found) return std::nullopt;

  const auto view = trace.at(warp, found->interval);
  const Instruction& instruction = view.instructions[found->instruction];
  WarpProduct product;
  product.kTile = instruction.kTile;
  product.dot = instruction.dot;
  product.index = trace.indexOf(warp, *found);
  product.when = product.index == index  ? WarpProduct::When::Now
                 : product.index < index ? WarpProduct::When::Before
                                         : WarpProduct::When::Later;
  count(trace, warp, *found, product);
  const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
  for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
    const std::uint32_t* words = view.payload(found->instruction, lane);
    for (std::uint32_t i = 0; i < emulator::kLaneA; ++i) {
      if (const auto element = recording.elementOf(Provenance(words[i])))
        add(product.a, product.tileA, *element, lane, i);
    }
    words += emulator::kLaneA;
    for (std::uint32_t i = 0; i < emulator::kLaneB; ++i) {
      if (const auto element = recording.elementOf(Provenance(words[i])))
        add(product.b, product.tileB, *element, lane, i);
    }
    words += emulator::kLaneB;
    for (std::uint32_t i = 0; i < emulator::kLaneC; ++i) {
      const std::uint32_t c =
          trace.accumulatorElement(warp * emulator::kWarpSize + lane, Provenance(words[i]).slot());
      if (c != emulator::Trace::kNoElement)
        add(product.c, product.tileC, {Matrix::C, c / columns, c % columns}, lane, i);
    }
  }
  return product;
}

}  // namespace tileloom::analysis
