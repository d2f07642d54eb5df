// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/operands.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::Provenance;

// The distinct `numbers`, as ranges.
std::vector<Stretch> stretchesOf(std::vector<std::int64_t> numbers) {
  std::ranges::sort(numbers);
  std::vector<Stretch> stretches;
  for (const std::int64_t n : numbers) {
    if (!stretches.empty() && stretches.back().last == n) continue;
    if (!stretches.empty() && stretches.back().last + 1 == n) {
      stretches.back().last = n;
    } else {
      stretches.push_back({n, n});
    }
  }
  return stretches;
}

}  // namespace

Footprint footprint(const Moment& moment, Matrix matrix) {
  std::vector<std::int64_t> rows, columns;
  for (const Touch& touch : moment.touches) {
    if (touch.element.matrix != matrix) continue;
    rows.push_back(touch.element.row);
    columns.push_back(touch.element.column);
  }
  return {stretchesOf(std::move(rows)), stretchesOf(std::move(columns))};
}

Footprint factorsOfDot(const Recording& recording, std::uint32_t warp, std::uint32_t index,
                       Matrix matrix) {
  const auto& trace = recording.trace;
  const auto position = trace.position(warp, index);
  const auto view = trace.at(warp, position.interval);
  const Instruction here = view.instructions[position.instruction];
  if (here.kTile == emulator::kNoTile || here.dot == emulator::kNoDot) return {};
  std::vector<std::int64_t> rows, columns;
  const std::uint32_t factor = matrix == Matrix::A ? 0 : 1;
  const auto visit = [&](std::uint32_t i) {
    const Instruction& instruction = view.instructions[i];
    if (instruction.kTile != here.kTile || instruction.dot != here.dot) return false;
    if (instruction.kind == Kind::Mma) {
      const bool isA = matrix == Matrix::A;
      const MmaRow& mma = instruction.mma();
      const std::uint32_t from = isA ? 0 : mma.laneA();
      const std::uint32_t to = from + (isA ? mma.laneA() : mma.laneB());
      for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
        for (std::uint32_t w = from; w < to; ++w) {
          const auto element = recording.elementOf(Provenance(view.payload(i, lane)[w]));
          if (!element) continue;
          rows.push_back(element->row);
          columns.push_back(element->column);
        }
      }
      return true;
    }
    if (instruction.kind != Kind::Fma) return true;
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane) {
      if ((instruction.mask >> lane & 1u) == 0) continue;
      const std::uint32_t* words = view.payload(i, lane);
      // A stage may have its factors in either order.
      for (const std::uint32_t w : {factor, 1 - factor}) {
        const auto element = recording.elementOf(Provenance(words[w]));
        if (!element || element->matrix != matrix) continue;
        rows.push_back(element->row);
        columns.push_back(element->column);
        break;
      }
    }
    return true;
  };
  for (std::uint32_t i = position.instruction; i < view.instructions.size() && visit(i); ++i) {
  }
  for (std::uint32_t i = position.instruction; i-- > 0 && visit(i);) {
  }
  return {stretchesOf(std::move(rows)), stretchesOf(std::move(columns))};
}

std::string stretchText(const std::vector<Stretch>& stretches, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (i > 0) text += ", ";
    if (i == most) return text + "…";
    const Stretch& s = stretches[i];
    text += s.first == s.last ? fmt::format("{}", s.first) : fmt::format("{}–{}", s.first, s.last);
  }
  return text;
}

}  // namespace tileloom::analysis
