// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/fidelity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "kernels/analysis/counts/grid_totals.h"
#include "kernels/analysis/counts/partial_sums.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

constexpr auto kRich = std::to_array<int>(
    {1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 27, 32, 36, 48, 54, 64, 72, 96, 108, 128, 192, 256});

// Standard distributions differ between libraries; the remainder of the generator's number does
// not.
int anyValue(const ParameterSpec& spec, std::mt19937& random) {
  const auto from = std::ranges::lower_bound(kRich, spec.min);
  const auto to = std::ranges::upper_bound(kRich, spec.max);
  if (from >= to) return spec.standard;
  return *(from + static_cast<std::ptrdiff_t>(random() % static_cast<std::uint32_t>(to - from)));
}

// Do the wavefronts that CUPTI adds up instruction by instruction equal the trace's?
bool aloneAsTraced(const RunRecord& run, Counter counter, const analysis::Totals& totals) {
  const auto same = [&](Counter alone, std::uint64_t trace) {
    const auto counted = run.counters[alone];
    return counted && *counted == static_cast<double>(trace);
  };
  switch (counter) {
    case Counter::SharedLoadWavefronts:
    case Counter::SharedLoadConflicts:
      return same(Counter::SharedLoadWavefrontsAlone, totals.sharedLoadWavefronts) &&
             (totals.matrixLoadInstructions == 0 ||
              same(Counter::MatrixLoadWavefronts, totals.matrixLoadWavefronts));
    case Counter::SharedStoreWavefronts:
    case Counter::SharedStoreConflicts:
      return same(Counter::SharedStoreWavefrontsAlone, totals.sharedStoreWavefronts);
    default:
      return false;
  }
}

// At most one wavefront for each warp of a block but the first: rule 86 of docs/hardware.md.
// CUPTI's sum cannot show it where lanes are served in pairs and meet conflicts: it takes them for
// unpaired.
bool onlyAmongWarps(const RunRecord& run, const Stage& stage, const Difference& d,
                    const analysis::Totals& totals) {
  const auto instructions = run.counters[Counter::SharedLoadInstructions];
  if (d.counter != Counter::SharedLoadWavefronts && d.counter != Counter::SharedLoadConflicts)
    return false;
  if (!instructions || *instructions != static_cast<double>(totals.sharedLoadInstructions))
    return false;
  const int warps = (derive(stage, run.tile).threads + 31) / 32;
  const Extent grid = launchOf(stage, run.tile, paddedProblem(stage, run.tile, run.problem)).grid;
  const auto most =
      static_cast<std::uint64_t>(grid.x) * static_cast<std::uint64_t>(grid.y * (warps - 1));
  return d.hardware > d.trace && d.hardware - d.trace <= most;
}

// Where the assembler predicates accesses instead of jumping over them, they are issued with all
// lanes off (rule 85 of docs/hardware.md). Any lane would make them take a wavefront.
bool onlyAllOff(const RunRecord& run, const Difference& d, const analysis::Totals& totals) {
  const bool load = d.counter == Counter::SharedLoadInstructions;
  if (!load && d.counter != Counter::SharedStoreInstructions) return false;
  const auto alone =
      run.counters[load ? Counter::SharedLoadWavefrontsAlone : Counter::SharedStoreWavefrontsAlone];
  return d.hardware > d.trace && alone &&
         *alone ==
             static_cast<double>(load ? totals.sharedLoadWavefronts : totals.sharedStoreWavefronts);
}

// CUPTI counts the sectors and wavefronts of asynchronous copies by patching the code, and gives
// some to copies whose lanes are all predicated off. The hardware's own counters of all fetches do
// not see these.
bool onlyPatchedOff(const RunRecord& run, const analysis::Totals& totals) {
  const auto equals = [&](Counter counter, std::uint64_t count) {
    const auto counted = run.counters[counter];
    return counted && *counted == static_cast<double>(count);
  };
  return totals.asyncInstructionsOff > 0 &&
         equals(Counter::AsyncInstructions, totals.asyncInstructions) &&
         equals(Counter::GlobalFetchRequests, totals.fetchRequests()) &&
         equals(Counter::GlobalFetchSectors, totals.fetchSectors() - totals.boxSectors);
}

