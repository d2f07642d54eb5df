// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/why/why.h"

#include <algorithm>
#include <cmath>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/tile/subject.h"

namespace tileloom::model {
namespace {

const runs::Counters* countersOf(const runs::RunRecord* run) {
  return run != nullptr && !run->counters.empty() ? &run->counters : nullptr;
}

// By less than this part of a cost, no neighbour is said to change it.
constexpr double kNoticed = 0.05;

// The neighbour that reduces the cost most, among those that were not measured to be slower if
// there are any; if none reduces it, the one that adds most.
std::optional<std::size_t> strongest(const std::vector<NextTile>& neighbours, Cost cost,
                                     double cycles) {
  const auto change = [&](const NextTile& next) {
    const double its = next.changes[cost];
    return std::abs(its) < kNoticed * cycles ? 0.0 : its;
  };
  const auto hopeful = [&](const NextTile& next) {
    return next.runRatio && next.runRatio->speed < 1 ? 0.0 : change(next);
  };
  const auto best = std::ranges::min_element(neighbours, {}, hopeful);
  const auto least = std::ranges::min_element(neighbours, {}, change);
  const auto most = std::ranges::max_element(neighbours, {}, change);
  if (least == neighbours.end()) return std::nullopt;
  if (hopeful(*best) < 0) return best - neighbours.begin();
  if (change(*least) < 0) return least - neighbours.begin();
  if (change(*most) > 0) return most - neighbours.begin();
  return std::nullopt;
}

bool isCounted(const CountedParts& counted, Pipe pipe) {
  return (pipe == Pipe::L2 && counted.has(Cost::L2)) ||
         (pipe == Pipe::Dram && counted.has(Cost::Dram)) ||
         (pipe == Pipe::Shared && counted.has(Cost::Wavefronts));
}

// Of the time: storing and adding the partial sums of split tiles.
double sumsShareOf(const TileCosts& costs, const Rates& rates) {
  Rates without = rates;
  for (FamilyRates& family : without.families) family.sums = 0;
  const double all = predictCycles(costs.work, rates, rates.chip);
  return all > 0 ? 1 - predictCycles(costs.work, without, rates.chip) / all : 0;
}

// Speeds on one device, both without noise.
std::optional<runs::RunRatio> quietRatio(const runs::RunRecord* here,
                                         const runs::RunRecord* there) {
  if (here == nullptr || there == nullptr || here->device != there->device) return std::nullopt;
  if (here->noisy() || there->noisy()) return std::nullopt;
  return runs::speedRatio(here, there);
}

RankedCost ranked(const TileCosts& costs, Cost cost, const std::vector<Figure>& figures,
                  const TileCosts* predicted, const std::vector<Figure>& predictedFigures) {
  RankedCost r;
  r.cost = cost;
  r.cycles = costs.cycles[cost];
  r.share = costs.share(cost);
  if (pipeOf(cost)) {
    r.busyCycles = costs.busy[cost];
    r.busyShare = costs.busyShare(cost);
  }
  if (predicted != nullptr && costs.counted.has(cost)) {
    r.source = Source::Counted;
    r.predictedShare = predicted->share(cost);
  }
  for (const FigureId id : figuresBehind(cost)) {
    const auto figure = find(figures, id);
    if (!figure) continue;
    r.figures.push_back(*figure);
    if (figure->source != Source::Counted) continue;
    if (const auto other = find(predictedFigures, id)) r.predictedFigures.push_back(*other);
  }
  return r;
}

}  // namespace

std::optional<WhySlow> explainSpeed(emulator::Workspace& workspace, const Subject& subject,
                                    const Problem& problem, const Architecture& arch,
                                    const Rates& rates, const Known& known) {
  const auto facts = known.facts(subject.tile);
  if (!facts) return std::nullopt;
  CostLines lines;
  analysis::LoopTotals loop;
  {
    const emulator::Trace trace = analysis::traceOneTile(workspace, subject, problem);
    lines = costLines(trace);
    loop = analysis::loopTotals(trace);
  }
  const TileCosts predicted = costsOf(subject, problem, loop.totals, loop.kTiles, *facts, rates);
  const auto* counters = countersOf(known.run);
  const TileCosts costs = counters == nullptr ? predicted
                                              : costsOf(subject, problem, loop.totals, loop.kTiles,
                                                        *facts, rates, counters);

  WhySlow why;
  why.subject() = subject;
  why.problem = problem;
  why.device = rates.device;
  why.prediction = predicted.prediction;
  why.limit = limitOf(predicted, rates);
  if (const LimitKind kind = largestGroup(costs); kind != why.limit.kind) why.countedLimit = kind;
  why.facts = *facts;
  if (known.run != nullptr) why.run = *known.run;
  why.counted = costs.counted.any();
  if (counters != nullptr) why.stalls = stallsOf(*counters);
  why.figures = figuresOf(costs, arch);
  for (std::size_t i = 0; i < kPipes; ++i) {
    why.busy[i] = costs.busyShare(static_cast<Pipe>(i));
    why.busyCounted[i] = isCounted(costs.counted, static_cast<Pipe>(i));
  }
  why.l2Bytes = rates.l2Bytes;
  why.sumsShare = sumsShareOf(costs, rates);
  why.neighbours = nextTiles(workspace, predicted, arch, rates, known.facts);
  for (NextTile& next : why.neighbours) {
    if (known.neighbourRun)
      next.runRatio =
          quietRatio(known.run, known.neighbourRun(subject.tile.with(next.parameter, next.value)));
  }
  const auto predictedFigures = figuresOf(predicted, arch);
  for (std::size_t i = 0; i < kCosts; ++i) {
    constexpr double kLeast = 0.001;
    const auto cost = static_cast<Cost>(i);
    const bool spills = cost == Cost::Spills && facts->spillBytes > 0;
    if (costs.share(cost) < kLeast && !spills) continue;
    RankedCost r =
        ranked(costs, cost, why.figures, why.counted ? &predicted : nullptr, predictedFigures);
    r.line = lines[cost];
    r.neighbour = strongest(why.neighbours, cost, costs.cycles[cost]);
    why.costs.push_back(std::move(r));
  }
  std::ranges::stable_sort(why.costs, std::greater{}, &RankedCost::share);
  return why;
}

std::optional<WhyMoved> explainMove(emulator::Workspace& workspace, const Subject& from,
                                    const Subject& to, const Problem& problem,
                                    const Architecture& arch, const Rates& rates,
                                    const FactsOf& facts, const runs::RunRecord* fromRun,
                                    const runs::RunRecord* toRun) {
  const auto fromFacts = facts(from.tile);
  const auto toFacts = facts(to.tile);
  if (!fromFacts || !toFacts) return std::nullopt;
  // Counted and predicted figures are not compared with each other.
  const bool counted = countersOf(fromRun) != nullptr && countersOf(toRun) != nullptr;
  CostLines lines;
  const auto costs = [&](const Subject& tile, const KernelFacts& known,
                         const runs::RunRecord* run) {
    const emulator::Trace trace = analysis::traceOneTile(workspace, tile, problem);
    lines = costLines(trace);
    const analysis::LoopTotals loop = analysis::loopTotals(trace);
    return costsOf(tile, problem, loop.totals, loop.kTiles, known, rates,
                   counted ? countersOf(run) : nullptr);
  };
  const TileCosts before = costs(from, *fromFacts, fromRun);
  const TileCosts after = costs(to, *toFacts, toRun);

  WhyMoved why;
  why.from = from;
  why.to = to;
  why.problem = problem;
  why.move = moveBetween(before, after, rates);
  if (why.move.hasCause())
    why.figures = changedFigures(figuresOf(before, arch), figuresOf(after, arch), why.move.cause);
  why.runRatio = runs::speedRatio(fromRun, toRun);
  if (why.move.hasCause()) why.line = lines[why.move.cause];
  if (before.counted.has(why.move.cause) && after.counted.has(why.move.cause))
    why.source = Source::Counted;
  return why;
}

}  // namespace tileloom::model
