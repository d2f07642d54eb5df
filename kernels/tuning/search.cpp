// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/search.h"
#include "kernels/tile/subject.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <utility>

#include "kernels/runs/statistics.h"

namespace tileloom::tuning {
namespace {

constexpr std::size_t kBatch = 16;
constexpr std::size_t kFirstBatch = 32;
constexpr std::size_t kLeastScreen = 48;  // below this nothing is known about the estimates' errors
constexpr std::size_t kMostScreen = 480;  // more would improve the estimate little
constexpr std::size_t kPool = 8192;       // candidates that are ranked; of more, the most promising
constexpr std::size_t kWeighed = 256;     // of these, those whose estimate is weighed by its error
// What the phases before must leave of a budget.
constexpr double kExploreBudget = 0.55, kScreenBudget = 0.65, kHalvingBudget = 0.8;
// Neighbours of the best tiles that may be screened, of the number of promising ones.
constexpr double kNearShare = 0.2;
// Standard deviations that are added to the estimate of an unmeasured tile: when the next batch is
// chosen, and, at least, before the rest is called hopeless. Chosen by replays of recorded sweeps.
constexpr double kOptimism = 2.0, kLeastDoubt = 2.5;

std::vector<double> predictionsOf(const std::vector<SearchCandidate>& candidates) {
  std::vector<double> predicted;
  for (const SearchCandidate& c : candidates)
    predicted.push_back(std::isfinite(c.predicted) ? c.predicted : 0);
  return predicted;
}

// std::shuffle is not the same everywhere, and a search must be.
std::vector<std::size_t> shuffledOrder(std::size_t count, unsigned seed) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(seed);
  for (std::size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  return order;
}

// Of several stages, the candidates that are their stage's default tile. Of one stage none: there
// the search needs no place to begin.
std::vector<std::size_t> defaultsOf(const std::vector<SearchCandidate>& candidates) {
  std::vector<std::size_t> list;
  if (std::ranges::all_of(candidates, [&](const SearchCandidate& c) {
        return c.kernel() == candidates.front().kernel();
      }))
    return list;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].tile == candidates[i].rung()->standardTile()) list.push_back(i);
  }
  return list;
}

double quantile(std::vector<double> values, double share) {
  std::ranges::sort(values);
  const auto at = static_cast<std::size_t>(share * static_cast<double>(values.size() - 1) + 0.5);
  return values[std::min(at, values.size() - 1)];
}

// A checked launch, then two per round; cuBLAS's launches take as long in total.
double launchesOf(int rounds) {
  return 2.0 * rounds + 1;
}

}  // namespace

std::vector<Subject> subjectsOf(std::span<const SearchCandidate> candidates) {
  std::vector<Subject> tiles;
  for (const SearchCandidate& c : candidates) tiles.push_back(c.subject());
  return tiles;
}

Search::Search(std::vector<SearchCandidate> candidates, const SearchOptions& options)
    : candidates_(std::move(candidates)),
      options_(options),
      states_(candidates_.size()),
      landscape_(subjectsOf(candidates_), predictionsOf(candidates_)),
      defaults_(defaultsOf(candidates_)),
      shuffled_(shuffledOrder(candidates_.size(), options.seed)),
      foretold_(candidates_.size()) {
  for (std::size_t i = 0; i < states_.size(); ++i) states_[i].measured.candidate = i;
  rank();
  plan();
}

// --- what is known ---------------------------------------------------------------------------

// Those that have a figure and reached at least this phase, best first.
std::vector<std::size_t> Search::measuredBest(SearchPhase reached) const {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < states_.size(); ++i) {
    const Measured& m = states_[i].measured;
    if (states_[i].failure.empty() && m.latest.known() && m.reached >= reached) list.push_back(i);
  }
  std::ranges::stable_sort(list, std::greater{}, [this](std::size_t i) { return valueOf(i); });
  return list;
}

double Search::expectedSeconds(const SearchJob& job) const {
  const double own = states_[job.candidate].secondsPerLaunch;
  const double usual = launches_ > 0 ? seconds_ / launches_ : 0;
  return launchesOf(job.rounds) * (own > 0 ? own : usual);
}

