// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/fidelity.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "kernels/analysis/coalescing.h"
#include "kernels/analysis/totals.h"
#include "kernels/device/pieces_of.h"
#include "kernels/runs/counters.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/knobs.h"
#include "kernels/tile/last_wave.h"
#include "kernels/tile/source_hash.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

constexpr std::uint32_t kSeed = 2026;
constexpr auto kRich = std::to_array<int>(
    {1, 2, 3, 4, 6, 8, 9, 12, 16, 18, 24, 27, 32, 36, 48, 54, 64, 72, 96, 108, 128, 192, 256});

// Standard distributions differ between libraries; the remainder of the generator's number does
// not.
int anyValue(const KnobSpec& spec, std::mt19937& random) {
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

// Warp instructions that ask for K tiles beyond the end: a ring is filled STAGES - 1 tiles ahead,
// and where the compiler makes no branch of that condition they are issued without any lane.
std::uint64_t copiesPastTheEnd(const RunRecord& run, const Stage& stage) {
  if (!stage.is(Trait::PanelRing)) return 0;
  const Derived d = derive(stage, run.tile);
  const Extent grid = launchOf(stage, run.tile, paddedProblem(stage, run.tile, run.problem)).grid;
  return static_cast<std::uint64_t>(d.loadsA + d.loadsB) * static_cast<std::uint64_t>(d.warps) *
         static_cast<std::uint64_t>(d.buffers - 1) * static_cast<std::uint64_t>(grid.x) *
         static_cast<std::uint64_t>(grid.y);
}

// CUPTI counts instructions by patching the code, and gives those that no lane executes sectors and
// wavefronts that the hardware's own counters of all fetches do not see.
bool onlyPastTheEnd(const RunRecord& run, const Stage& stage, const analysis::Totals& totals) {
  const auto equals = [&](Counter counter, std::uint64_t count) {
    const auto counted = run.counters[counter];
    return counted && *counted == static_cast<double>(count);
  };
  return equals(Counter::AsyncInstructions,
                totals.asyncInstructions + copiesPastTheEnd(run, stage)) &&
         equals(Counter::GlobalFetchRequests, totals.fetchRequests()) &&
         equals(Counter::GlobalFetchSectors, totals.fetchSectors());
}

std::uint64_t warpsOf(const RunRecord& run, const Stage& stage) {
  const Extent grid = launchOf(stage, run.tile, paddedProblem(stage, run.tile, run.problem)).grid;
  return static_cast<std::uint64_t>(grid.x) * static_cast<std::uint64_t>(grid.y) *
         static_cast<std::uint64_t>(derive(stage, run.tile).warps);
}

// Where tiles may be cut along K, each warp asks twice for a sector of the table of parts: which
// one is its own, and with how many others it adds the sums up. A request and a sector count alike.
std::uint64_t lookupsOf(const RunRecord& run, const Stage& stage) {
  return looksUpParts(stage, run.tile) ? 2 * warpsOf(run, stage) : 0;
}

// The source's last turn jumps over the stores and copies for the next K tile. A rewritten loop has
// no jumps: it issues them with a guard that no lane passes, and they are counted as instructions,
// those of one K tile for each warp. CUPTI gives such copies sectors and wavefronts, too, which the
// hardware's own counters of all fetches do not see.
bool guardedTurn(const RunRecord& run, const Stage& stage, Counter counter, std::uint64_t traced) {
  const int step = derive(stage, run.tile).stepK;
  const auto counted = run.counters[counter];
  if (!run.rewritten || !counted || step <= 0) return false;
  const int k = paddedProblem(stage, run.tile, run.problem).k;
  const auto turns = static_cast<std::uint64_t>((k + step - 1) / step);
  return turns > 0 && traced % turns == 0 &&
         *counted == static_cast<double>(traced + traced / turns);
}

bool onlyGuardedCopies(const RunRecord& run, const Stage& stage, const analysis::Totals& totals) {
  const std::uint64_t lookups = lookupsOf(run, stage);
  const auto equals = [&](Counter counter, std::uint64_t count) {
    const auto counted = run.counters[counter];
    return counted && *counted == static_cast<double>(count);
  };
  return guardedTurn(run, stage, Counter::AsyncInstructions, totals.asyncInstructions) &&
         equals(Counter::GlobalFetchRequests, totals.fetchRequests() + lookups) &&
         equals(Counter::GlobalFetchSectors, totals.fetchSectors() + lookups);
}

// The assembler likes to set a register to a constant by HFMA2.MMA, which the counter of tensor
// instructions counts: so many for each warp, outside of the main loop.
bool onlyMadeConstants(const RunRecord& run, const Stage& stage, const Difference& d) {
  constexpr std::uint64_t kMost = 64;  // instructions per warp
  const std::uint64_t warps = warpsOf(run, stage);
  return d.counter == Counter::TensorInstructions && !stage.is(Trait::TensorCore) && d.trace == 0 &&
         warps > 0 && d.hardware % warps == 0 && d.hardware / warps <= kMost;
}

// At the edge of C, a warp whose lanes part at a condition passes what stands behind it once per
// group of lanes: as many loads from shared memory more as stores of C, and not a sector more.
bool inTwoGroups(const RunRecord& run, const analysis::Totals& totals) {
  const auto loads = run.counters[Counter::SharedLoadInstructions];
  const auto stores = run.counters[Counter::GlobalStoreRequests];
  const auto sectors = run.counters[Counter::GlobalStoreSectors];
  if (!loads || !stores || !sectors) return false;
  const double more = *stores - static_cast<double>(totals.globalStoreRequests);
  return more > 0 && *loads - static_cast<double>(totals.sharedLoadInstructions) == more &&
         *sectors == static_cast<double>(totals.globalStoreSectors);
}

// Sectors that the blocks of a GPU with `sms` SMs store for each other, where tiles are cut along
// K: sums, and for each warpgroup a flag that goes up and down, or for each tile one that goes
// down.
std::uint64_t leftSectors(const RunRecord& run, const Stage& stage, int sms) {
  const Problem padded = paddedProblem(stage, run.tile, run.problem);
  const auto u = [](int v) { return static_cast<unsigned>(v); };
  if (looksUpParts(stage, run.tile)) {
    const LastWave wave = lastWaveOf(stage, run.tile, padded, sms);
    const std::uint64_t sums = std::uint64_t{u(run.tile[Knob::BM])} * u(run.tile[Knob::BN]);
    return wave.places * sums * 4 / analysis::kSectorBytes + wave.flags;
  }
  if (!stage.is(Trait::Split)) return 0;
  const int cluster = clusterOf(stage, run.tile);
  const int clusters = residentLaunch(stage, run.tile, padded, sms).grid.x / cluster;
  std::uint64_t sectors = 0;
  for (int c = 0; c < clusters; ++c) {
    const pieces all = piecesOf(stage, run.tile, padded, c, sms);
    for (piece at = all.at(0); at.first < at.end; at = all.at(at.number + 1)) {
      if (at.first == 0) continue;
      const std::uint64_t sums = std::uint64_t{u(run.tile[Knob::BM])} * u(run.tile[Knob::BN]);
      sectors +=
          u(cluster) * (sums * 4 / analysis::kSectorBytes + 2 * u(run.tile[Knob::CONSUMERS]));
    }
  }
  return sectors;
}

// The trace shows whole tiles, and a GPU of 132 SMs cuts those of a last wave.
bool onlyLeftSums(const RunRecord& run, const Stage& stage, const analysis::Totals& totals) {
  const auto sectors = run.counters[Counter::GlobalStoreSectors];
  const std::uint64_t left = leftSectors(run, stage, kUsualSms);
  return left > 0 && sectors && *sectors == static_cast<double>(totals.globalStoreSectors + left);
}

// Whether boxes of B that name the blocks they go to have rows of 32 bytes, rows that begin amid 64
// bytes, or rows beyond the edge of B. In all other launches the bytes counted are those traced.
bool boxesAreCountedLarger(const RunRecord& run, const Stage& stage) {
  if (!stage.is(Trait::Clusters)) return false;
  constexpr int kElement = 2, kWhole = 64;  // bytes
  constexpr int kMapColumns = 8;            // a row of a tensor map is a multiple of 16 bytes
  const auto above = [](int value, int step) { return (value + step - 1) / step * step; };
  const int n = above(run.problem.n, kMapColumns), k = above(run.problem.k, kMapColumns);
  const int deep = run.tile[Knob::BK] * (stage.is(Trait::Split) ? run.tile[Knob::STAGES] : 1);
  return run.tile[Knob::SWIZZLE] < kWhole || n * kElement % kWhole != 0 ||
         n % run.tile[Knob::BN] != 0 || k % deep != 0;
}

Reason reasonOf(const RunRecord& run, const Stage& stage, const Difference& d,
                const analysis::Totals& totals) {
  const bool ofCopies =
      d.counter == Counter::AsyncInstructions || d.counter == Counter::AsyncSectors ||
      d.counter == Counter::AsyncWavefronts || d.counter == Counter::AsyncConflicts;
  if (ofCopies && onlyPastTheEnd(run, stage, totals)) return Reason::PastTheEnd;
  if ((ofCopies && onlyGuardedCopies(run, stage, totals)) ||
      (d.counter == Counter::SharedStoreInstructions &&
       guardedTurn(run, stage, d.counter, d.trace)))
    return Reason::GuardedTurn;
  if (onlyMadeConstants(run, stage, d)) return Reason::MadeConstants;
  if ((d.counter == Counter::GlobalFetchRequests || d.counter == Counter::GlobalFetchSectors) &&
      lookupsOf(run, stage) > 0 && d.hardware == d.trace + lookupsOf(run, stage))
    return Reason::PartLookup;
  if (d.hardware > d.trace && aloneAsTraced(run, d.counter, totals)) return Reason::Arbitration;
  const bool ofSums =
      d.counter == Counter::GlobalFetchRequests || d.counter == Counter::GlobalFetchSectors ||
      d.counter == Counter::GlobalStoreRequests || d.counter == Counter::GlobalStoreSectors;
  if (ofSums && onlyLeftSums(run, stage, totals)) return Reason::LeftSums;
  const auto loads = run.counters[Counter::SharedLoadInstructions];
  const bool ofLoads =
      d.counter == Counter::SharedLoadInstructions || d.counter == Counter::SharedLoadWavefronts ||
      d.counter == Counter::SharedLoadConflicts || d.counter == Counter::SharedLoadWavefrontsAlone;
  if ((ofLoads || d.counter == Counter::GlobalStoreRequests) && inTwoGroups(run, totals))
    return Reason::InTwoGroups;
  if (ofLoads && loads && *loads > static_cast<double>(totals.sharedLoadInstructions))
    return Reason::Reloaded;
  if (d.counter == Counter::BoxBytes && d.hardware > d.trace && d.hardware <= 2 * d.trace &&
      boxesAreCountedLarger(run, stage))
    return Reason::SharedBoxes;
  return Reason::Open;
}

Comparison compare(const RunRecord& run, const Stage& stage, emulator::Workspace& workspace) {
  emulator::TraceRequest request;
  request.stage = &stage;
  request.tile = run.tile;
  request.problem = run.problem;
  request.operands = false;
  const analysis::Totals totals = analysis::gridTotals(workspace, request);
  Comparison result;
  result.run = &run;
  result.stale = run.sourceHash != sourceHash(stage);
  for (const Counter counter : exactCounters()) {
    const auto hardware = run.counters[counter];
    const auto trace = predicted(totals, counter);
    if (!hardware || !trace) continue;
    ++result.compared;
    Difference d{counter, static_cast<std::uint64_t>(std::llround(*hardware)), *trace};
    if (d.hardware == d.trace) continue;
    d.reason = reasonOf(run, stage, d, totals);
    result.differences.push_back(d);
  }
  return result;
}

}  // namespace

