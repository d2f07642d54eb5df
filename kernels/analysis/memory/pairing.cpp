// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/memory/pairing.h"

#include "kernels/analysis/memory/access_cost.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {

sass::PairedLoads pairedLoads(const emulator::Trace& trace) {
  sass::PairedLoads loads;
  forEachAccess(
      trace, accessesOf(trace),
      [&](const emulator::Instruction& instruction, const Access& access, const AccessCost& cost) {
        if (instruction.kind != emulator::Kind::SharedLoad || access.width == 1) return;
        loads.note(instruction.line, cost.shared.lanesAtOnce > emulator::kWarpSize / access.width);
      });
  return loads;
}

emulator::Trace traceFirstTiles(emulator::Workspace& workspace, const Subject& subject) {
  constexpr int kSize = 4096;           // any that is larger than a tile
  constexpr std::uint32_t kEnough = 3;  // K tiles, for every line of the loop to be executed
  emulator::TraceRequest request;
  request.subject() = subject;
  request.problem = {kSize, kSize, kSize};
  request.kTiles = kEnough;
  request.operands = false;
  return traceBlock(workspace, request);
}

sass::PairedLoads pairedLoads(emulator::Workspace& workspace, const Stage& stage,
                              const TileShape& tile) {
  return pairedLoads(traceFirstTiles(workspace, usualSubject(stage, tile)));
}

}  // namespace tileloom::analysis
