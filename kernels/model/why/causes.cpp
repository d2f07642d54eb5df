// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/causes.h"

#include <algorithm>
#include <map>
#include <string>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/each.h"
#include "kernels/model/prediction/rates_fit.h"
#include "kernels/runs/neighbours.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

std::vector<const runs::RunRecord*> usableRuns(std::span<const runs::RunRecord> runs,
                                               const Architecture& arch) {
  std::map<std::string_view, std::string> hashes;
  for (const Stage& stage : stages()) hashes[stage.id] = fingerprintOf(stage);
  std::vector<const runs::RunRecord*> usable;
  for (const runs::RunRecord& run : runs) {
    const Stage* stage = stageWithId(run.stage);
    if (stage == nullptr || run.arch != arch.name || run.fingerprint != hashes[stage->id]) continue;
    if (!run.gflops.known() || run.noisy() || run.blocksPerSm <= 0 || run.loop.ffmas <= 0) continue;
    if (isLegal(*stage, run.tile, arch)) usable.push_back(&run);
  }
  return usable;
}

bool tells(const runs::RunRecord& one, const runs::RunRecord& other) {
  const double ratio = one.gflops.median / other.gflops.median;
  return std::max(ratio, 1 / ratio) > kTellingDifference;
}

}  // namespace

std::vector<JudgedPair> judgeCauses(std::span<const runs::RunRecord> runs, const Rates& rates,
                                    std::size_t every) {
  const auto arch = architectureNamed(rates.arch);
  if (!arch) return {};
  const auto usable = usableRuns(runs, *arch);
  std::vector<runs::Neighbours> pairs = runs::neighbours(usable);
  std::erase_if(pairs, [&](const auto& p) { return !tells(*usable[p.one], *usable[p.other]); });
  std::size_t count = 0;
  std::erase_if(pairs, [&](const auto&) { return count++ % std::max<std::size_t>(1, every) != 0; });

  // The counts of a K tile do not depend on the size of the problem.
  std::map<std::pair<const Stage*, std::string>, std::vector<std::size_t>> byTile;
  std::vector<std::size_t> wanted;
  for (const auto& pair : pairs) wanted.insert(wanted.end(), {pair.one, pair.other});
  std::ranges::sort(wanted);
  // Clang 14 cannot compile std::ranges::unique() with the library of GCC 12.
  wanted.erase(std::unique(wanted.begin(), wanted.end()), wanted.end());
  for (const std::size_t i : wanted) {
    const Stage* stage = stageWithId(usable[i]->stage);
    byTile[{stage, tileText(*stage, usable[i]->tile)}].push_back(i);
  }
  std::vector<std::span<const std::size_t>> tiles;
  for (const auto& [tile, which] : byTile) tiles.emplace_back(which);
  std::vector<TileCosts> costs(usable.size());
  emulator::forEachAtOnce(tiles.size(), [&](emulator::Workspace& workspace, std::size_t at) {
    const runs::RunRecord& first = *usable[tiles[at].front()];
    const Stage& stage = *stageWithId(first.stage);
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace, usualSubject(stage, first.tile), first.problem);
    for (const std::size_t i : tiles[at]) {
      const runs::RunRecord& run = *usable[i];
      costs[i] = costsOf({&stage, run.tile, run.format}, run.problem, loop.totals, loop.kTiles,
                         factsOf(run), rates);
    }
  });

  std::vector<JudgedPair> judged;
  for (const auto& pair : pairs) {
    const TileCosts& from = costs[pair.one];
    const TileCosts& to = costs[pair.other];
    const Move move = moveBetween(from, to, rates);
    JudgedPair j{usable[pair.one], usable[pair.other], pair.parameter};
    j.measured = j.to->gflops.median / j.from->gflops.median;
    j.predicted = move.speedRatio;
    j.cause = move.cause;
    j.causeShare = move.causeShare;
    j.faster = move.faster;
    j.heldOut = j.from->device != rates.device ||
                (isHeldOut(*from.rung(), from.tile) && isHeldOut(*to.rung(), to.tile));
    judged.push_back(j);
  }
  return judged;
}

}  // namespace tileloom::model
