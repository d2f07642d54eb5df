// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/timeline/wait_shares.h"

#include <algorithm>
#include <initializer_list>

namespace tileloom::timeline {
namespace {

bool doesAny(const Program& warp, std::initializer_list<Work> works) {
  return std::ranges::any_of(warp.operations, [&](const Operation& o) {
    return std::ranges::find(works, o.work) != works.end();
  });
}

bool is(const Program& warp, Who who) {
  if (doesAny(warp, {Work::Multiply, Work::Mma, Work::Product})) return who == Who::Multiply;
  return who == Who::Bring && doesAny(warp, {Work::Load, Work::Copy, Work::Box});
}

}  // namespace

double WaitShares::of(On what) const {
  const auto found = std::ranges::find(kSummed, what);
  return found == kSummed.end() ? 0 : on[static_cast<std::size_t>(found - kSummed.begin())];
}

std::optional<WaitShares> waitShares(const Measured& measured, const BlockProgram& program,
                                     Who who) {
  if (measured.times.empty() || measured.times.size() != program.warps.size()) return std::nullopt;
  WaitShares shares;
  double all = 0;
  for (std::size_t warp = 0; warp < program.warps.size(); ++warp) {
    if (!is(program.warps[warp], who)) continue;
    const WarpTime& its = measured.times[warp];
    ++shares.warps;
    all += its.all;
    for (std::size_t i = 0; i < its.on.size(); ++i) shares.on[i] += its.on[i];
  }
  if (all <= 0) return std::nullopt;
  for (double& share : shares.on) share /= all;
  shares.cycles = all / shares.warps;
  return shares;
}

}  // namespace tileloom::timeline
