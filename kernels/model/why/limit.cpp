// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/limit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "kernels/analysis/counts/loop_cost.h"
#include "kernels/analysis/counts/totals.h"
#include "kernels/model/limits/roofline.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/tile/derived.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/whole_tiles.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

using Parts = std::array<double, kLimitKinds>;

double& part(Parts& parts, LimitKind kind) {
  return parts[static_cast<std::size_t>(kind)];
}

LimitKind largest(const Parts& parts) {
  return static_cast<LimitKind>(std::ranges::max_element(parts) - parts.begin());
}

LimitKind kindFor(Cost cost) {
  switch (kindOf(cost)) {
    case CostKind::Issue:
      return LimitKind::Issue;
    case CostKind::DataPipe:
      return LimitKind::DataPipe;
    case CostKind::Memory:
      return cost == Cost::L2 ? LimitKind::L2 : LimitKind::Dram;
    case CostKind::Waves:
      return cost == Cost::TailWave ? LimitKind::TailWave : LimitKind::Padding;
    case CostKind::Waiting:
    case CostKind::Spills:  // the prediction has no cycles for them
      break;
  }
  return LimitKind::Latency;
}

LimitKind kindFor(Unit unit) {
  switch (unit) {
    case Unit::TensorCores:
      return LimitKind::TensorCores;
    case Unit::SharedMemory:
      return LimitKind::DataPipe;
    case Unit::IssueSlots:
      return LimitKind::Issue;
    case Unit::MmaSync:
      return LimitKind::MmaSync;
    case Unit::L2:
      return LimitKind::L2;
  }
  return LimitKind::TensorCores;
}

// Whether each SM has its own, so that the lower bounds of a K tile show it.
bool isUnit(LimitKind kind) {
  return kind != LimitKind::TailWave && kind != LimitKind::Padding && kind != LimitKind::Dram;
}

Parts partsOf(const TileCosts& costs) {
  Parts parts{};
  for (std::size_t i = 0; i < kCosts; ++i)
    part(parts, kindFor(static_cast<Cost>(i))) += std::max(0.0, costs.cycles.values[i]);
  return parts;
}

// The average stores of a tile relative to those of the first one: tiles at the edges of C store
// less.
double storedShare(const LimitQuestion& q) {
  const Problem run = paddedProblem(*q.subject.rung(), q.subject.tile, q.problem);
  const Extent grid = launchOf(*q.subject.rung(), q.subject.tile, run).grid;
  const auto all = static_cast<double>(
      analysis::resultsOf(*q.subject.rung(), q.subject.tile, run, std::nullopt));
  const auto first = static_cast<double>(
      analysis::resultsOf(*q.subject.rung(), q.subject.tile, run, Extent{0, 0}));
  return all / (first * grid.x * grid.y);
}

// Of a rung without a prediction, in seconds.
std::optional<Limit> leastLimit(const LimitQuestion& q) {
  if (q.ceilings == nullptr || q.ceilings->arch != q.arch.name || q.ceilings->sms <= 0)
    return std::nullopt;
  const Ceilings& c = *q.ceilings;
  const double clock = tensorClockMHz(c) * 1e6;
  const Floors floors =
      floorsOf(*q.subject.rung(), q.subject.tile, q.loop.totals, q.loop.kTiles, q.arch, q.ceilings);
  const auto tensor = std::ranges::find(floors.all, Unit::TensorCores, &Floor::unit);
  if (clock <= 0 || tensor == floors.all.end() || !c.dramGBs.known()) return std::nullopt;
  // Of one tile of C: its K tiles, and the stores of C.
  const double kTiles =
      static_cast<double>(wholeTiles(*q.subject.rung(), q.subject.tile, q.problem).k) /
      std::max(1, derive(*q.subject.rung(), q.subject.tile).stepK);
  const double shareStored = storedShare(q);
  const auto productsOf = [&](const Floor& floor) { return floor.cycles() * kTiles; };
  const auto storesOf = [&](const Floor& floor) {
    return storeCycles(floor.unit, q.loop.after) * shareStored;
  };
  const Floor& most = *std::ranges::max_element(
      floors.all, {}, [&](const Floor& floor) { return productsOf(floor) + storesOf(floor); });
  Machine machine;
  machine.sms = c.sms;
  if (c.l2CacheBytes > 0) machine.l2CacheBytes = c.l2CacheBytes;
  const int blocksPerSm = estimatedBlocksPerSm(*q.subject.rung(), q.subject.tile, q.arch);
  const Workload work = workloadOf(*q.subject.rung(), q.subject.tile, q.problem, q.loop.totals,
                                   q.loop.kTiles, {blocksPerSm, std::nullopt}, machine);

  Limit limit;
  limit.places = placesOf(*q.subject.rung(), q.subject.tile, q.problem, blocksPerSm, c.sms);
  // What the launch moves at least. The rest is an estimate, which must not enter a lower bound.
  limit.dramBytes = work.dramLeast * static_cast<double>(work.blocks) * work.kTiles;
  limit.dramSeconds = limit.dramBytes / (c.dramGBs.median * 1e9);
  limit.coldL2 = mayStandInL2(*q.subject.rung(), q.problem, machine);
  limit.productSeconds = work.flops / (2 * q.arch.tensorPerCycle * c.sms * clock);
  const double ofProducts = productsOf(most) / clock, ofStores = storesOf(most) / clock;
  const double busiest = (ofProducts + ofStores) * limit.places.busiest;
  const double average = (ofProducts + ofStores) * limit.places.average;
  const double useful = (ofProducts * limit.places.useful + ofStores) * limit.places.average;
  limit.seconds = std::max(busiest, limit.dramSeconds);
  limit.usefulSeconds = useful;

  Parts parts{};
  // The larger lower bound is the time of the launch, and only its parts can be the limit.
  const bool ofDram = limit.dramSeconds >= busiest;
  const LimitKind needed = ofDram ? LimitKind::Dram : kindFor(most.unit);
  const double first = ofDram ? limit.dramSeconds : useful;
  part(parts, needed) = first;
  if (!ofDram) {
    part(parts, LimitKind::Padding) = std::max(0.0, average - useful);
    part(parts, LimitKind::TailWave) = std::max(0.0, busiest - average);
  }
  limit.kind = largest(parts);
  // Padding and SMs without work both follow from the division of C into tiles.
  if (limit.kind == needed && limit.seconds > 2 * first) {
    part(parts, needed) = 0;
    limit.kind = largest(parts);
  }
  limit.share = part(parts, limit.kind) / limit.seconds;
  limit.tensorShare = tensor->cycles() * kTiles / clock * limit.places.average / limit.seconds;
  return limit;
}

