// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/traffic.h"

#include <algorithm>
#include <cmath>

#include "kernels/analysis/counts/occupancy.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/analysis/memory/coalescing.h"
#include "kernels/analysis/memory/wavefronts.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/placement.h"

namespace tileloom::model {
namespace {

constexpr double kWavefrontBytes =
    4.0 * analysis::kBanks;  // that the data pipe moves, requested or not

// Fitted to the recorded counters, see the header. L2 evicts data that was last used this share of
// its size ago (each half of the H100's cache keeps its own copy, and it does not strictly evict
// the oldest); data that is used again earlier is mostly found. The exponent says how sharp that
// is.
constexpr double kKept = 0.32;
constexpr double kSharpness = 4;
// The distance between in step and out of step, on the scale of ratios.
constexpr double kDrift = 0.6;

// Of strips that are used again after `between` bytes passed through the cache, the share that is
// evicted.
double gone(double between, double cacheBytes) {
  if (cacheBytes <= 0) return 1;
  return 1 - std::exp(-std::pow(between / (kKept * cacheBytes), kSharpness));
}

double d(std::int64_t v) {
  return static_cast<double>(v);
}

struct Range {
  double least = 0;
  double most = 0;
};

struct Order {
  std::int64_t across = 0;
  std::int64_t down = 0;
  std::int64_t group = 1;
  double fastBytes = 0;  // of the strip that blocks with one x share
  double slowBytes = 0;
};

// Bytes of A and B that come from DRAM.
Range inputs(const Order& order, std::int64_t atOnce, const Machine& machine) {
  const std::int64_t blocks = order.across * order.down;
  const double everything = d(order.across) * order.fastBytes + d(order.down) * order.slowBytes;
  double fast = 0, slow = 0, footprint = 0;
  std::int64_t waves = 0;
  for (std::int64_t at = 0; at < blocks; at += atOnce, ++waves) {
    const Strips strips =
        stripsOf(order.across, order.down, order.group, at, std::min(blocks, at + atOnce));
    fast += d(strips.fast) * order.fastBytes;
    slow += d(strips.slow) * order.slowBytes;
    footprint =
        std::max(footprint, d(strips.fast) * order.fastBytes + d(strips.slow) * order.slowBytes);
  }
  // From wave to wave: a wave's data is already there if a whole wave's strips fit.
  const double lost = gone(footprint / 2, machine.l2CacheBytes);
  Range range;
  range.least = everything + lost * (fast + slow - everything);
  range.most = range.least;
  if (waves < 2) return range;
  // Out of step: blocks with one x are a row of groups apart in the order of launch (those of one
  // group come at once), blocks with one y a group apart; this much passes through L2 in between.
  const double fetchedFast = d(blocks) / d(std::min(order.group, order.down)) * order.fastBytes;
  const double fetchedSlow = d(blocks) * order.slowBytes;
  const double perBlock = footprint / d(std::min(atOnce, blocks));
  const double goneFast =
      gone(perBlock * d(order.across * std::min(order.group, order.down)), machine.l2CacheBytes);
  const double goneSlow = gone(perBlock * d(order.group), machine.l2CacheBytes);
  range.most += goneFast * std::max(0.0, fetchedFast - fast);
  range.most += goneSlow * std::max(0.0, fetchedSlow - slow);
  return range;
}

// The number of times that C passes through memory: beta is 0 on the tensor ladder, whose kernels
// only write it.
double passesOfC(const Stage& stage) {
  return stage.ladder == Ladder::Tensor ? 1 : 2;
}

}  // namespace

Strips stripsOf(std::int64_t across, std::int64_t down, std::int64_t group, std::int64_t begin,
                std::int64_t end) {
  const std::int64_t inGroup = across * group;
  // The part of one group that [from, to) covers, both counted from the group's first block.
  struct Part {
    std::int64_t first, last, rows;
  };
  const auto part = [&](std::int64_t index, std::int64_t from, std::int64_t to) {
    const std::int64_t rows = std::min(group, down - index * group);
    return Part{from / rows, (to - 1) / rows, std::min(rows, to - from)};
  };
  const std::int64_t firstGroup = begin / inGroup, lastGroup = (end - 1) / inGroup;
  if (firstGroup == lastGroup) {
    const Part only = part(firstGroup, begin - firstGroup * inGroup, end - firstGroup * inGroup);
    return {only.last - only.first + 1, only.rows};
  }
  const std::int64_t rowsOfFirst = std::min(group, down - firstGroup * group);
  const Part head = part(firstGroup, begin - firstGroup * inGroup, rowsOfFirst * across);
  const Part tail = part(lastGroup, 0, end - lastGroup * inGroup);
  const std::int64_t between = lastGroup - firstGroup - 1;
  const std::int64_t covered = (across - head.first) + (tail.last + 1);
  return {between > 0 ? across : std::min(across, covered),
          head.rows + between * group + tail.rows};
}

double Traffic::bytes(MemoryLevel level) const {
  switch (level) {
    case MemoryLevel::Dram:
      return countedDram.value_or(dramBytes);
    case MemoryLevel::L2:
      return l2Bytes;
    case MemoryLevel::Shared:
      return sharedBytes + l1Bytes;
  }
  return 0;
}

std::optional<double> Traffic::intensity(MemoryLevel level) const {
  const double moved = bytes(level);
  if (moved <= 0) return std::nullopt;
  return flops / moved;
}

int estimatedBlocksPerSm(const Stage& stage, const TileShape& tile, const Architecture& arch) {
  const Derived d = derive(stage, tile);
  return std::max(
      1,
      analysis::occupancy(arch, {d.threads, expectedRegisters(stage, tile), d.sharedBytes}).blocks);
}

double conflictShare(const analysis::Totals& totals) {
  const auto all = static_cast<double>(totals.sharedWavefronts());
  const auto added = static_cast<double>(totals.sharedConflicts());
  return all > 0 ? added / all : 0;
}

double leastBytesOf(const Stage& stage, const Problem& problem) {
  const double m = problem.m, n = problem.n, k = problem.k;
  return rowOf(stage.usualFormat()).bytesOf(m * k + k * n + passesOfC(stage) * m * n);
}

bool mayStandInL2(const Stage& stage, const Problem& problem, const Machine& machine) {
  const double m = problem.m, n = problem.n, k = problem.k;
  constexpr double kLarger = 3;
  return rowOf(stage.usualFormat()).bytesOf(m * k + k * n + m * n) <=
         kLarger * machine.l2CacheBytes;
}

Traffic traffic(const Stage& stage, const TileShape& tile, const Problem& problem,
                const analysis::Totals& grid, int blocksPerSm, const Machine& machine) {
  const Problem run = paddedProblem(stage, tile, problem);
  const Extent blocks = launchOf(stage, tile, run).grid;
  const auto [rows, columns] = blocksOver(stage, blocks);
  const double m = problem.m, n = problem.n, k = problem.k;

  const double element = rowOf(stage.usualFormat()).bytesOf(1.0);
  const double passes = passesOfC(stage), reads = passes - 1;

  Traffic t;
  t.warpgroups = stage.features().warpgroupMma;
  t.ladder = stage.ladder;
  t.flops = 2 * m * n * k;
  t.leastBytes = leastBytesOf(stage, problem);
  t.mayStandInL2 = mayStandInL2(stage, problem, machine);
  const double results = d(static_cast<std::int64_t>(grid.results));
  t.sharedBytes = kWavefrontBytes * analysis::servedWavefronts(grid, stage);
  if (stage.features().sharedTiles) {
    // Fetched data other than C goes to shared memory, once.
    t.sharedAskedBytes =
        element * (static_cast<double>(grid.sharedLoadFloats + grid.matrixLoadElements) +
                   std::max(0.0, static_cast<double>(grid.fetchFloats()) - reads * results));
  }
  const double stored = analysis::kSectorBytes * static_cast<double>(grid.storedSectors());
  t.l1Bytes =
      kWavefrontBytes * static_cast<double>(grid.globalLoadWavefronts + grid.globalStoreWavefronts);

  // Each block's strips and its part of C once; edge blocks have smaller ones.
  const double distinct =
      element * (d(columns) * run.m * run.k + d(rows) * run.k * run.n + reads * results);
  const double copied =
      analysis::kSectorBytes * static_cast<double>(grid.asyncSectors + grid.boxSectors);
  const double pastL1 = analysis::kSectorBytes * static_cast<double>(grid.globalLoadSectorsPastL1);
  const double loaded =
      analysis::kSectorBytes * static_cast<double>(grid.globalLoadSectors) - pastL1;
  t.l2Bytes = copied + std::min(loaded, std::max(distinct - copied, element * reads * results)) +
              pastL1 + stored;

  Order order;
  order.across = blocks.x;
  order.down = blocks.y;
  if (stage.has(Parameter::GROUP)) order.group = std::clamp(tile[Parameter::GROUP], 1, blocks.y);
  // On average: tiles at an edge, and those of a cluster beyond it, have fewer rows and columns.
  const double stripA = element * run.m * run.k / d(rows);
  const double stripB = element * run.n * run.k / d(columns);
  order.fastBytes = stage.rowsAlongX ? stripA : stripB;
  order.slowBytes = stage.rowsAlongX ? stripB : stripA;
  const std::int64_t atOnce = std::int64_t{machine.sms} * std::max(1, blocksPerSm);
  const std::int64_t all = std::int64_t{blocks.x} * blocks.y;
  t.waves = (all + atOnce - 1) / atOnce;
  const Range range = inputs(order, atOnce, machine);
  const double c = passes * element * d(run.m) * d(run.n);
  t.dramLeast = c + range.least;
  t.dramMost = c + range.most;
  t.dramBytes = std::pow(t.dramLeast, 1 - kDrift) * std::pow(t.dramMost, kDrift);
  return t;
}

}  // namespace tileloom::model
