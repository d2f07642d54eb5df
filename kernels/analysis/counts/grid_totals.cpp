// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/grid_totals.h"

#include <algorithm>
#include <array>
#include <map>

#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/memory/access_cost.h"
#include "kernels/analysis/memory/coalescing.h"
#include "kernels/emulator/run.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/residency.h"

namespace tileloom::analysis {
namespace {

using emulator::Instruction;
using emulator::Trace;

// In elements: the place of an element within its line determines the cost of an access.
int alignmentThatCounts(const Stage& stage) {
  return static_cast<int>(rowOf(stage.usualFormat()).elementsIn(kLineBytes));
}

std::uint32_t u(int v) {
  return static_cast<std::uint32_t>(v);
}

// How a block's counts repeat along K, in elements of K.
struct AlongK {
  std::uint32_t step = 1;    // of a K tile
  std::uint32_t period = 1;  // after which the counts of K tiles repeat
  std::uint32_t least = 1;   // from here on a stage is past its prologue
};
AlongK alongK(const Stage& stage, const TileShape& tile) {
  AlongK along;
  along.step = std::max(1u, u(derive(stage, tile).stepK));
  // A tile of A moves `step` elements along its row, a tile of B a multiple of that: both begin at
  // a line again after this number of elements of K.
  const std::uint32_t kept = u(alignmentThatCounts(stage));
  along.period = along.step;
  // And after all buffers were used, the next tile goes into the first one.
  const std::uint32_t buffers = std::max(1u, u(derive(stage, tile).buffers));
  while (along.period % kept != 0 || along.period % (buffers * along.step) != 0)
    along.period += along.step;
  along.least = (buffers + 1) * along.step;
  return along;
}

// Totals of a block whose K ends after one stretch of whole periods, and after two of them.
struct TwoDepths {
  Totals one, two;
  Totals ofC;                // of the epilogue, which does not depend on K
  std::uint32_t kTiles = 1;  // of one stretch
};
TwoDepths twoDepths(emulator::Workspace& workspace, const emulator::TraceRequest& block) {
  const AlongK along = alongK(*block.rung(), block.tile);
  const std::uint32_t stretch = (along.least + along.period - 1) / along.period * along.period;
  emulator::TraceRequest request = block;
  request.operands = false;
  request.kTiles = 0;
  // Deep enough, with the same alignment of rows.
  while (u(request.problem.k) < 2 * stretch) request.problem.k += static_cast<int>(along.period);
  TwoDepths depths;
  depths.kTiles = stretch / along.step;
  request.kElements = 2 * stretch;
  depths.two = blockTotals(emulator::traceBlock(workspace, request));
  request.kElements = stretch;
  const Trace trace = emulator::traceBlock(workspace, request);
  const SplitTotals one = splitTotals(trace, accessesOf(trace));
  depths.one = one.loop;
  depths.one += one.outside;
  depths.ofC.ffmaThreadInstructions = one.outside.ffmaThreadInstructions;
  forEachAccess(trace, accessesOf(trace),
                [&](const Instruction& instruction, const Access& access, const AccessCost& cost) {
                  if (instruction.array == emulator::kArrayC)
                    add(depths.ofC, instruction, access, cost);
                });
  return depths;
}

emulator::TraceRequest lastBlock(const emulator::TraceRequest& anyBlock) {
  emulator::TraceRequest request = anyBlock;
  const Extent grid = launchOf(*request.rung(), request.tile,
                               paddedProblem(*request.rung(), request.tile, request.problem))
                          .grid;
  request.block = {grid.x - 1, grid.y - 1};
  return request;
}

}  // namespace

Totals wholeBlockTotals(emulator::Workspace& workspace, const emulator::TraceRequest& block) {
  emulator::TraceRequest request = block;
  request.operands = false;
  request.kTiles = 0;
  request.kElements = 0;
  const std::uint32_t k = u(paddedProblem(*block.rung(), block.tile, block.problem).k);
  const auto [step, period, least] = alongK(*block.rung(), block.tile);
  const std::uint32_t first = least + (k + period - least % period) % period;
  if (k <= first + period) return blockTotals(emulator::traceBlock(workspace, request));
  request.kElements = first;
  const Totals base = blockTotals(emulator::traceBlock(workspace, request));
  request.kElements = first + period;
  const Totals next = blockTotals(emulator::traceBlock(workspace, request));
  Totals total = base;
  total += (next - base) * ((k - first) / period);
  return total;
}

Totals gridTotals(emulator::Workspace& workspace, const emulator::TraceRequest& anyBlock) {
  const Stage& stage = *anyBlock.rung();
  const Problem run = paddedProblem(stage, anyBlock.tile, anyBlock.problem);
  const Derived d = derive(stage, anyBlock.tile);
  const Extent grid = launchOf(stage, anyBlock.tile, run).grid;
  const auto [rows, columns] = blocksOver(stage, grid);
  const std::int64_t kept = alignmentThatCounts(stage);

  // Rows of blocks differ by the part that is inside C, by the alignment of their first elements of
  // A and of C, and by their rank in a cluster, whose blocks load different parts of B; columns
  // likewise, with B.
  struct Class {
    int representative = 0;
    std::uint64_t count = 0;
  };
  std::map<std::array<std::int64_t, 4>, Class> rowClasses, columnClasses;
  for (int r = 0; r < rows; ++r) {
    const std::int64_t first = std::int64_t{r} * d.blockM;
    Class& c = rowClasses[{std::min<std::int64_t>(d.blockM, run.m - first), first * run.k % kept,
                           first * run.n % kept, r % clusterOf(stage, anyBlock.tile)}];
    if (c.count++ == 0) c.representative = r;
  }
  for (int col = 0; col < columns; ++col) {
    const std::int64_t first = std::int64_t{col} * d.blockN;
    Class& c = columnClasses[{std::min<std::int64_t>(d.blockN, run.n - first), first % kept, 0, 0}];
    if (c.count++ == 0) c.representative = col;
  }

  Totals total;
  emulator::TraceRequest request = anyBlock;
  for (const auto& [rowKey, row] : rowClasses) {
    for (const auto& [columnKey, column] : columnClasses) {
      request.block =
          blockAt(stage, anyBlock.tile, grid, {row.representative, column.representative});
      total += wholeBlockTotals(workspace, request) * (row.count * column.count);
    }
  }
  const CutTiles cut = cutTilesOf(stage, anyBlock.tile, run, anyBlock.sms);
  if (looksUpParts(stage, anyBlock.tile) && cut.parts > cut.tiles) {
    // Each part is a block of its own: it has a prologue, and one of them stores C.
    const TwoDepths depths = twoDepths(workspace, lastBlock(anyBlock));
    total += (depths.one * 2 - depths.two - depths.ofC) * (cut.parts - cut.tiles);
  }
  total += partialSums(stage, anyBlock.tile, run, anyBlock.sms);
  return total;
}

Totals predicatedOffByRewriting(emulator::Workspace& workspace,
                                const emulator::TraceRequest& anyBlock) {
  Totals off;
  if (anyBlock.rung()->rewriter == 0) return off;
  const Problem run = paddedProblem(*anyBlock.rung(), anyBlock.tile, anyBlock.problem);
  const Extent grid = residentLaunch(*anyBlock.rung(), anyBlock.tile, run, anyBlock.sms).grid;
  const auto blocks = static_cast<std::uint64_t>(grid.x) * static_cast<std::uint64_t>(grid.y);
  const TwoDepths depths = twoDepths(workspace, lastBlock(anyBlock));
  const auto perTile = [&](std::uint64_t Totals::*count) {
    return (depths.two.*count - depths.one.*count) / depths.kTiles;
  };
  off.asyncInstructions = off.asyncInstructionsOff = blocks * perTile(&Totals::asyncInstructions);
  off.sharedStoreInstructions = off.sharedStoreInstructionsOff =
      blocks * perTile(&Totals::sharedStoreInstructions);
  return off;
}

}  // namespace tileloom::analysis