bool Search::affordable(const SearchJob& job) const {
  if (options_.budgetRuns > 0 && jobs_ >= static_cast<std::size_t>(options_.budgetRuns))
    return false;
  return options_.budgetSeconds <= 0 || seconds_ + expectedSeconds(job) <= options_.budgetSeconds;
}

bool Search::spentShare(double share) const {
  if (options_.budgetRuns > 0 && static_cast<double>(jobs_) >= share * options_.budgetRuns)
    return true;
  return options_.budgetSeconds > 0 && seconds_ >= share * options_.budgetSeconds;
}

std::size_t Search::exploreLimit() const {
  const std::size_t all = candidates_.size();
  if (options_.exhaustive) return all;
  const auto share = static_cast<std::size_t>(options_.screenShare * static_cast<double>(all));
  return std::min({all, std::max(share, kLeastScreen), kMostScreen});
}

std::size_t Search::screenLimit() const {
  const std::size_t promising = exploreLimit();
  const auto near = static_cast<std::size_t>(kNearShare * static_cast<double>(promising));
  return std::min(candidates_.size(), promising + near);
}

// --- what comes next -------------------------------------------------------------------------

std::optional<SearchJob> Search::next() const {
  if (queue_.empty()) return std::nullopt;
  return queue_.front();
}

void Search::stop() {
  queue_.clear();
  phase_ = SearchPhase::Ended;
}

void Search::predict(std::span<const double> gflops) {
  for (std::size_t i = 0; i < std::min(gflops.size(), candidates_.size()); ++i)
    candidates_[i].predicted = gflops[i];
  landscape_ = Landscape(subjectsOf(candidates_), predictionsOf(candidates_));
  if (phase_ != SearchPhase::Screen || options_.exhaustive) return;
  for (const SearchJob& job : queue_) {
    states_[job.candidate].asked = false;
    foretold_[job.candidate].reset();
  }
  queue_.clear();
  if (screened_ == 0) rank();
  plan();
}

void Search::feed(const SearchResult& result) {
  if (queue_.empty()) return;
  const SearchJob job = queue_.front();
  queue_.pop_front();
  ++jobs_;
  seconds_ += result.seconds;
  State& state = states_[job.candidate];
  if (!result.failure.empty() || !result.gflops.known()) {
    state.failure = result.failure.empty() ? "no figure was measured" : result.failure;
    ++failed_;
    std::erase_if(queue_, [&](const SearchJob& j) { return j.candidate == job.candidate; });
    std::erase(field_, job.candidate);
  } else {
    launches_ += launchesOf(job.rounds);
    state.secondsPerLaunch = result.seconds / launchesOf(job.rounds);
    Measured& m = state.measured;
    if (m.latest.known() && job.phase != SearchPhase::Finals)
      repeats_.push_back(std::abs(result.gflops.median / m.latest.median - 1));
    if (job.phase == SearchPhase::Screen && foretold_[job.candidate]) {
      const Estimate& e = *foretold_[job.candidate];
      surprises_.push_back((std::log(result.gflops.median) - e.mean) / e.sd);
    }
    m.latest = result.gflops;
    m.rounds = job.rounds;
    m.reached = job.phase;
    if (job.phase == SearchPhase::Finals) {
      m.turns.push_back(result.gflops.median);
      m.turnRounds += job.rounds;
    }
  }
  if (job.phase == SearchPhase::Screen) ++screened_;
  plan();
}

void Search::plan() {
  while (phase_ != SearchPhase::Ended) {
    if (!queue_.empty()) {
      if (phase_ == SearchPhase::Screen && !options_.exhaustive && spentShare(kScreenBudget))
        queue_.clear();
      else if (phase_ == SearchPhase::Halving && spentShare(kHalvingBudget))
        queue_.clear();
      else if (affordable(queue_.front()))
        return;
      else
        return stop();
    }
    switch (phase_) {
      case SearchPhase::Screen:
        planScreen();
        break;
      case SearchPhase::Halving:
        planHalving();
        break;
      case SearchPhase::Finals:
        planFinals();
        break;
      case SearchPhase::Ended:
        break;
    }
    if (phase_ == SearchPhase::Ended) queue_.clear();
  }
}

