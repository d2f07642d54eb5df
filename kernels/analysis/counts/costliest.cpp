// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/counts/costliest.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tileloom::analysis {

std::optional<CostliestAccess> costliestAccess(const Recording& recording, std::uint32_t warp) {
  constexpr std::uint32_t kSectorsOfALine = 4;
  const emulator::Trace& trace = recording.trace;
  using Place = std::tuple<std::uint16_t, emulator::Kind, std::uint8_t>;
  std::map<Place, CostliestAccess> sums;
  std::uint64_t all = 0;
  const std::uint32_t length = trace.length(warp);
  for (std::uint32_t index = 0; index < length; ++index) {
    const emulator::Position at = trace.position(warp, index);
    const auto& i = trace.at(warp, at.interval).instructions[at.instruction];
    if (i.kTile == emulator::kNoTile || !emulator::isMemory(i.kind)) continue;
    const Moment m = recording.moment(warp, index);
    if (m.follower) continue;  // counted with the access that it was merged into
    const std::uint64_t passes = std::uint64_t{m.cost.wavefronts()} +
                                 (m.cost.global.sectors + kSectorsOfALine - 1) / kSectorsOfALine;
    auto [found, isNew] = sums.try_emplace(Place{i.line, i.kind, i.array});
    if (isNew) found->second.index = index;
    found->second.passes += passes;
    all += passes;
  }
  if (all == 0) return std::nullopt;
  const auto most =
      std::ranges::max_element(sums, {}, [](const auto& entry) { return entry.second.passes; });
  CostliestAccess costliest = most->second;
  costliest.share = static_cast<double>(costliest.passes) / static_cast<double>(all);
  return costliest;
}

}  // namespace tileloom::analysis