constexpr double kSome = 0.1;  // a smaller share is not worth a sentence

std::string workText(const LaunchPlaces& p) {
  if (p.smsWithWork < p.sms)
    return fmt::format("{} of {} SMs {} work", p.smsWithWork, p.sms,
                       p.smsWithWork == 1 ? "has" : "have");
  return fmt::format("the busiest SM computes {:.3g} tiles of C, an SM on average {:.3g}",
                     p.busiest, p.average);
}

// "17 of 128 rows of its tiles hold elements of C"; empty: all do.
std::string paddingText(const LaunchPlaces& p) {
  std::string text;
  if (p.rows < p.rowsOfTiles) text = fmt::format("{} of {} rows", p.rows, p.rowsOfTiles);
  if (p.columns < p.columnsOfTiles)
    text +=
        fmt::format("{}{} of {} columns", text.empty() ? "" : " and ", p.columns, p.columnsOfTiles);
  return text.empty() ? text : text + " of its tiles hold elements of C";
}

std::string reasonOf(const Limit& limit) {
  const LaunchPlaces& p = limit.places;
  switch (limit.kind) {
    case LimitKind::TailWave:
      return workText(p);
    case LimitKind::Padding: {
      const std::string text = paddingText(p);
      return text.empty() ? fmt::format("{} of its multiply-adds compute elements of C",
                                        percentText(p.useful))
                          : text;
    }
    case LimitKind::Dram:
      return fmt::format("{} take {}, and the multiply-adds without padding on all SMs {}",
                         bytesText(limit.dramBytes), timeText(limit.dramSeconds),
                         timeText(limit.productSeconds));
    default:
      return {};
  }
}

}  // namespace

std::string timeText(double seconds) {
  if (seconds < 1e-9) return fmt::format("{:.3g} ps", 1e12 * seconds);
  if (seconds < 1e-6) return fmt::format("{:.3g} ns", 1e9 * seconds);
  return seconds < 1e-3 ? fmt::format("{:.3g} µs", 1e6 * seconds)
                        : fmt::format("{:.3g} ms", 1e3 * seconds);
}

std::string bytesText(double bytes) {
  if (bytes < 1e3) return fmt::format("{:.3g} bytes", bytes);
  if (bytes < 1e6) return fmt::format("{:.3g} kB", bytes / 1e3);
  return bytes < 1e9 ? fmt::format("{:.3g} MB", bytes / 1e6)
                     : fmt::format("{:.3g} GB", bytes / 1e9);
}

std::string_view name(LimitKind kind) {
  switch (kind) {
    case LimitKind::Issue:
      return name(Pipe::Issue);
    case LimitKind::DataPipe:
      return name(Pipe::Shared);
    case LimitKind::L2:
      return name(Pipe::L2);
    case LimitKind::Dram:
      return name(Pipe::Dram);
    case LimitKind::Latency:
      return "exposed latency";
    case LimitKind::TensorCores:
      return name(Unit::TensorCores);
    case LimitKind::MmaSync:
      return name(Unit::MmaSync);
    case LimitKind::TailWave:
      return name(Cost::TailWave);
    case LimitKind::Padding:
      return name(Cost::Padding);
  }
  return "";
}