std::vector<TileShape> fidelityTiles(const Stage& stage, std::size_t count,
                                     const Architecture& arch) {
  constexpr int kMostTries = 4000;
  std::mt19937 random(kSeed + static_cast<std::uint32_t>(stage.rung));
  std::vector<TileShape> tiles = {stage.standardTile()};
  for (int tries = 0; tries < kMostTries && tiles.size() < count + 1; ++tries) {
    TileShape tile = stage.standardTile();
    for (const KnobSpec& spec : stage.knobs) tile[spec.knob] = anyValue(spec, random);
    const auto legal = nearestTile(stage, tile, std::nullopt, arch);
    if (!legal || std::ranges::find(tiles, *legal) != tiles.end()) continue;
    // A block of few threads or a huge one tells no more, and takes long to trace.
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
  if (!stage.is(Trait::PaddedProblem)) {
    many.m -= d.blockM / 3;
    many.n -= d.blockN / 3;
    many.k -= std::min(3, step - 1);
  }
  return {one, many};
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
    // CUPTI adds these up by a model of its own, which knows nothing of pairs of lanes that are
    // served at once: evidence where it agrees, no verdict where it does not.
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
      return t.fetchSectors() - t.boxSectors;  // the copy engine goes another way
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
      return t.asyncSectors;
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
    case Reason::Reloaded:
      return "the compiler loads values again instead of keeping them in registers";
    case Reason::InTwoGroups:
      return "as many loads from shared memory more as requests to store C, with equal sectors: "
             "lanes of a warp part at the edge of C and come by one after the other";
    case Reason::LeftSums:
      return "tiles of the last wave are cut along K, which the trace does not show: the sectors "
             "stored are those of the sums that clusters leave for each other, and the loads more "
             "fetch these and look for flags";
    case Reason::PastTheEnd:
      return "copies beyond the end of K, which no lane executes, are counted here; requests and "
             "sectors of all fetches equal the trace";
    case Reason::GuardedTurn:
      return "a rewritten loop has guards in place of jumps: what its last turn leaves out for "
             "want of a next K tile is counted as instructions, those of one K tile, and no lane "
             "executes them";
    case Reason::PartLookup:
      return "each warp fetches two sectors of the table that says which part of a tile is its "
             "own, which the trace does not show";
    case Reason::MadeConstants:
      return "the assembler sets registers to constants by HFMA2.MMA, which this counter counts, a "
             "whole number per warp; no tensor core multiplies";
    case Reason::SharedBoxes:
      return "rule 71 of hardware.md, seen and not understood: boxes that name the blocks they go "
             "to "
             "are counted with more bytes than they have where their rows are 32 bytes, begin amid "
             "64 "
             "bytes, or lie beyond the edge of B";
  }
  return "";
}

bool Comparison::onlyArbitration() const {
  return !differences.empty() && std::ranges::all_of(differences, [](const Difference& d) {
    return d.reason == Reason::Arbitration;
  });
}

std::vector<Comparison> compareWithTrace(std::span<const RunRecord> runs) {
  std::vector<Comparison> all;
  emulator::Workspace workspace;
  for (const RunRecord& run : runs) {
    const Stage* stage = stageOfEitherLadder(run.stage);
    if (stage == nullptr || run.counters.empty()) continue;
    emulator::TraceRequest request;
    request.stage = stage;
    request.tile = run.tile;
    request.problem = run.problem;
    if (!emulator::whyNotTraceable(request).empty()) continue;
    all.push_back(compare(run, *stage, workspace));
  }
  return all;
}

}  // namespace tileloom::runs
