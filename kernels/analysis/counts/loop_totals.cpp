// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/loop_totals.h"

#include <algorithm>

#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"

namespace tileloom::analysis {
namespace {

// K tiles that a block loads before it multiplies the first one.
std::uint32_t ahead(const Stage& stage, const TileShape& tile) {
  return static_cast<std::uint32_t>(
      std::max(2, stage.spec(Parameter::STAGES) != nullptr ? tile[Parameter::STAGES] : 0));
}

// The most K tiles that are traced as a whole. With one more, the second one loads none at the edge
// of K.
std::uint32_t few(const Stage& stage, const TileShape& tile) {
  constexpr std::uint32_t kAlways = 8;  // an edge of K is more than a tenth of them
  return std::max(kAlways, ahead(stage, tile) + 2);
}

// TMA loads that the multiplying warps issue themselves, as rung T7 does from its second K tile on.
bool asksLate(const Stage& stage) {
  return stage.features().tma && !stage.features().roles;
}

bool isWhole(const emulator::Trace& trace) {
  return trace.kTilesTraced == trace.kTiles;
}

}  // namespace

emulator::Trace traceOneTile(emulator::Workspace& workspace, const Subject& subject,
                             const Problem& problem) {
  const Stage& stage = *subject.rung();
  emulator::TraceRequest request;
  request.subject() = subject;
  request.problem = problem;
  request.kTiles = 1;
  request.operands = false;
  const auto step = static_cast<std::uint32_t>(std::max(1, derive(stage, subject.tile).stepK));
  if (!stage.isRung()) {
    request.kTiles = few(stage, subject.tile);
  } else if (stage.ladder == Ladder::Fp32) {
    if (stage.features().sharedTiles)
      request.problem.k = std::max(problem.k, static_cast<int>(ahead(stage, subject.tile) * step));
  } else if (static_cast<std::uint32_t>(problem.k) <= few(stage, subject.tile) * step) {
    request.kTiles = 0;  // all
  } else if (asksLate(stage)) {
    request.kTiles = 2;
  }
  return traceBlock(workspace, request);
}

LoopTotals loopTotals(const emulator::Trace& trace) {
  const SplitTotals split = splitTotals(trace, accessesOf(trace));
  if (trace.rung()->isRung() && trace.rung()->ladder == Ladder::Fp32)
    return {split.loop, split.after, std::max(1u, trace.kTilesTraced)};
  if (trace.rung()->isRung() && !isWhole(trace)) return {split.lastTile, split.after, 1};
  Totals fetchedAndMultiplied = split.loop;
  fetchedAndMultiplied += split.outside - split.after;
  return {fetchedAndMultiplied, split.after, std::max(1u, trace.kTilesTraced)};
}

LoopTotals traceLoop(emulator::Workspace& workspace, const Subject& subject,
                     const Problem& problem) {
  return loopTotals(traceOneTile(workspace, subject, problem));
}

}  // namespace tileloom::analysis