// Ranks unmeasured candidates by their expected mean, raised by its possible error.
void Search::rank() {
  std::vector<std::size_t> known;
  std::vector<double> logs;
  for (const std::size_t i : measuredBest(SearchPhase::Screen)) {
    known.push_back(i);
    logs.push_back(std::log(valueOf(i)));
  }
  landscape_.learn(known, logs);
  std::vector<std::size_t> left;
  for (const std::size_t i :
       shuffled_) {  // equal ones must not follow the order of the tile parameters
    if (!states_[i].asked) left.push_back(i);
  }
  if (left.size() > kPool) {
    std::ranges::stable_sort(left, std::greater{},
                             [&](std::size_t i) { return candidates_[i].predicted; });
    left.resize(kPool);
  }
  std::vector<double> promise(candidates_.size(), 0.0);
  for (const std::size_t i : left) promise[i] = landscape_.meanAt(i);
  std::ranges::stable_sort(left, std::greater{}, [&](std::size_t i) { return promise[i]; });
  const std::size_t weighed = known.empty() ? 0 : std::min(kWeighed, left.size());
  for (std::size_t i = 0; i < weighed; ++i)
    promise[left[i]] += kOptimism * landscape_.at(left[i]).sd;
  std::stable_sort(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(weighed),
                   [&](std::size_t a, std::size_t b) { return promise[a] > promise[b]; });
  ranked_ = std::move(left);
}

bool Search::hopeless(double best) const {
  if (surprises_.size() < kBatch) return false;
  const std::span<const double> latest =
      std::span(surprises_).last(std::min<std::size_t>(surprises_.size(), 4 * kBatch));
  const double off = std::max(kLeastDoubt, quantile({latest.begin(), latest.end()}, 0.95));
  for (std::size_t i = 0; i < std::min(kWeighed, ranked_.size()); ++i) {
    const Estimate e = landscape_.at(ranked_[i]);
    if (e.mean + off * e.sd > std::log(best)) return false;
  }
  return true;
}

// Unmeasured candidates that differ from one of the best five in one tile parameter or two, by a
// factor of two each: first those that differ in one, of these the most promising first.
std::vector<std::size_t> Search::neighbours(std::span<const std::size_t> best) const {
  constexpr std::size_t kBest = 5;
  constexpr double kOneParameter = 1.2, kTwoParameters = 1.5;  // 1 and the root of 2, and a bit
  const auto from = best.first(std::min(best.size(), kBest));
  struct Near {
    std::size_t candidate;
    bool inTwo;
    double promise;
  };
  std::vector<Near> found;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (states_[i].asked) continue;
    double distance = kTwoParameters;
    for (const std::size_t b : from) distance = std::min(distance, landscape_.distance(i, b));
    if (distance < kTwoParameters)
      found.push_back({i, distance >= kOneParameter, landscape_.meanAt(i)});
  }
  std::ranges::stable_sort(found, [](const Near& a, const Near& b) {
    return a.inTwo != b.inTwo ? b.inTwo : a.promise > b.promise;
  });
  std::vector<std::size_t> list;
  for (const Near& each : found) list.push_back(each.candidate);
  return list;
}

