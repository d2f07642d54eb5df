// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/prediction/rates_fit.h"

#include <fmt/format.h>
#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>

#include "kernels/analysis/counts/loop_totals.h"
#include "kernels/emulator/each.h"
#include "kernels/machine/l2_port.h"
#include "kernels/model/prediction/kernel_shape.h"
#include "kernels/model/prediction/terms.h"
#include "kernels/runs/neighbours.h"
#include "kernels/tile/constraints.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::model {
namespace {

// The device of a run, reconstructed from the run: its SMs follow from the peak at its clock.
Chip chipOf(const runs::RunRecord& run, const Architecture& arch) {
  Chip chip = referenceChip();
  if (run.device != kReferenceDevice) {
    const double perSm = 2.0 * arch.fmasPerCycle * run.smClockMHz * 1e-3;
    const double peak = run.peakPercent > 0 ? run.gflops.median / run.peakPercent * 100 : 0;
    chip.machine.sms = static_cast<int>(std::lround(peak / perSm));
    chip.dramBytesPerSecond = 0;
  }
  chip.clockMHz = run.smClockMHz;
  return chip;
}

bool isUsable(const runs::RunRecord& run, const Stage& stage, const Architecture& arch,
              const std::string& hash) {
  return run.arch == arch.name && run.fingerprint == hash && run.gflops.known() && !run.noisy() &&
         run.spillBytes == 0 && run.smClockMHz > 0 && run.blocksPerSm > 0 &&
         isLegal(stage, run.tile, arch);
}

double measuredCycles(const runs::RunRecord& run) {
  const double flops = 2.0 * run.problem.m * run.problem.n * run.problem.k;
  return flops / (run.gflops.median * 1e9) * run.smClockMHz * 1e6;
}

Workload without(Workload work) {
  work.loopSlots.reset();
  work.turns = likelyTurns(work);
  work.codeKiB = 0;
  return work;
}

double ratio(const Case& c, const Rates& rates, bool withCode) {
  const Workload work = withCode ? c.work : without(c.work);
  return predictCycles(work, rates, c.chip) / c.cycles;
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

// A constant that the search may change.
struct Constant {
  double* value;
  double low, high;
  double step;
};

// The bounds are physical where possible: those of the SM for L2, and an instruction takes an issue
// slot, which lasts a cycle.
std::vector<Constant> commonConstants(Rates& rates) {
  return {{&rates.mixing, 1, 8, 0.1},
          {&rates.l2Bytes, 4, machine::kL2MostBytes, 4},
          {&rates.sectorCycles, 0, 2, 0.1}};
}

std::vector<Constant> constantsOf(FamilyRates& family) {
  return {{&family.slot, 1, 4, 0.1}, {&family.chain, 0, 3, 0.1}, {&family.fetch, 0, 3000, 50},
          {&family.dot, 0, 100, 5},  {&family.turn, 0, 200, 10}, {&family.barrier, 0, 200, 10},
          {&family.store, 0, 45, 5}, {&family.code, 0, 25, 1},   {&family.hidden, 0, 1, 0.05},
          {&family.sums, 0, 500, 10}};
}

// Two cases with neighbouring tiles: they differ in one tile parameter.
struct NextTo {
  const Case* one = nullptr;
  const Case* other = nullptr;
};

// What a fit is judged by: some cases, and the pairs of neighbouring ones among them.
struct Sample {
  std::vector<const Case*> cases;
  std::vector<NextTo> pairs;
  std::vector<const Witness*> witnesses;
};

Sample sampleOf(std::vector<const Case*> cases) {
  std::vector<const runs::RunRecord*> runs;
  for (const Case* c : cases) runs.push_back(c->run);
  Sample sample;
  for (const runs::Neighbours& pair : runs::neighbours(runs))
    sample.pairs.push_back({cases[pair.one], cases[pair.other]});
  sample.cases = std::move(cases);
  return sample;
}

Sample ofFamily(const Sample& sample, std::size_t family) {
  const auto fits = [&](const Case* c) {
    return static_cast<std::size_t>(c->work.family) == family;
  };
  Sample mine;
  std::ranges::copy_if(sample.cases, std::back_inserter(mine.cases), fits);
  std::ranges::copy_if(sample.pairs, std::back_inserter(mine.pairs),
                       [&](const NextTo& pair) { return fits(pair.one); });
  std::ranges::copy_if(sample.witnesses, std::back_inserter(mine.witnesses), [&](const Witness* w) {
    return static_cast<std::size_t>(w->work.family) == family;
  });
  return mine;
}

// Quadratic near zero, absolute far from it, so that a few runs that the model cannot explain do
// not distort it.
double penalty(double error, double near) {
  return std::sqrt(1 + error * error / (near * near)) - 1;
}

// Of the predicted shares of the time from the counted ones. If K tiles overlap, there is little
// waiting, and times alone hardly show what it is: the shares weigh more there.
double disagreement(std::span<const Witness* const> witnesses, const Rates& rates) {
  constexpr double kNear = 0.03;
  constexpr double kWeight = 0.02;
  constexpr double kWeightOfOverlap = 0.1;
  if (witnesses.empty()) return 0;
  double sum = 0;
  for (const Witness* w : witnesses) {
    const TimeShares predicted = sharesOf(*w, rates);
    const bool overlapping = overlaps(w->work.family);
    for (std::size_t i = 0; i < kTimeGroups; ++i)
      sum += (overlapping ? kWeightOfOverlap : kWeight) *
             penalty(predicted.values[i] - w->counted.values[i], kNear);
  }
  return sum / static_cast<double>(witnesses.size());
}

// Of the logarithms of the times, and twice of their differences between neighbouring tiles: a
// prediction is mostly used to find the faster of two such tiles.
double loss(const Sample& sample, const Rates& rates, bool withCode) {
  constexpr double kNear = 0.05;
  constexpr double kNearOfPairs = 0.03;
  constexpr double kWeightOfPairs = 2;
  const auto error = [&](const Case* c) { return std::log(ratio(*c, rates, withCode)); };
  double cases = 0, pairs = 0;
  for (const Case* c : sample.cases) cases += penalty(error(c), kNear);
  for (const NextTo& pair : sample.pairs)
    pairs += penalty(error(pair.one) - error(pair.other), kNearOfPairs);
  if (!sample.pairs.empty()) pairs *= kWeightOfPairs / static_cast<double>(sample.pairs.size());
  return cases / static_cast<double>(sample.cases.size()) + pairs +
         disagreement(sample.witnesses, rates);
}

void search(std::vector<Constant> constants, int most, const std::function<double()>& loss) {
  struct Task {
    std::vector<Constant>& constants;
    const std::function<double()>& loss;
  } task{constants, loss};
  const auto count = static_cast<unsigned>(constants.size());
  std::vector<double> x, low, high, step;
  for (const Constant& k : constants) {
    x.push_back(std::clamp(*k.value, k.low, k.high));
    low.push_back(k.low);
    high.push_back(k.high);
    step.push_back(k.step);
  }
  const nlopt_func evaluate = [](unsigned n, const double* at, double*, void* data) {
    auto& t = *static_cast<Task*>(data);
    for (unsigned i = 0; i < n; ++i) *t.constants[i].value = at[i];
    return t.loss();
  };
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> opt(nlopt_create(NLOPT_LN_SBPLX, count),
                                                              nlopt_destroy);
  nlopt_set_lower_bounds(opt.get(), low.data());
  nlopt_set_upper_bounds(opt.get(), high.data());
  nlopt_set_initial_step(opt.get(), step.data());
  nlopt_set_min_objective(opt.get(), evaluate, &task);
  nlopt_set_ftol_rel(opt.get(), 1e-5);
  nlopt_set_maxeval(opt.get(), most);
  double least = 0;
  nlopt_optimize(opt.get(), x.data(), &least);
  for (unsigned i = 0; i < count; ++i) *constants[i].value = x[i];
}

constexpr int kForFamily = 2500;  // tries

// The constants of a family do not depend on those of another family, so each is searched for
// separately, alternately with the constants that all share. One search for all at once does not
// converge.
void searchAll(Rates& rates, const Sample& sample, bool withCode) {
  constexpr int kRounds = 4, kForAll = 300;
  for (int round = 0; round < kRounds; ++round) {
    for (std::size_t i = 0; i < kFamilies; ++i) {
      const Sample mine = ofFamily(sample, i);
      if (mine.cases.empty()) continue;
      search(constantsOf(rates.families[i]), kForFamily,
             [&] { return loss(mine, rates, withCode); });
    }
    search(commonConstants(rates), kForAll, [&] { return loss(sample, rates, withCode); });
  }
}

std::string dayOf(std::span<const Case* const> cases) {
  std::string latest;
  for (const Case* c : cases) latest = std::max(latest, c->run->when);
  return latest.substr(0, latest.find('T'));
}

// Cases in groups: for the fit and held out, and those of each with known machine code.
struct Parts {
  std::vector<const Case*> all, known, coded, held, heldCoded;
};

Parts partsOf(std::span<const Case> cases) {
  Parts parts;
  for (const Case& c : cases) {
    parts.all.push_back(&c);
    (c.heldOut ? parts.held : parts.known).push_back(&c);
    if (c.work.loopSlots) (c.heldOut ? parts.heldCoded : parts.coded).push_back(&c);
  }
  return parts;
}

Band bandOf(std::span<const Case* const> cases, const Rates& rates, bool withCode) {
  std::vector<double> ratios;
  for (const Case* c : cases) ratios.push_back(1 / ratio(*c, rates, withCode));
  if (ratios.empty()) return {};
  return {std::min(1.0, quantile(ratios, 0.1)), std::max(1.0, quantile(ratios, 0.9))};
}

}  // namespace

bool isHeldOut(const Stage& stage, const TileShape& tile) {
  std::uint32_t hash = 2166136261u;  // FNV-1a: the same halves on every machine
  for (const char c : fmt::format("{} {}", stage.id, tileText(stage, tile))) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 16777619u;
  }
  return ((hash >> 16) & 1) != 0;
}

