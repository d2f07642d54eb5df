// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/block_walk.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "kernels/device/pieces_of.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/residency.h"
#include "viz/base/text/clauses.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Grid)
};

// As the kernel assigns pieces of tiles.
void walkPieces(BlockWalk& walk, const emulator::Trace& trace, const Extent& grid) {
  const int cluster = clusterOf(*trace.rung(), trace.tile);
  const pieces all =
      piecesOf(*trace.rung(), trace.tile, trace.problem, walk.block.x / cluster, walk.sms);
  const BlockPlace shown = placeOf(*trace.rung(), trace.tile, grid, trace.block);
  walk.here = -1;
  for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1)) {
    const int number = static_cast<int>(at.tile) * cluster + walk.block.x % cluster;
    walk.places.push_back(
        placeOf(*trace.rung(), trace.tile, grid, {number % grid.x, number / grid.x}));
    walk.parts += at.first > 0 || at.end < all.rounds ? 1 : 0;
    if (walk.places.back() == shown) walk.here = static_cast<int>(walk.places.size()) - 1;
  }
  // A tile whose stretches all go to one cluster is not split.
  std::vector<int> owners(all.tiles - all.whole, 0);
  const auto eachOf = [&](unsigned its, const auto& visit) {
    for (unsigned at = all.begin(its); at < all.begin(its + 1);
         at = (at / all.rounds + 1) * all.rounds)
      visit(owners[at / all.rounds]);
  };
  for (unsigned its = 0; its < all.clusters; ++its) eachOf(its, [](int& count) { ++count; });
  walk.cut = std::ranges::count_if(owners, [](int count) { return count > 1; }) * cluster;
  for (unsigned its = 0; its < all.clusters; ++its) {
    bool shares = false;
    eachOf(its, [&](int count) { shares |= count > 1; });
    walk.sharing += shares ? cluster : 0;
  }
}

}  // namespace

BlockWalk walkOf(const Scene& scene) {
  BlockWalk walk;
  if (!scene.ready() || !scene.recording->trace.features().persistent) return walk;
  const emulator::Trace& trace = scene.recording->trace;
  const Stage& stage = *trace.rung();
  walk.sms = scene.residency && scene.residency->sms > 0 ? scene.residency->sms : kUsualSms;
  const Extent grid = launchOf(stage, trace.tile, trace.problem).grid;
  const Extent launched = residentLaunch(stage, trace.tile, trace.problem, walk.sms).grid;
  walk.blocks = launched.x * launched.y;
  walk.tiles = std::int64_t{grid.x} * grid.y;
  const auto [rows, columns] = blocksOver(stage, grid);
  const int blockM = derive(stage, trace.tile).blockM;
  const int used = (trace.problem.m + blockM - 1) / blockM;
  walk.empty = std::int64_t{rows - std::min(rows, used)} * columns;
  const Resident shown = residentOf(stage, trace.tile, trace.problem, trace.block, walk.sms);
  walk.block = shown.block;
  walk.here = shown.walk;
  if (stage.split() == SplitK::Rounds) {
    walkPieces(walk, trace, grid);
    return walk;
  }
  // The tiles of a block are `blocks` apart. Only these are visited, because this runs for each
  // picture.
  const std::int64_t own = std::int64_t{trace.block.y} * grid.x + trace.block.x;
  for (std::int64_t number = own - std::int64_t{shown.walk} * walk.blocks; number < walk.tiles;
       number += walk.blocks) {
    const Extent its{static_cast<int>(number % grid.x), static_cast<int>(number / grid.x)};
    walk.places.push_back(placeOf(stage, trace.tile, grid, its));
  }
  return walk;
}

QString describeWalk(const BlockWalk& walk) {
  if (walk.places.empty()) return {};
  const auto tiles = [](std::int64_t count) {
    return count == 1 ? Words::tr("1 tile") : Words::tr("%1 tiles").arg(figures::grouped(count));
  };
  QString text = tiles(walk.tiles - walk.empty);
  if (walk.empty > 0)
    text = Words::tr("%1 with elements of C and %2")
               .arg(text, counted(walk.empty, Words::tr("1 that only completes its cluster"),
                                  Words::tr("%1 that only complete their clusters")));
  text = Words::tr("%1 on %2 SMs").arg(text).arg(walk.sms);
  const std::int64_t full = (walk.tiles - walk.cut) / std::max(1, walk.blocks);
  const QString rounds = counted(full, Words::tr("1 full round"), Words::tr("%1 full rounds"));
  if (walk.cut > 0) {
    if (walk.left() > 0) {
      const QString whole = Words::tr("%1 whole").arg(tiles(walk.left()));
      text += Words::tr(": %1, and %2 split along K over %3 SMs")
                  .arg(full == 0 ? whole : Words::tr("%1, %2").arg(rounds, whole), tiles(walk.cut))
                  .arg(walk.sharing);
    } else if (full == 0) {
      text += Words::tr(": split along K over %1 SMs").arg(walk.sharing);
    } else {
      text += (walk.cut == 1 ? Words::tr(": %1, and the %2 left is split along K over %3 SMs")
                             : Words::tr(": %1, and the %2 left are split along K over %3 SMs"))
                  .arg(rounds, tiles(walk.cut))
                  .arg(walk.sharing);
    }
    text = oneClause(text);
    if (walk.idle() > 0)
      text +=
          Words::tr("; %1 then")
              .arg(counted(walk.idle(), Words::tr("1 SM is idle"), Words::tr("%1 SMs are idle")));
    return text;
  }
  if (walk.idle() == 0)
    return text + Words::tr(": %1, and no SM is idle in the last one").arg(rounds);
  text += walk.left() > 0 && full > 0 ? Words::tr(": %1 and %2").arg(rounds, tiles(walk.left()))
          : walk.rounds() == 1        ? Words::tr(": one round that is not full")
                               : Words::tr(": %1 rounds that are not full").arg(walk.rounds());
  text += Words::tr("; %1 in the last one")
              .arg(counted(walk.idle(), Words::tr("1 SM is idle"), Words::tr("%1 SMs are idle")));
  const double percent = 100 * walk.idleShare();
  return text + Words::tr(", %1 % of all time (counted, if tiles take equal time)")
                    .arg(percent >= 1 ? QString::number(std::lround(percent))
                                      : QString::number(percent, 'f', 1));
}

}  // namespace tileloom
