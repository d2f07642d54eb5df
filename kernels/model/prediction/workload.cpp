// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/workload.h"

#include <algorithm>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom::model {
namespace {

constexpr double kLanes = 32;

double d(std::uint64_t count) {
  return static_cast<double>(count);
}

// Issue slots of one warp for a K tile, from a loop of the machine code that holds one K tile, a
// multiple of it, or a part. If it is a part (the loop over k was not unrolled), the fill is
// outside: an access there takes an address besides itself, and the barriers and counters of a K
// tile take about twenty slots.
double slotsOf(const sass::LoopSize& loop, double turns, double ffmas, double fills) {
  constexpr double kSlotsOfFill = 2;
  constexpr double kSlotsAround = 20;
  const double inside = ffmas / loop.ffmas * loop.instructions;
  return turns > 0 ? inside + kSlotsOfFill * fills + kSlotsAround : inside;
}

// Iterations of the loop over k for one K tile; 0 if the machine code's loop holds the whole K
// tile.
double turnsOf(const sass::LoopSize& loop, double ffmas) {
  constexpr double kPart = 1.5;
  const double times = ffmas / loop.ffmas;
  return times > kPart ? times : 0;
}

}  // namespace

Family familyOf(const Stage& stage) {
  if (!stage.features().sharedTiles) return Family::Untiled;
  if (stage.rewriter > 0) return Family::Rewritten;
  if (const auto* mma = std::get_if<WarpMma>(&stage.kind))
    return mma->fragmentsAhead ? Family::FragmentsAhead : Family::Alternating;
  const auto* simt = std::get_if<Simt>(&stage.kind);
  if (simt == nullptr) return Family::Alternating;
  switch (simt->next) {
    case Simt::Next::Registers:
      return Family::Staged;
    case Simt::Next::AInRegisters:
      return Family::Pipelined;
    case Simt::Next::Copied:
      return Family::Copied;
    case Simt::Next::No:
      break;
  }
  if (simt->fragmentsAhead) return Family::FragmentsAhead;
  return simt->owns == Simt::Owns::WarpTile ? Family::WarpTiled : Family::Alternating;
}

bool overlaps(Family family) {
  return family == Family::Staged || copies(family);
}

bool copies(Family family) {
  switch (family) {
    case Family::Pipelined:
    case Family::Copied:
    case Family::Rewritten:
      return true;
    default:
      return false;
  }
}

WaveDivision cutOf(const Workload& work, double slots) {
  return divisionOf(work.blocks, static_cast<std::int64_t>(work.kTiles * work.stepK),
                    static_cast<std::int64_t>(slots), work.split);
}

double likelyTurns(const Workload& work) {
  return work.family == Family::WarpTiled ? work.stepK : 0;
}

Workload workloadOf(const Stage& stage, const TileShape& tile, const Problem& problem,
                    const analysis::Totals& loop, std::uint32_t kTilesTraced,
                    const KernelShape& kernel, const Machine& machine) {
  const Derived shape = derive(stage, tile);
  const Problem run = paddedProblem(stage, tile, problem);
  const Extent grid = launchOf(stage, tile, run).grid;
  const double tiles = std::max<std::uint32_t>(1, kTilesTraced);

  Workload w;
  w.family = kernel.asCompiled ? Family::Pipelined : familyOf(stage);
  w.warps = std::max(1, shape.warps);
  w.stepK = shape.stepK;
  // Without shared memory the loop over K advances by one k, and a K tile is only what is traced.
  w.kTiles = w.family == Family::Untiled
                 ? static_cast<double>(run.k) / std::min(run.k, std::max(1, shape.stepK))
                 : (run.k + shape.stepK - 1) / shape.stepK;
  w.blocks = std::int64_t{grid.x} * grid.y;
  w.sumsKiB = static_cast<double>(shape.threads) * shape.results * sizeof(float) / 1024;
  w.blocksPerSm = std::max(1, kernel.blocksPerSm);
  if (looksUpParts(stage, tile)) w.split = tile[Parameter::SPLIT];

  const double warpTiles = tiles * w.warps;
  w.ffmas = d(loop.ffmaThreadInstructions) / kLanes / warpTiles;
  w.accesses = d(loop.sharedLoadInstructions + loop.fillInstructions() + loop.globalLoadRequests) /
               warpTiles;
  if (kernel.loop && kernel.loop->ffmas > 0) {
    const double moves = d(loop.fillInstructions() + loop.fetchRequests()) / warpTiles;
    // Without shared memory all of the loop is its body: nothing is filled outside of it.
    if (w.family != Family::Untiled) w.turns = turnsOf(*kernel.loop, w.ffmas);
    w.loopSlots = slotsOf(*kernel.loop, w.turns, w.ffmas, moves);
    constexpr double kBytes = 16;  // of an instruction
    w.codeKiB = kernel.loop->instructions * kBytes / 1024;
  } else {
    w.turns = likelyTurns(w);
  }
  w.fills = d(loop.fillInstructions()) / warpTiles;
  w.wavefronts = d(loop.sharedLoadWavefronts + loop.fillWavefronts()) / tiles;
  w.conflicts = d(loop.sharedLoadConflicts + loop.fillConflicts()) / tiles;
  w.sectors = d(loop.fetchSectors()) / tiles;
  if (w.family == Family::Untiled) {  // all goes through L1
    w.wavefronts = d(loop.globalLoadPasses) / tiles;
    w.sectors = 0;
  }

  // Every block does the same as this one, except for the few at an edge.
  const double blockTiles = static_cast<double>(w.blocks) * w.kTiles;
  const auto times = static_cast<std::uint64_t>(blockTiles / tiles);
  const Traffic moved = traffic(stage, tile, problem, loop * times, w.blocksPerSm, machine);
  w.flops = moved.flops;
  w.l2Bytes = moved.l2Bytes / blockTiles;
  w.dramBytes = moved.dramBytes / blockTiles;
  w.dramLeast = moved.dramLeast / blockTiles;
  return w;
}

}  // namespace tileloom::model