// A thread polls the flag of another cluster's partial sums: each additional poll is a request and
// a sector more than the one that the trace counts. Their number depends on time: the two counters
// are read in separate launches, and differ.
bool onlyLooksAgain(const RunRecord& run, const Stage& stage, const Difference& d,
                    const analysis::Totals& totals) {
  const auto stored = run.counters[Counter::GlobalStoreSectors];
  const Problem padded = paddedProblem(stage, run.tile, run.problem);
  return stage.split() == SplitK::Rounds &&
         analysis::cutTilesOf(stage, run.tile, padded).tiles > 0 && d.hardware > d.trace &&
         stored && *stored == static_cast<double>(totals.globalStoreSectors);
}

// At the edge of C, a warp that diverges at a condition executes the code after it once per group
// of lanes: as many additional shared loads as additional stores of C, and no additional sector.
bool inTwoGroups(const RunRecord& run, const analysis::Totals& totals) {
  const auto loads = run.counters[Counter::SharedLoadInstructions];
  const auto stores = run.counters[Counter::GlobalStoreRequests];
  const auto sectors = run.counters[Counter::GlobalStoreSectors];
  if (!loads || !stores || !sectors) return false;
  const double more = *stores - static_cast<double>(totals.globalStoreRequests);
  return more > 0 && *loads - static_cast<double>(totals.sharedLoadInstructions) == more &&
         *sectors == static_cast<double>(totals.globalStoreSectors);
}

Reason reasonOf(const RunRecord& run, const Stage& stage, const Difference& d,
                const analysis::Totals& totals) {
  if ((d.counter == Counter::AsyncSectors || d.counter == Counter::AsyncWavefronts ||
       d.counter == Counter::AsyncConflicts) &&
      onlyPatchedOff(run, totals))
    return Reason::PatchedOff;
  if (d.hardware > d.trace && aloneAsTraced(run, d.counter, totals)) return Reason::Arbitration;
  if (onlyAmongWarps(run, stage, d, totals)) return Reason::AmongWarps;
  if ((d.counter == Counter::GlobalFetchRequests || d.counter == Counter::GlobalFetchSectors) &&
      onlyLooksAgain(run, stage, d, totals))
    return Reason::LooksAgain;
  const auto loads = run.counters[Counter::SharedLoadInstructions];
  const bool ofLoads =
      d.counter == Counter::SharedLoadInstructions || d.counter == Counter::SharedLoadWavefronts ||
      d.counter == Counter::SharedLoadConflicts || d.counter == Counter::SharedLoadWavefrontsAlone;
  if ((ofLoads || d.counter == Counter::GlobalStoreRequests) && inTwoGroups(run, totals))
    return Reason::InTwoGroups;
  if (ofLoads && loads && *loads > static_cast<double>(totals.sharedLoadInstructions))
    return Reason::Reloaded;
  if (onlyAllOff(run, d, totals)) return Reason::AllOff;
  return Reason::Open;
}

// Without tensor cores the counter of their instructions counts something else: the assembler often
// sets a register to a constant by HFMA2.MMA.
bool compares(const Stage& stage, Counter counter) {
  return counter != Counter::TensorInstructions || stage.ladder == Ladder::Tensor;
}

Comparison compare(const RunRecord& run, const Stage& stage, const analysis::Totals& totals) {
  Comparison result;
  result.run = &run;
  result.stale = run.fingerprint != fingerprintOf(stage);
  for (const Counter counter : exactCounters()) {
    const auto hardware = run.counters[counter];
    const auto trace = predicted(totals, counter);
    if (!hardware || !trace || !compares(stage, counter)) continue;
    ++result.compared;
    Difference d{counter, static_cast<std::uint64_t>(std::llround(*hardware)), *trace};
    if (d.hardware == d.trace) continue;
    d.reason = reasonOf(run, stage, d, totals);
    result.differences.push_back(d);
  }
  return result;
}

