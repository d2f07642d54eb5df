// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/emulator/judges/leftovers.h"

#include <fmt/format.h>

#include <algorithm>

namespace tileloom::emulator::judges {

void Leftovers::see(const event::Visit& e) {
  context_.peer(e.rank)->shadow.visits.push_back(
      {context_.happens.stamp(e.at.thread), context_.place.rank, e.at, e.what});
}

void Leftovers::see(const event::BlockEnded& e) {
  reportLoads(e.barriers);
  reportStores();
  reportVisits();
}

void Leftovers::reportLoads(std::span<const event::BarrierState> barriers) {
  const std::vector<BoxRecord>& boxes = context_.requests.boxes;
  for (std::uint32_t i = 0; i < barriers.size() && i < kBarriersPerBlock; ++i) {
    // The newest phase with a requested box.
    const auto last = std::ranges::find(boxes.rbegin(), boxes.rend(), i, &BoxRecord::barrier);
    if (last == boxes.rend()) continue;
    if (last->rank != context_.place.rank) continue;  // the block that issued it reports it
    const Origin at{last->warp * kWarpSize, {last->line, last->code}};
    if (barriers[i].bytes != 0) {
      context_.report(FaultKind::LeftUnderWay, at,
                      fmt::format("leaves phase {} of {} unfinished: {}", barriers[i].phase,
                                  context_.barrierText(i), context_.owing(i, barriers[i])));
      continue;
    }
    const bool heard = std::ranges::any_of(context_.happens.clocks(), [&](const Clock& clock) {
      return clock.heard[context_.happens.barrierComponent(i)] > last->phase;
    });
    if (heard) continue;
    context_.report(FaultKind::LeftUnderWay, at,
                    fmt::format("requests {}, and the block ends without a wait for phase {} of {}",
                                context_.boxText(*last), last->phase, context_.barrierText(i)));
  }
}

// A thread that stores a box must wait until it has been read: the memory ends with the block.
void Leftovers::reportStores() {
  const std::vector<BoxStoreRecord>& stores = context_.requests.boxStores;
  const std::vector<Clock>& clocks = context_.happens.clocks();
  for (std::uint32_t warp = 0; warp < clocks.size(); ++warp) {
    const auto last =
        std::ranges::find_if(stores.rbegin(), stores.rend(),
                             [&](const BoxStoreRecord& store) { return store.box.warp == warp; });
    if (last == stores.rend() ||
        clocks[warp].heard[context_.happens.storesComponent(warp)] > last->group) {
      continue;
    }
    context_.report(FaultKind::LeftUnderWay, {warp * kWarpSize, {last->box.line, last->box.code}},
                    fmt::format("issues a TMA store, and the block, with its shared memory, ends "
                                "without a {} for it",
                                context_.named("wait_boxes()", "cp.async.bulk.wait_group")));
    return;
  }
}

// A block that ends takes its barriers and its shared memory with it.
void Leftovers::reportVisits() {
  Clock last;
  for (const Clock& clock : context_.happens.clocks()) last.join(clock);
  for (const ShadowVisit& visit : context_.shadow.visits) {
    if (last.knows(visit.stamp)) continue;
    context_.peer(visit.rank)
        ->report(FaultKind::NoFence, visit.at,
                 fmt::format("{} the block with rank {}, which may already have ended: both must "
                             "execute a meet_cluster() afterwards",
                             visit.what, context_.place.rank));
    return;
  }
}

}  // namespace tileloom::emulator::judges
