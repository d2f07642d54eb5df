// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/beside.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/tile/identity/fingerprint.h"

namespace tileloom::timeline {

std::string whyStale(const Measured& measured) {
  if (measured.fingerprint == fingerprintOf(*measured.rung())) return {};
  return fmt::format(
      "the kernel {} has changed since these timestamps were taken, so its lines may differ: "
      "\"tileloom timeline {} --measure FILE\" takes new ones",
      measured.rung()->id, measured.rung()->id);
}

std::string remarkOn(const Measured& measured) {
  if (std::string why = whyStale(measured); !why.empty()) return why;
  if (measured.rung()->rewriter == 0) return {};
  return "the timestamps are of the main loop as it was compiled, because a timestamped loop is "
         "not rewritten";
}

tl::expected<Beside, std::string> beside(Measured measured, const BlockProgram& program,
                                         const Timeline& predicted,
                                         std::optional<std::uint32_t> tile) {
  auto whole = timelineOf(measured, program);
  if (!whole)
    return tl::unexpected(fmt::format("these timestamps cannot be shown: {}", whole.error()));
  Beside b;
  // Between two block tiles, the last K tile of the first one.
  b.under = predicted.tilesPerWalk > 0 ? predicted.tilesPerWalk - 1 : predicted.steadyFrom;
  b.tile = tile.value_or(b.under);
  auto aligned = alignedTo(predicted, *whole, program, b.under, b.tile);
  if (!aligned) {
    return tl::unexpected(
        fmt::format("these timestamps cannot be shown: they end before K tile {}", b.tile));
  }
  if (predicted.steady() && whole->steady()) {
    b.comparison = compared(predicted, *whole);
    addTimes(*b.comparison, measured, program);
  }
  b.remark = remarkOn(measured);
  b.whole = std::move(*whole);
  b.aligned = std::move(*aligned);
  b.measured = std::move(measured);
  b.measured.warps.clear();
  return b;
}

}  // namespace tileloom::timeline
