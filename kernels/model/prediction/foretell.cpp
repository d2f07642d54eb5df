// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/foretell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/analysis/counts/occupancy.h"
#include "kernels/emulator/each.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

// The tile without parameters that its loop over K does not depend on: the order of blocks, and the
// split of the last wave.
TileShape ofTheLoop(const Stage& stage, TileShape tile) {
  for (const Parameter parameter : {Parameter::GROUP, Parameter::SPLIT}) {
    if (stage.spec(parameter) != nullptr) tile = tile.with(parameter, stage.spec(parameter)->min);
  }
  return tile;
}

// Traces one K tile of each loop, with all processors; 0 where no block fits an SM.
std::vector<double> predictAll(std::span<const Subject> tiles, std::span<const KernelShape> shapes,
                               const Problem& problem, const Rates& rates) {
  std::vector<Subject> loops;
  std::vector<std::size_t> loopOf(tiles.size());
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (shapes[i].blocksPerSm == 0) continue;
    const Stage& stage = *tiles[i].rung();
    const TileShape its = ofTheLoop(stage, tiles[i].tile);
    const auto [at, isNew] =
        known.try_emplace(fmt::format("{} {}", stage.id, tileText(stage, its)), loops.size());
    if (isNew) loops.push_back(tiles[i].with(its));
    loopOf[i] = at->second;
  }
  std::vector<analysis::LoopTotals> traced(loops.size());
  emulator::forEachAtOnce(loops.size(), [&](emulator::Workspace& workspace, std::size_t i) {
    traced[i] = analysis::traceLoop(workspace, loops[i], problem);
  });
  std::vector<double> gflops(tiles.size(), 0.0);
  for (std::size_t i = 0; i < tiles.size(); ++i) {
    if (shapes[i].blocksPerSm == 0) continue;
    const analysis::LoopTotals& loop = traced[loopOf[i]];
    const auto load = workloadOf(*tiles[i].rung(), tiles[i].tile, problem, loop.totals, loop.kTiles,
                                 shapes[i], rates.chip.machine);
    gflops[i] = predict(load, rates, rates.chip).gflops;
  }
  return gflops;
}

}  // namespace

int likelyRegisters(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  double registers = 0;
  switch (familyOf(stage)) {
    case Family::Untiled:
      registers = 40;
      break;
    case Family::Alternating:
    case Family::WarpTiled:
      registers = d.results + 32;
      break;
    case Family::FragmentsAhead:
      registers = 1.25 * d.results + 35;
      break;
    case Family::Staged:
    case Family::Pipelined:
    case Family::Copied:
    case Family::Rewritten:
      registers = 1.25 * d.results + d.fragments + 25;
      break;
  }
  // A compiler keeps a block's threads runnable: it spills instead of using more registers.
  return std::clamp(static_cast<int>(registers), 16, launchedRegisters(stage, tile));
}

std::vector<double> foretell(std::span<const Subject> tiles, const Problem& problem,
                             const Architecture& arch, const Rates& rates) {
  std::vector<KernelShape> shapes;
  for (const Subject& each : tiles) {
    const Derived d = derive(*each.rung(), each.tile);
    const analysis::BlockNeeds needs{d.threads, likelyRegisters(*each.rung(), each.tile),
                                     d.sharedBytes};
    shapes.push_back({analysis::occupancy(arch, needs).blocks, std::nullopt});
  }
  return predictAll(tiles, shapes, problem, rates);
}

std::size_t worthCompiling(std::size_t tiles) {
  constexpr std::size_t kFewest = 120, kMost = 300;
  return std::min(tiles, std::clamp(tiles / 8, kFewest, kMost));
}

std::vector<std::size_t> fastest(std::span<const double> gflops, std::size_t count) {
  std::vector<std::size_t> order(gflops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t i) { return gflops[i]; });
  order.resize(std::min(count, order.size()));
  return order;
}

void refine(std::span<const Subject> tiles, std::vector<double>& gflops, const Problem& problem,
            const Rates& rates, std::span<const std::size_t> which,
            std::span<const KernelShape> shapes) {
  std::vector<Subject> chosen;
  for (const std::size_t i : which) chosen.push_back(tiles[i]);
  const std::vector<double> anew = predictAll(chosen, shapes, problem, rates);
  for (std::size_t i = 0; i < which.size(); ++i) gflops[which[i]] = anew[i];
}

}  // namespace tileloom::model