analysis::Totals tracedTotals(const RunRecord& run, const emulator::TraceRequest& request,
                              emulator::Workspace& workspace) {
  analysis::Totals totals = analysis::gridTotals(workspace, request);
  if (run.rewritten) totals += analysis::predicatedOffByRewriting(workspace, request);
  return totals;
}

}  // namespace

std::vector<TileShape> fidelityTiles(const Stage& stage, std::size_t count,
                                     const Architecture& arch, std::uint32_t seed) {
  constexpr int kMostTries = 4000;
  std::mt19937 random(seed + static_cast<std::uint32_t>(stage.rung));
  std::vector<TileShape> tiles = {stage.standardTile()};
  for (int tries = 0; tries < kMostTries && tiles.size() < count + 1; ++tries) {
    TileShape tile = stage.standardTile();
    for (const ParameterSpec& spec : stage.parameters)
      tile[spec.parameter] = anyValue(spec, random);
    const auto legal = nearestTile(stage, tile, std::nullopt, arch);
    if (!legal || std::ranges::find(tiles, *legal) != tiles.end()) continue;
    // A block of few threads or a huge one shows nothing more, and takes long to trace.
    const Derived d = derive(stage, *legal);
    constexpr int kMostResults = 128 * 256;
    if (d.threads < 32 || d.blockM * d.blockN > kMostResults) continue;
    tiles.push_back(*legal);
  }
  return tiles;
}

std::vector<Problem> fidelityProblems(const Stage& stage, const TileShape& tile) {
  const Derived d = derive(stage, tile);
  const int step = std::max(1, d.stepK);
  const int steps = std::max(4, 2 * d.buffers + 1);
  const Problem one{d.blockM, d.blockN, steps * step};
  Problem many{2 * d.blockM, 3 * d.blockN, (steps + 1) * step};
  if (const Features does = stage.features(); !does.sharedTiles || does.tma) {
    many.m -= d.blockM / 3;
    many.n -= d.blockN / 3;
    many.k -= std::min(3, step - 1);
  }
  std::vector<Problem> problems = {one, many};
  if (stage.split() != SplitK::No && tile[Parameter::SPLIT] > 1) {
    constexpr int kLongEnough = 1536;
    problems.push_back({d.blockM, 3 * d.blockN, (kLongEnough + step - 1) / step * step});
  }
  return problems;
}

std::optional<std::uint64_t> predicted(const analysis::Totals& t, Counter counter) {
  switch (counter) {
    case Counter::SmBusy:
    case Counter::FmaPipe:
    case Counter::InstructionsPerCycle:
    case Counter::AchievedOccupancy:
    case Counter::DramBytes:
    case Counter::L2Bytes:
    case Counter::TensorPipe:
    case Counter::StalledGmma:
    case Counter::StalledBarrier:
    case Counter::StalledLongScoreboard:
    case Counter::StalledShortScoreboard:
    case Counter::StalledMioThrottle:
    case Counter::StalledLgThrottle:
    case Counter::StalledMathPipe:
    case Counter::StalledDispatch:
    case Counter::StalledWait:
    case Counter::StalledNoInstruction:
    case Counter::StalledNotSelected:
    case Counter::StalledSelected:
    // CUPTI adds these up by a model of its own, without the pairs of lanes that are served at
    // once: agreement is evidence, disagreement is not.
    case Counter::SharedLoadWavefrontsAlone:
    case Counter::SharedStoreWavefrontsAlone:
      return std::nullopt;
    case Counter::SharedLoadInstructions:
      return t.sharedLoadInstructions;
    // The hardware counts those of ldmatrix with those of other loads.
    case Counter::SharedLoadWavefronts:
      return t.sharedLoadWavefronts + t.matrixLoadWavefronts;
    case Counter::SharedLoadConflicts:
      return t.sharedLoadConflicts + t.matrixLoadConflicts;
    case Counter::SharedStoreInstructions:
      return t.sharedStoreInstructions;
    // And those of stmatrix with those of other stores.
    case Counter::SharedStoreWavefronts:
      return t.sharedStoreWavefronts + t.matrixStoreWavefronts;
    case Counter::SharedStoreConflicts:
      return t.sharedStoreConflicts + t.matrixStoreConflicts;
    case Counter::GlobalFetchRequests:
      return t.fetchRequests();
    case Counter::GlobalFetchSectors:
      return t.fetchSectors() - t.boxSectors;  // TMA loads use another path
    case Counter::GlobalStoreRequests:
      return t.globalStoreRequests;
    case Counter::GlobalStoreSectors:
      return t.globalStoreSectors;
    case Counter::FfmaThreadInstructions:
      return t.ffmaThreadInstructions;
    case Counter::TensorInstructions:
      return t.tensorInstructions + t.productInstructions;  // HMMA and HGMMA alike, says CUPTI
    case Counter::MatrixLoadInstructions:
      return t.matrixLoadInstructions;
    case Counter::MatrixLoadWavefronts:
      return t.matrixLoadWavefronts;
    case Counter::MatrixLoadConflicts:
      return t.matrixLoadConflicts;
    case Counter::ProductInstructions:
      return t.productInstructions;
    case Counter::ProductWavefronts:
      return t.productWavefronts;
    case Counter::ProductConflicts:
      return t.productConflicts;
    case Counter::BoxInstructions:
      return t.boxInstructions;
    case Counter::BoxBytes:
      return t.boxBytes;
    case Counter::AsyncInstructions:
      return t.asyncInstructions;
    case Counter::AsyncSectors:
      return t.asyncSectorPairs;
    case Counter::AsyncWavefronts:
      return t.asyncWavefronts;
    case Counter::AsyncConflicts:
      return t.asyncConflicts;
  }
  return std::nullopt;
}