Rates startingRates(std::string_view arch) {
  Rates rates;
  rates.arch = arch;
  rates.mixing = 1.2;
  rates.l2Bytes = 20;
  rates.sectorCycles = 0.3;
  rates.slotsPerAccess = 2;
  for (FamilyRates& family : rates.families) family = {1.2, 0.5, 200, 5, 10, 10, 10, 1, 0};
  return rates;
}

std::vector<Case> casesOf(std::span<const runs::RunRecord> runs, std::string_view archName) {
  const auto arch = architectureNamed(archName);
  if (!arch) return {};
  std::map<std::string_view, std::string> hashes;
  for (const Stage& stage : stages()) hashes[stage.id] = fingerprintOf(stage);
  std::vector<Case> cases;
  std::map<std::pair<const Stage*, std::string>, std::vector<std::size_t>> byTile;
  for (const runs::RunRecord& run : runs) {
    const auto stage = stageWithId(run.stage);
    if (stage == nullptr || !isUsable(run, *stage, *arch, hashes[stage->id])) continue;
    byTile[{stage, tileText(*stage, run.tile)}].push_back(cases.size());
    cases.push_back(
        {&run, stage, {}, chipOf(run, *arch), measuredCycles(run), isHeldOut(*stage, run.tile)});
  }
  std::vector<std::span<const std::size_t>> tiles;
  for (const auto& [key, which] : byTile) tiles.emplace_back(which);
  emulator::forEachAtOnce(tiles.size(), [&](emulator::Workspace& workspace, std::size_t i) {
    const Case& first = cases[tiles[i].front()];
    const auto loop = analysis::traceLoop(workspace, usualSubject(*first.stage, first.run->tile),
                                          first.run->problem);
    for (const std::size_t at : tiles[i]) {
      Case& c = cases[at];
      c.work = workloadOf(*c.stage, c.run->tile, c.run->problem, loop.totals, loop.kTiles,
                          shapeOf(*c.stage, *c.run), c.chip.machine);
    }
  });
  return cases;
}

