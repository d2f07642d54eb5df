// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/line_costs.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/analysis/access_cost.h"
#include "kernels/analysis/predicated_off.h"

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

}  // namespace tileloom::analysis
