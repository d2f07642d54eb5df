// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/tensor/warp_operands.h"

#include <algorithm>
#include <tuple>

#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Kind;
using emulator::kWarpSize;
using emulator::Provenance;

bool isTensor(const Instruction& instruction) {
  return instruction.kind == Kind::Mma || instruction.kind == Kind::MatrixLoad;
}

}  // namespace

WarpOperands warpOperands(const Recording& recording, std::uint32_t warp, std::uint32_t index) {
  const auto& trace = recording.trace;
  const auto at = trace.position(warp, index);
  const auto view = trace.at(warp, at.interval);
  const Instruction& instruction = view.instructions[at.instruction];
  WarpOperands all;
  all.load = instruction.kind == Kind::MatrixLoad;
  all.turned = instruction.turned != 0;
  all.warp = warp;
  all.index = index;
  if (all.load) {
    all.number = instruction.array;
    all.array = trace.arrays[instruction.array].name;
    const std::uint32_t parts = instruction.parts;
    for (std::uint32_t namer = 0; namer < kWarpSize; ++namer) {
      all.named[namer] = view.payload(at.instruction, namer)[0];
      for (std::uint32_t i = 0; i < instruction.elements(); ++i) {
        const auto to = emulator::receivedAs(namer, i, all.turned, parts);
        all.values.push_back(
            {Operand::Matrix, namer / emulator::kMatrixEdge, namer % emulator::kMatrixEdge, i,
             to.lane, to.value,
             recording.elementOf(Provenance(view.payload(at.instruction, to.lane)[1 + to.value])),
             to.value / parts, to.value % parts, parts});
      }
    }
    return all;
  }
  const auto add = [&](Operand operand, std::uint32_t lane, std::uint32_t value,
                       const FragmentPlace& place, std::optional<Element> element) {
    const std::uint32_t parts = operand == Operand::C ? 1 : instruction.mma().elementsPerRegister();
    all.values.push_back({operand, 0, place.row, place.column, lane, value, element, value / parts,
                          value % parts, parts});
  };
  const MmaRow& mma = instruction.mma();
  all.mma = &mma;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    const std::uint32_t* words = view.payload(at.instruction, lane);
    for (std::uint32_t i = 0; i < mma.laneA(); ++i)
      add(Operand::A, lane, i, mma.placeInA(lane, i), recording.elementOf(Provenance(words[i])));
    words += mma.laneA();
    for (std::uint32_t i = 0; i < mma.laneB(); ++i)
      add(Operand::B, lane, i, mma.placeInB(lane, i), recording.elementOf(Provenance(words[i])));
    words += mma.laneB();
    for (std::uint32_t i = 0; i < mma.laneC(); ++i) {
      std::optional<Element> sum;
      const std::uint32_t c =
          trace.accumulatorElement(warp * kWarpSize + lane, Provenance(words[i]).slot());
      if (c != emulator::Trace::kNoElement) {
        const std::int64_t columns = trace.arrays[emulator::kArrayC].columns;
        sum = Element{Matrix::C, c / columns, c % columns};
      }
      add(Operand::C, lane, i, mma.placeInC(lane, i), sum);
    }
  }
  std::ranges::sort(all.values, {}, [](const WarpOperands::Value& v) {
    return std::tuple(v.operand, v.row, v.column);
  });
  return all;
}

namespace {

// The last wanted instruction at or before `index`, else the first one after it.
template <class Wanted>
std::optional<std::uint32_t> nearest(const Recording& recording, std::uint32_t warp,
                                     std::uint32_t index, Wanted wanted) {
  const auto& trace = recording.trace;
  const auto here = trace.position(warp, index);
  for (std::uint32_t interval = here.interval + 1; interval-- > 0;) {
    const auto instructions = trace.at(warp, interval).instructions;
    std::uint32_t i = interval == here.interval ? here.instruction + 1
                                                : static_cast<std::uint32_t>(instructions.size());
    while (i-- > 0) {
      if (wanted(instructions[i])) return trace.indexOf(warp, {interval, i});
    }
  }
  for (std::uint32_t interval = here.interval; interval < trace.intervals(); ++interval) {
    const auto instructions = trace.at(warp, interval).instructions;
    for (std::uint32_t i = interval == here.interval ? here.instruction : 0;
         i < instructions.size(); ++i) {
      if (wanted(instructions[i])) return trace.indexOf(warp, {interval, i});
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::uint32_t> nearestTensor(const Recording& recording, std::uint32_t warp,
                                           std::uint32_t index) {
  return nearest(recording, warp, index, isTensor);
}

std::optional<std::uint32_t> nearestProduct(const Recording& recording, std::uint32_t warp,
                                            std::uint32_t index) {
  return nearest(recording, warp, index, [](const emulator::Instruction& i) {
    return i.kind == emulator::Kind::Mma || i.kind == emulator::Kind::Product;
  });
}

}  // namespace tileloom::analysis