TimeShares sharesOf(const Witness& w, const Rates& rates) {
  const double slots = double(w.chip.machine.sms) * w.work.blocksPerSm;
  const double full = std::floor(static_cast<double>(w.work.blocks) / slots);
  const double rest = static_cast<double>(w.work.blocks) - full * slots;
  TimeShares shares;
  double all = 0;
  const auto add = [&](double waves, double blocks) {
    const Terms terms = termsOf(w.work, rates, w.chip, blocks);
    const double cycles = waves * cyclesOf(terms, rates);
    const TimeShares here = predictedShares(terms, rates);
    for (std::size_t i = 0; i < kTimeGroups; ++i) shares.values[i] += cycles * here.values[i];
    all += cycles;
  };
  if (full > 0) add(full, w.work.blocksPerSm);
  const WaveDivision cut = cutOf(w.work, slots);
  if (cut.cut > 0) {
    const auto among = static_cast<double>(cut.shares);
    add(rest / among, std::ceil(among / w.chip.machine.sms));
  } else if (rest > 0) {
    add(1, std::ceil(rest / w.chip.machine.sms));
  }
  for (double& share : shares.values) share /= all;
  return shares;
}

std::vector<Witness> witnessesOf(std::span<const runs::RunRecord> runs, std::string_view archName) {
  constexpr double kMostCycles = 0.6;  // in which instructions are issued
  const auto arch = architectureNamed(archName);
  if (!arch) return {};
  std::vector<Witness> witnesses;
  emulator::Workspace workspace;
  for (const runs::RunRecord& run : runs) {
    const Stage* stage = stageWithId(run.stage);
    const auto counted = countedShares(run.counters);
    if (stage == nullptr || !counted || (*counted)[TimeGroup::Issue] < kMostCycles) continue;
    if (!isUsable(run, *stage, *arch, fingerprintOf(*stage))) continue;
    const Chip chip = chipOf(run, *arch);
    const analysis::LoopTotals loop =
        analysis::traceLoop(workspace, {stage, run.tile, run.format}, run.problem);
    witnesses.push_back({workloadOf(*stage, run.tile, run.problem, loop.totals, loop.kTiles,
                                    shapeOf(*stage, run), chip.machine),
                         chip, *counted});
  }
  return witnesses;
}

