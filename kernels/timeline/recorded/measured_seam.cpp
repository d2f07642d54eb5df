// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/recorded/measured_seam.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/tile/derived.h"

namespace tileloom::timeline {
namespace {

using emulator::kNoTile;

// Of one warp, whose K tiles start again with each tile of C.
std::vector<Stamp> cut(const std::vector<Stamp>& stamps, std::uint32_t kTiles, std::uint32_t each) {
  std::vector<Stamp> kept;
  std::uint32_t walk = 0, latest = 0;
  for (const Stamp& stamp : stamps) {
    if (stamp.kTile == kNoTile) {
      // The time between the loops belongs to the seam; the time before or after does not.
      if (!kept.empty()) kept.push_back(stamp);
      continue;
    }
    if (stamp.kTile < latest) ++walk;
    latest = stamp.kTile;
    if (walk > 1 || (walk == 1 && stamp.kTile >= each)) break;
    if (walk == 0 && stamp.kTile + each < kTiles) continue;
    kept.push_back(stamp);
    kept.back().kTile = walk == 0 ? stamp.kTile + each - kTiles : each + stamp.kTile;
  }
  return kept;
}

}  // namespace

std::optional<Measured> cutAtSeam(const Measured& measured, std::uint32_t tilesPerWalk) {
  std::uint32_t kTiles = 0;
  for (const auto& warp : measured.warps) {
    for (const Stamp& stamp : warp) {
      if (stamp.kTile != kNoTile) kTiles = std::max(kTiles, stamp.kTile + 1);
    }
  }
  if (tilesPerWalk == 0 || kTiles < tilesPerWalk) return std::nullopt;
  Measured part = measured;
  std::uint32_t reached = 0;
  for (auto& warp : part.warps) {
    warp = cut(warp, kTiles, tilesPerWalk);
    for (const Stamp& stamp : warp) {
      if (stamp.kTile != kNoTile) reached = std::max(reached, stamp.kTile + 1);
    }
  }
  if (reached < 2 * tilesPerWalk) return std::nullopt;
  part.problem.k = static_cast<int>(2 * tilesPerWalk) *
                   std::max(1, derive(*measured.rung(), measured.tile).stepK);
  return part;
}

tl::expected<Beside, std::string> besideAtSeam(Measured measured, const BlockProgram& program,
                                               const Timeline& predicted) {
  const auto part = cutAtSeam(measured, predicted.tilesPerWalk);
  if (!part) {
    return tl::unexpected(std::string(
        "these timestamps cannot be shown: they end before the block's second tile of C"));
  }
  auto laid = beside(*part, program, predicted);
  if (!laid) return laid;
  laid->comparison.reset();
  laid->measured = std::move(measured);
  laid->measured.warps.clear();
  return laid;
}

}  // namespace tileloom::timeline