void Search::planScreen() {
  const std::size_t limit = screenLimit();
  const auto best = measuredBest(SearchPhase::Screen);
  if (screened_ > 0) rank();
  const std::size_t explored = exploreLimit();
  const bool over = screened_ >= explored || ranked_.empty() ||
                    (!options_.exhaustive && spentShare(kExploreBudget)) ||
                    (!options_.exhaustive && screened_ >= kLeastScreen && !best.empty() &&
                     hopeless(valueOf(best.front())));
  const int rounds = options_.exhaustive ? options_.exhaustiveRounds : options_.screenRounds;
  if (over) {
    // Those of the present best come before those that are left of earlier ones.
    const std::vector<std::size_t> earlier = std::exchange(near_, {});
    if (!options_.exhaustive && screened_ < limit && !spentShare(kScreenBudget)) {
      near_ = neighbours(best);
      for (const std::size_t i : earlier) {
        if (!states_[i].asked && std::ranges::find(near_, i) == near_.end()) near_.push_back(i);
      }
      for (const std::size_t i : near_) {
        if (queue_.size() >= std::min(kBatch, limit - screened_)) break;
        states_[i].asked = true;
        foretold_[i] = landscape_.at(i);
        queue_.push_back({i, rounds, SearchPhase::Screen});
      }
      if (!queue_.empty()) return;
    }
    phase_ = SearchPhase::Halving;
    field_ = best;
    return;
  }
  near_.clear();
  const std::size_t count = std::min(screened_ == 0 ? kFirstBatch : kBatch, explored - screened_);
  // Without any estimate, the whole first batch is drawn at random.
  const std::size_t wild = screened_ > 0           ? (count + 3) / 4
                           : landscape_.predicts() ? count / 2
                                                   : count;
  std::vector<std::size_t> batch;
  const auto take = [&](std::size_t i) {
    states_[i].asked = true;
    if (screened_ > 0) foretold_[i] = landscape_.at(i);
    batch.push_back(i);
  };
  const auto isNeighbour = [&](std::size_t i) {
    return std::ranges::any_of(batch,
                               [&](std::size_t b) { return landscape_.distance(i, b) < 1.2; });
  };
  for (const std::size_t i : defaults_) {
    if (batch.size() < count && !states_[i].asked) take(i);
  }
  for (const bool apart : {true, false}) {
    for (const std::size_t i : ranked_) {
      if (batch.size() + wild >= count) break;
      if (!states_[i].asked && !(apart && isNeighbour(i))) take(i);
    }
  }
  for (const std::size_t i : shuffled_) {
    if (batch.size() >= count) break;
    if (!states_[i].asked) take(i);
  }
  for (const std::size_t i : batch) queue_.push_back({i, rounds, SearchPhase::Screen});
}

void Search::planHalving() {
  const SearchPhase from = halvingRound_ == 0 ? SearchPhase::Screen : SearchPhase::Halving;
  std::erase_if(field_, [&](std::size_t i) { return states_[i].measured.reached < from; });
  std::ranges::stable_sort(field_, std::greater{}, [this](std::size_t i) { return valueOf(i); });
  if (!field_.empty()) {
    const double least = valueOf(field_.front()) * (1 - std::max(0.02, 5 * noise()));
    std::erase_if(field_, [&](std::size_t i) { return valueOf(i) < least; });
  }
  const auto finalists = static_cast<std::size_t>(std::max(1, options_.finalists));
  const auto eta = static_cast<std::size_t>(std::max(2, options_.eta));
  if (field_.size() <= finalists || halvingRound_ > 8 || spentShare(kHalvingBudget)) {
    if (field_.size() > finalists) field_.resize(finalists);
    phase_ = SearchPhase::Finals;
    return;
  }
  // The first round of halving takes a share of all that were screened, not of those near the best.
  const std::size_t of = halvingRound_ == 0 ? std::max(screened_, field_.size()) : field_.size();
  const std::size_t keep = std::max(finalists, (of + eta - 1) / eta);
  if (halvingRound_ > 0 && keep >= finalists && field_.size() > keep) field_.resize(keep);
  if (halvingRound_ == 0 && field_.size() > keep) field_.resize(keep);
  ++halvingRound_;
  if (halvingRound_ > 1 && field_.size() <= finalists) {
    phase_ = SearchPhase::Finals;
    return;
  }
  const int base = options_.exhaustive ? options_.exhaustiveRounds : options_.screenRounds;
  const int rounds = base << std::min(halvingRound_, 4);
  for (const std::size_t i : field_) queue_.push_back({i, rounds, SearchPhase::Halving});
}

void Search::planFinals() {
  const bool due =
      turn_ >= static_cast<int>(kTurnsToSettle) && turn_ >= judgedAt_ + std::max(1, judgedAt_ / 3);
  std::erase_if(field_, [&](std::size_t i) { return !states_[i].failure.empty(); });
  if (field_.empty()) {
    // All finalists failed: the next best candidates take their place.
    for (const std::size_t i : measuredBest(SearchPhase::Screen)) {
      if (field_.size() < static_cast<std::size_t>(std::max(1, options_.finalists)))
        field_.push_back(i);
    }
    turn_ = judgedAt_ = 0;
    if (field_.empty()) return stop();
  }
  if (due) {
    judgedAt_ = turn_;
    std::ranges::stable_sort(field_, std::greater{}, [this](std::size_t i) { return valueOf(i); });
    const runs::Interval leader = standing(field_.front()).gflops;
    std::erase_if(field_, [&](std::size_t i) {
      return i != field_.front() && standing(i).gflops.high < leader.low;
    });
    if (field_.size() == 1 && leader.spread() <= runs::kNoisySpread) return stop();
  }
  if (turn_ >= options_.mostTurns) return stop();
  ++turn_;
  for (const std::size_t i : field_)
    queue_.push_back({i, options_.finalRounds, SearchPhase::Finals});
}

