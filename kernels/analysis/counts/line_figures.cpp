// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/line_figures.h"

#include <bit>
#include <map>

#include "kernels/analysis/counts/line_costs.h"
#include "kernels/emulator/fragment_layout.h"

namespace tileloom::analysis {

std::vector<LineFigures> lineFigures(const emulator::Trace& trace) {
  std::map<std::uint16_t, LineFigures> lines;
  for (const LineCost& cost : lineCosts(trace)) {
    LineFigures& f = lines[cost.line];
    f.instructions += cost.executions;
    f.wavefronts += cost.wavefronts;
    f.conflicts += cost.conflicts;
    f.sectors += cost.sectors;
  }
  for (std::uint32_t interval = 0; interval < trace.intervals(); ++interval) {
    for (std::uint32_t warp = 0; warp < trace.warps; ++warp) {
      for (const emulator::Instruction& i : trace.at(warp, interval).instructions) {
        if (emulator::isMemory(i.kind)) continue;
        LineFigures& f = lines[i.line];
        f.instructions += 1;
        f.fmas += i.multiplyAdds();
      }
    }
  }
  std::vector<LineFigures> sorted;
  for (auto& [line, figures] : lines) {
    figures.line = line;
    sorted.push_back(figures);
  }
  return sorted;
}

}  // namespace tileloom::analysis