double misplacedShare(std::span<const Witness> witnesses, const Rates& rates) {
  double sum = 0;
  for (const Witness& w : witnesses) {
    const TimeShares predicted = sharesOf(w, rates);
    for (std::size_t i = 0; i < kTimeGroups; ++i)
      sum += std::abs(predicted.values[i] - w.counted.values[i]) / 2;
  }
  return witnesses.empty() ? 0 : sum / static_cast<double>(witnesses.size());
}

Rates fit(std::span<const Case> cases, const Rates& start, std::span<const Witness> witnesses) {
  const Parts parts = partsOf(cases);
  Rates rates = start;
  if (parts.known.empty()) return rates;
  rates.device = parts.known.front()->run->device;
  rates.chip = parts.known.front()->chip;
  rates.fitted = fmt::format("{} of {} runs, the latest of {}", parts.known.size(), cases.size(),
                             dayOf(parts.all));
  // Cases with machine code first; the constants that replace it are fitted to the same values.
  const Sample all = sampleOf(parts.known);
  if (parts.coded.empty()) {
    searchAll(rates, all, false);
  } else {
    Sample sample = sampleOf(parts.coded);
    for (const Witness& w : witnesses) {
      if (w.work.loopSlots) sample.witnesses.push_back(&w);
    }
    searchAll(rates, sample, true);
  }
  constexpr int kForOne = 300;
  search({{&rates.slotsPerAccess, 0.2, 10, 0.3}}, kForOne, [&] { return loss(all, rates, false); });
  rates.withCode = bandOf(parts.heldCoded, rates, true);
  rates.withoutCode = bandOf(parts.held, rates, false);
  return rates;
}

Rates refit(std::span<const Case> cases, const Rates& start, std::span<const Stage* const> of) {
  const Parts parts = partsOf(cases);
  std::vector<const Case*> mine;
  std::ranges::copy_if(parts.coded, std::back_inserter(mine), [&](const Case* c) {
    return std::ranges::any_of(
        of, [&](const Stage* stage) { return familyOf(*stage) == c->work.family; });
  });
  Rates rates = start;
  if (mine.empty()) return rates;
  const Sample sample = sampleOf(mine);
  for (std::size_t i = 0; i < kFamilies; ++i) {
    const Sample here = ofFamily(sample, i);
    if (here.cases.empty()) continue;
    search(constantsOf(rates.families[i]), kForFamily, [&] { return loss(here, rates, true); });
  }
  std::string names;
  for (const Stage* stage : of) names += fmt::format("{}{}", names.empty() ? "" : ", ", stage->id);
  // An earlier fit of the same rungs no longer counts.
  const std::string those = fmt::format("; of {} ", names);
  if (const std::size_t earlier = rates.fitted.find(those); earlier != std::string::npos) {
    const std::size_t end = std::min(rates.fitted.find(';', earlier + 1), rates.fitted.size());
    rates.fitted.erase(earlier, end - earlier);
  }
  rates.fitted += fmt::format("{}{} runs, the latest of {}", those, mine.size(), dayOf(mine));
  rates.withCode = bandOf(parts.heldCoded, rates, true);
  rates.withoutCode = bandOf(parts.held, rates, false);
  return rates;
}

Errors errorsOf(std::span<const Case> cases, const Rates& rates, bool withCode) {
  std::vector<double> errors, ratios;
  for (const Case& c : cases) {
    ratios.push_back(ratio(c, rates, withCode) - 1);
    errors.push_back(std::abs(ratios.back()));
  }
  return {cases.size(), quantile(errors, 0.5), quantile(errors, 0.9), quantile(ratios, 0.5)};
}

Ranking rankingOf(std::span<const Case> cases, const Rates& rates, bool withCode) {
  if (cases.empty()) return {};
  struct Row {
    double predicted, measured;
  };
  std::vector<Row> rows;
  for (const Case& c : cases) rows.push_back({ratio(c, rates, withCode) * c.cycles, c.cycles});
  std::ranges::stable_sort(rows, {}, &Row::predicted);
  const auto best = std::ranges::min_element(rows, {}, &Row::measured);
  constexpr std::size_t kTop = 10;
  const auto top = std::ranges::min_element(
      rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min(kTop, rows.size())), {},
      &Row::measured);
  return {rows.size(), static_cast<std::size_t>(best - rows.begin()),
          best->measured / top->measured};
}

}  // namespace tileloom::model
