// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/ring/ring_data.h"

#include <QCoreApplication>

#include "kernels/tile/format.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Ring)
};

}  // namespace

QString whyNoRing(const Scene& scene) {
  if (!scene.ready()) return Words::tr("Nothing is recorded yet.");
  const emulator::Trace& trace = scene.recording->trace;
  if (analysis::hasRing(*trace.rung(), trace.tile)) return {};
  const QString choose = Words::tr("Choose rung 11 or later, or T3 or later on the tensor ladder.");
  if (!trace.features().sharedTiles) {
    return Words::tr(
               "This rung keeps no K tile in shared memory, so it has no multistage pipeline. %1")
        .arg(choose);
  }
  return Words::
      tr("Shared memory holds one K tile at a time here: all threads store it, synchronise, read "
         "it, and synchronise again before the next one, so there is no multistage pipeline. %1")
          .arg(choose);
}

RingData ringData(const Scene& scene, const analysis::StageRing* ring) {
  RingData data;
  data.why = whyNoRing(scene);
  if (ring == nullptr || !data.why.isEmpty()) return data;
  const emulator::Trace& trace = scene.recording->trace;
  data.warp = scene.moment.warp;
  data.format = trace.format;
  data.boxes = trace.features().tma;
  data.products = trace.features().warpgroupMma;
  data.tiles = trace.kTiles;
  data.traced = trace.kTilesTraced;
  data.passedOver = trace.kTiles > trace.kTilesTraced && (scene.repeated > 0 || scene.afterTiles());
  data.reads = ring->readBy(data.warp);
  data.copies = ring->copies(data.warp);
  if (const auto newest = ring->newestTile()) {
    data.newest = ring->slotOf(*newest);
    data.follows = ring->slotOf(*newest + 1);
  }
  for (std::uint32_t number = 0; number < ring->size(); ++number) {
    RingStage stage;
    stage.slot = ring->slot(number);
    stage.next = ring->next(number, data.warp);
    if (stage.slot.barrier) {
      RingBarrier barrier;
      barrier.name = toQString(ring->barrierName(*stage.slot.barrier));
      barrier.state = ring->barrier(*stage.slot.barrier);
      for (const auto& [warp, wait] : ring->waiting(*stage.slot.barrier))
        (wait.over ? barrier.passing : barrier.asleep).push_back(warp);
      stage.barrier = std::move(barrier);
    }
    data.stages.push_back(std::move(stage));
  }
  return data;
}

}  // namespace tileloom