std::string_view sentence(Reason reason) {
  switch (reason) {
    case Reason::Open:
      return "open";
    case Reason::Arbitration:
      return "arbitration between accesses: CUPTI's sum of wavefronts instruction by instruction "
             "equals the trace";
    case Reason::AmongWarps:
      return "arbitration between accesses: at most one wavefront per block for each warp but the "
             "first, and none where a block has one warp";
    case Reason::AllOff:
      return "the assembler predicates accesses instead of jumping over them: they are issued with "
             "all lanes off, and their wavefronts equal the trace's";
    case Reason::Reloaded:
      return "the compiler loads values again instead of keeping them in registers";
    case Reason::InTwoGroups:
      return "as many additional shared loads as requests to store C, with equal sectors: a warp "
             "diverges at the edge of C";
    case Reason::LooksAgain:
      return "a thread polls the flag of another cluster's partial sums: each poll is a request "
             "and a sector more, and their number depends on time";
    case Reason::PatchedOff:
      return "CUPTI counts this by patching the code, and gives sectors to copies whose lanes are "
             "all predicated off; the hardware's requests and sectors of all fetches equal the "
             "trace";
  }
  return "";
}

bool Comparison::onlyArbitration() const {
  return !differences.empty() && std::ranges::all_of(differences, [](const Difference& d) {
    return d.reason == Reason::Arbitration || d.reason == Reason::AmongWarps;
  });
}

std::vector<Comparison> compareWithTrace(std::span<const RunRecord> runs) {
  std::vector<Comparison> all;
  emulator::Workspace workspace;
  for (const RunRecord& run : runs) {
    const Stage* stage = stageOfEitherLadder(run.stage);
    if (stage == nullptr || run.counters.empty()) continue;
    emulator::TraceRequest request;
    request.subject() = {stage, run.tile, run.format};
    request.problem = run.problem;
    request.operands = false;
    if (!emulator::whyNotTraceable(request).empty()) continue;
    all.push_back(compare(run, *stage, tracedTotals(run, request, workspace)));
  }
  return all;
}

std::vector<Comparison> compareWith(std::span<const RunRecord> runs, const TotalsOf& totalsOf) {
  std::vector<Comparison> all;
  for (const RunRecord& run : runs) {
    const Stage* stage = stageOfEitherLadder(run.stage);
    if (stage == nullptr || run.counters.empty()) continue;
    const auto totals = totalsOf(run);
    if (totals) {
      all.push_back(compare(run, *stage, *totals));
      continue;
    }
    Comparison none;
    none.run = &run;
    none.whyNot = totals.error();
    all.push_back(std::move(none));
  }
  return all;
}

}  // namespace tileloom::runs
