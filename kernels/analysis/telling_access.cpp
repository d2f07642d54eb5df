// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/analysis/telling_access.h"

#include <algorithm>
#include <tuple>

namespace tileloom::analysis {
namespace {

using emulator::Kind;

// The interest of an access; greater is better to show.
using Interest = std::tuple<std::uint32_t, std::uint32_t, int>;

Interest interestOf(const Moment& m) {
  const Coalescing& global = m.cost.global;
  const std::uint32_t wasted =
      global.sectors > global.idealSectors() ? global.sectors - global.idealSectors() : 0;
  const Kind kind = m.instruction.kind;
  const bool fragment = kind == Kind::SharedLoad || kind == Kind::MatrixLoad;
  return {m.cost.conflicts(), wasted, fragment ? 2 : kind == Kind::GlobalLoad};
}

}  // namespace

std::uint32_t tellingAccess(const Recording& recording, std::uint32_t warp) {
  const emulator::Trace& trace = recording.trace;
  const std::uint32_t tile = std::min(trace.kTilesTraced, 2u) - 1;
  std::uint32_t best = 0;
  Interest most{};
  for (std::uint32_t index = 0; index < trace.length(warp); ++index) {
    const emulator::Position at = trace.position(warp, index);
    const auto& i = trace.at(warp, at.interval).instructions[at.instruction];
    if (i.kTile != tile) continue;
    // Where the tensor core reads shared memory by itself, there is only its wgmma to show.
    if (i.kind == Kind::Product && best == 0) best = index;
    if (!emulator::isMemory(i.kind)) continue;
    const Moment m = recording.moment(warp, index);
    if (m.follower) continue;  // shown with the access that it was merged into
    if (const Interest now = interestOf(m); now > most) {
      most = now;
      best = index;
    }
  }
  return best;
}

}  // namespace tileloom::analysis