std::string_view key(LimitKind kind) {
  switch (kind) {
    case LimitKind::Issue:
      return key(Unit::IssueSlots);
    case LimitKind::DataPipe:
      return key(Unit::SharedMemory);
    case LimitKind::L2:
      return key(Unit::L2);
    case LimitKind::Dram:
      return key(Cost::Dram);
    case LimitKind::Latency:
      return "latency";
    case LimitKind::TensorCores:
      return key(Unit::TensorCores);
    case LimitKind::MmaSync:
      return key(Unit::MmaSync);
    case LimitKind::TailWave:
      return key(Cost::TailWave);
    case LimitKind::Padding:
      return key(Cost::Padding);
  }
  return "";
}

LimitKind largestGroup(const TileCosts& costs) {
  return largest(partsOf(costs));
}

Limit limitOf(const TileCosts& predicted, const Rates& rates) {
  const Workload& work = predicted.work;
  const double clock = rates.chip.clockMHz * 1e6;
  Parts parts = partsOf(predicted);
  Limit limit;
  limit.predicted = true;
  limit.kind = largest(parts);
  const double all = std::accumulate(parts.begin(), parts.end(), 0.0);
  limit.share = all > 0 ? part(parts, limit.kind) / all : 0;
  limit.seconds = predicted.prediction.milliseconds * 1e-3;
  limit.places = placesOf(*predicted.rung(), predicted.tile, predicted.problem, work.blocksPerSm,
                          rates.chip.machine.sms);
  limit.dramBytes = work.dramBytes * static_cast<double>(work.blocks) * work.kTiles;
  if (rates.chip.dramBytesPerSecond > 0)
    limit.dramSeconds = limit.dramBytes / rates.chip.dramBytesPerSecond;
  limit.coldL2 = mayStandInL2(*predicted.rung(), predicted.problem, rates.chip.machine);
  constexpr double kLanes = 32, kFlops = 2;  // a multiply-add of a scheduler's warp each cycle
  limit.productSeconds =
      work.flops / (kFlops * kLanes * Architecture::kPartitions * rates.chip.machine.sms * clock);
  return limit;
}

std::optional<Limit> limitOf(const LimitQuestion& q) {
  if (!isPredicted(*q.subject.rung())) return leastLimit(q);
  if (q.facts == nullptr || q.rates == nullptr || q.facts->shape.blocksPerSm < 1)
    return std::nullopt;
  KernelFacts facts = *q.facts;
  // As `why` has them, which divides the same time further.
  if (!facts.banks) facts.banks = analysis::recordedLoopCost(q.subject, q.arch.name);
  return limitOf(costsOf(q.subject, q.problem, q.loop.totals, q.loop.kTiles, facts, *q.rates),
                 *q.rates);
}

std::string shortText(const Limit& limit) {
  return fmt::format("{}, {} of the {}", name(limit.kind), percentText(limit.share),
                     limit.predicted ? "time" : "lower bound");
}

std::string sentence(const Limit& limit) {
  const bool article = limit.kind == LimitKind::TensorCores || limit.kind == LimitKind::DataPipe;
  const bool ofDram = limit.kind == LimitKind::Dram;
  std::string text = fmt::format(
      "The limit is {}{}, {} of the {}", article ? "the " : "", name(limit.kind),
      percentText(limit.share),
      limit.predicted
          ? fmt::format("predicted {}", timeText(limit.seconds))
          : fmt::format("launch's lower bound of {}{}{}", timeText(limit.seconds),
                        ofDram && limit.coldL2 ? " " : "", ofDram && limit.coldL2 ? kColdL2 : ""));
  if (const std::string reason = reasonOf(limit); !reason.empty()) text += ": " + reason;
  text += '.';
  constexpr double kApart = 0.05;
  if (ofDram && limit.dramSeconds > (limit.share + kApart) * limit.seconds)
    text += " Costs that overlap, as this one does here, share the time.";
  if (ofDram && limit.coldL2)
    text +=
        fmt::format("{} A repeated launch may find some of A, B and C in L2, and leave C there.",
                    limit.predicted ? fmt::format(" That is {}.", kColdL2) : "");
  const LaunchPlaces& p = limit.places;
  constexpr double kMuch = 0.9;
  if (limit.kind != LimitKind::TailWave && (p.smsWithWork < p.sms || p.average < kMuch * p.busiest))
    text += fmt::format(" {} of C: {}.", counted(p.tiles, "tile"), workText(p));
  if (const std::string padding = paddingText(p);
      limit.kind != LimitKind::Padding && p.useful < kMuch && !padding.empty())
    text += fmt::format(" {}.", padding);
  if (!limit.predicted && limit.kind != LimitKind::Dram &&
      limit.dramSeconds > std::max(limit.usefulSeconds, kSome * limit.seconds))
    text += fmt::format(" With work for all SMs its lower bound is {}: DRAM moves {}.",
                        timeText(limit.dramSeconds), bytesText(limit.dramBytes));
  return text;
}

std::string sentence(const Floors& floors, const std::optional<Limit>& limit) {
  if (!limit) return sentence(floors);
  const std::string verdict = sentence(*limit);
  // For the tensor cores themselves the sentence would be pointless.
  return isUnit(limit->kind) && limit->kind != LimitKind::TensorCores
             ? verdict + " " + sentence(floors)
             : verdict;
}

}  // namespace tileloom::model