std::vector<std::size_t> Search::ahead(std::size_t count) const {
  std::vector<std::size_t> list;
  if (phase_ != SearchPhase::Screen) return list;
  for (const SearchJob& job : queue_) {
    if (list.size() < count) list.push_back(job.candidate);
  }
  const std::size_t limit = screenLimit();
  std::size_t more = limit > screened_ + list.size() ? limit - screened_ - list.size() : 0;
  const auto add = [&](std::size_t i) {
    if (states_[i].asked || list.size() >= count || more == 0) return;
    if (std::ranges::find(list, i) != list.end()) return;
    list.push_back(i);
    --more;
  };
  for (const std::size_t i : defaults_) add(i);
  for (const std::size_t i : near_) add(i);
  // As in a batch: every fourth at random.
  auto random = shuffled_.begin();
  for (std::size_t i = 0; i < ranked_.size() && list.size() < count && more > 0; ++i) {
    add(ranked_[i]);
    if (i % 3 != 2) continue;
    while (random != shuffled_.end() && states_[*random].asked) ++random;
    if (random != shuffled_.end()) add(*random++);
  }
  return list;
}

// --- what is said ----------------------------------------------------------------------------

SearchProgress Search::progress() const {
  SearchProgress p;
  p.phase = phase_;
  p.jobs = jobs_;
  p.failed = failed_;
  p.seconds = seconds_;
  const auto best = verdict().standings;
  p.timed = best.size();
  if (!best.empty()) {
    p.best = best.front().candidate;
    p.bestGflops = best.front().gflops.median;
  }
  if (phase_ == SearchPhase::Ended) return p;
  const auto finalists = std::min(static_cast<double>(std::max(1, options_.finalists)),
                                  static_cast<double>(candidates_.size()));
  double jobs = static_cast<double>(queue_.size()), launches = 0;
  for (const SearchJob& job : queue_) launches += launchesOf(job.rounds);
  const auto add = [&](double more, int rounds) {
    jobs += more;
    launches += more * launchesOf(rounds);
  };
  const int base = options_.exhaustive ? options_.exhaustiveRounds : options_.screenRounds;
  double field = static_cast<double>(field_.size());
  if (phase_ == SearchPhase::Screen) {
    const double limit = static_cast<double>(screenLimit());
    add(std::max(0.0, limit - static_cast<double>(screened_ + queue_.size())), base);
    field = std::ceil(limit / options_.eta);
    add(field, 2 * base);
  }
  if (phase_ != SearchPhase::Finals) {
    for (int rounds = 4 * base; field > finalists * options_.eta; rounds *= 2) {
      field = std::ceil(field / options_.eta);
      add(field, rounds);
    }
    add(finalists * options_.mostTurns, options_.finalRounds);
  } else {
    add(field * (options_.mostTurns - turn_), options_.finalRounds);
  }
  if (options_.budgetRuns > 0)
    jobs = std::min(
        jobs, std::max(0.0, static_cast<double>(options_.budgetRuns) - static_cast<double>(jobs_)));
  p.jobsLeft = static_cast<std::size_t>(jobs);
  p.secondsLeft = launches_ > 0 ? launches * seconds_ / launches_ : 0;
  if (options_.budgetSeconds > 0)
    p.secondsLeft = std::min(p.secondsLeft, std::max(0.0, options_.budgetSeconds - seconds_));
  return p;
}

Standing Search::standing(std::size_t candidate) const {
  return standingOf(states_[candidate].measured, noise());
}

Verdict Search::verdict() const {
  std::vector<Measured> all;
  for (const std::size_t i : measuredBest(SearchPhase::Screen)) all.push_back(states_[i].measured);
  return verdictOf(all, noise());
}

}  // namespace tileloom::tuning
