// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/line_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/analysis/first_lane.h"
#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/boxes.h"
#include "kernels/analysis/memory/predicated_off.h"
#include "kernels/analysis/tensor/product_cost.h"

namespace tileloom::analysis {

using emulator::Instruction;
using emulator::Kind;
using emulator::Trace;

std::vector<LineCost> lineCosts(const Trace& trace) {
  std::map<std::tuple<std::uint16_t, Kind, std::uint8_t, std::uint32_t>, LineCost> rows;
  forEachAccess(
      trace, accessesOf(trace),
      [&](const Instruction& instruction, const Access& access, const AccessCost& cost) {
        LineCost& row = rows[{instruction.line, instruction.kind, instruction.array, access.width}];
        row.line = instruction.line;
        row.kind = instruction.kind;
        row.array = trace.arrays[instruction.array].name;
        row.width = 4 * access.width;
        row.executions += 1;
        row.wavefronts += cost.wavefronts();
        row.conflicts += cost.conflicts();
        row.sectors += cost.global.sectors;
        row.usefulBytes += cost.global.usefulBytes;
        row.degree = std::max(row.degree, cost.shared.degree);
        row.turned = instruction.turned != 0;
      });
  std::map<std::uint16_t, std::uint64_t> off;
  for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
    for (const auto& [line, copies] : copiesOff(trace, warp)) off[line] += copies.all();
  }
  std::vector<LineCost> sorted;
  for (auto& [key, row] : rows) {
    if (row.kind == Kind::AsyncCopy) row.executionsOff = off[row.line];
    sorted.push_back(std::move(row));
  }
  return sorted;
}

std::vector<LineCost> asyncLineCosts(const Trace& trace) {
  std::map<std::tuple<std::uint16_t, Kind, std::string>, LineCost> rows;
  const auto rowOf = [&](const Instruction& i, const std::string& array) -> LineCost& {
    LineCost& row = rows[{i.line, i.kind, array}];
    row.line = i.line;
    row.kind = i.kind;
    row.array = array;
    row.executions += 1;
    return row;
  };
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      const emulator::WarpInterval view = trace.at(warp, interval);
      for (std::size_t i = 0; i < view.instructions.size(); ++i) {
        const Instruction& instruction = view.instructions[i];
        const auto number = [&] { return view.payload(i, firstLane(instruction.mask))[1]; };
        if (instruction.kind == Kind::Product) {
          const ProductCost cost = costOfPart(trace.products[warp][view.payload(i, 0)[0]], warp);
          LineCost& row = rowOf(instruction, "A and B");
          row.wavefronts += cost.wavefronts;
          row.conflicts += cost.conflicts;
        } else if (instruction.kind == Kind::BoxLoad && number() < trace.boxes.size()) {
          const emulator::BoxRecord& box = trace.boxes[number()];
          rowOf(instruction, trace.arrays[box.matrix].name).sectors += sectorsOf(trace, box);
        } else if (instruction.kind == Kind::BoxStore && number() < trace.boxStores.size()) {
          const emulator::BoxRecord& box = trace.boxStores[number()].box;
          rowOf(instruction, trace.arrays[box.matrix].name).sectors += sectorsOf(trace, box);
        }
      }
    }
  }
  std::vector<LineCost> sorted;
  for (auto& [key, row] : rows) sorted.push_back(std::move(row));
  return sorted;
}

}  // namespace tileloom::analysis
