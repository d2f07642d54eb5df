// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/loom/block_walk.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "kernels/analysis/recording.h"
#include "kernels/device/pieces_of.h"
#include "viz/base/describe.h"
#include "viz/base/figure_text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Grid)
};

// As the kernel deals out pieces of tiles.
void walkPieces(BlockWalk& walk, const emulator::Trace& trace, const Extent& grid) {
  const int cluster = clusterOf(*trace.stage, trace.tile);
  const pieces all =
      piecesOf(*trace.stage, trace.tile, trace.problem, walk.block.x / cluster, walk.sms);
  const BlockPlace shown = placeOf(*trace.stage, trace.tile, grid, trace.block);
  walk.here = -1;
  for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1)) {
    const int number = static_cast<int>(at.tile) * cluster + walk.block.x % cluster;
    walk.places.push_back(
        placeOf(*trace.stage, trace.tile, grid, {number % grid.x, number / grid.x}));
    if (walk.places.back() == shown) walk.here = static_cast<int>(walk.places.size()) - 1;
  }
  walk.cut = std::int64_t{all.tiles - all.whole} * cluster;
  for (unsigned its = 0; its < all.clusters; ++its)
    walk.sharing += all.begin(its) < all.begin(its + 1) ? cluster : 0;
  if (walk.cut == 0) walk.sharing = 0;
}

}  // namespace

BlockWalk walkOf(const Scene& scene) {
  BlockWalk walk;
  if (!scene.ready() || !scene.recording->trace.stage->is(Trait::Persistent)) return walk;
  const emulator::Trace& trace = scene.recording->trace;
  const Stage& stage = *trace.stage;
  walk.sms = scene.residency && scene.residency->sms > 0 ? scene.residency->sms : kUsualSms;
  const Extent grid = launchOf(stage, trace.tile, trace.problem).grid;
  const Extent launched = residentLaunch(stage, trace.tile, trace.problem, walk.sms).grid;
  walk.blocks = launched.x * launched.y;
  walk.tiles = std::int64_t{grid.x} * grid.y;
  const Resident shown = residentOf(stage, trace.tile, trace.problem, trace.block, walk.sms);
  walk.block = shown.block;
  walk.here = shown.walk;
  if (stage.is(Trait::Split)) {
    walkPieces(walk, trace, grid);
    return walk;
  }
  // A block comes back after as many tiles as there are blocks: this is called for each picture, so
  // that only its own tiles are looked at.
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
  QString text = Words::tr("%1 tiles on %2 SMs").arg(figures::grouped(walk.tiles)).arg(walk.sms);
  const std::int64_t full = (walk.tiles - walk.cut) / std::max(1, walk.blocks);
  if (walk.cut > 0) {
    text += Words::tr(": %1, and the %2 tiles that are left are cut along K among %3 SMs")
                .arg(counted(full, Words::tr("1 full round"), Words::tr("%1 full rounds")))
                .arg(figures::grouped(walk.cut))
                .arg(walk.sharing);
  } else if (walk.left() == 0) {
    text += Words::tr(": %1, and no SM is idle in the last one")
                .arg(counted(full, Words::tr("1 full round"), Words::tr("%1 full rounds")));
  } else {
    text += full == 0
                ? Words::tr(": one round that is not full")
                : Words::tr(": %1 and %2 tiles")
                      .arg(counted(full, Words::tr("1 full round"), Words::tr("%1 full rounds")))
                      .arg(figures::grouped(walk.left()));
    const std::int64_t idle = walk.idle() + (full == 0 ? walk.sms - walk.blocks : 0);
    if (idle > 0) {
      text += Words::tr("; %1 in the last one")
                  .arg(counted(idle, Words::tr("1 SM is idle"), Words::tr("%1 SMs are idle")));
      const double percent = 100 * walk.idleShare();
      text += Words::tr(", %1 % of all time (counted, if tiles take equally long)")
                  .arg(percent >= 1 ? QString::number(std::lround(percent))
                                    : QString::number(percent, 'f', 1));
    }
  }
  return text;
}

}  // namespace tileloom
