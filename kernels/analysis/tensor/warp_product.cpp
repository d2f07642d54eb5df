// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/warp_product.h"

#include <algorithm>

#include "kernels/analysis/tensor/warp_operands.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::Position;

InStep placeInStep(const emulator::Trace& trace, std::uint32_t warp, const Position& at) {
  const Instruction& product = trace.at(warp, at.interval).instructions[at.instruction];
  InStep place;
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    const auto all = trace.at(warp, interval).instructions;
    for (std::uint32_t i = 0; i < all.size(); ++i) {
      if (all[i].kind != product.kind || all[i].kTile != product.kTile || all[i].dot != product.dot)
        continue;
      ++place.count;
      if (Position{interval, i} == at) place.number = place.count;
    }
    if (interval > at.interval && !all.empty() && all.front().kTile != product.kTile) break;
  }
  return place;
}

std::uint32_t dotDepth(const emulator::Trace& trace) {
  const MmaRow* mma = trace.mma();
  return mma != nullptr ? mma->depth : 1;
}

std::optional<WarpProduct> warpProduct(const Recording& recording, std::uint32_t warp,
                                       std::uint32_t index) {
  const auto& trace = recording.trace;
  const auto found = nearestProduct(recording, warp, index);
  if (!found) return std::nullopt;
  const Position at = trace.position(warp, *found);

  const Instruction instruction = trace.at(warp, at.interval).instructions[at.instruction];
  if (instruction.kind != Kind::Mma) return std::nullopt;  // of a warpgroup: group_product.h
  WarpProduct product;
  product.kTile = instruction.kTile;
  product.dot = instruction.dot;
  product.index = *found;
  product.when = product.index == index  ? WarpProduct::When::Now
                 : product.index < index ? WarpProduct::When::Before
                                         : WarpProduct::When::Later;
  const InStep step = placeInStep(trace, warp, at);
  product.number = step.number;
  product.count = step.count;
  for (const WarpOperands::Value& v : warpOperands(recording, warp, product.index).values) {
    if (!v.element) continue;
    const bool isA = v.operand == Operand::A, isB = v.operand == Operand::B;
    auto& parts = isA ? product.a : isB ? product.b : product.c;
    parts.push_back({*v.element, v.lane, v.value});
    (isA   ? product.tileA
     : isB ? product.tileB
           : product.tileC)
        .add(v.element->row, v.element->column);
  }
  for (auto* parts : {&product.a, &product.b, &product.c}) {
    std::ranges::sort(*parts, {},
                      [](const WarpProduct::Part& p) { return std::pair(p.lane, p.value); });
  }
  return product;
}

}  // namespace tileloom::analysis
