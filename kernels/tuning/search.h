// SPDX-License-Identifier: GPL-3.0-or-later
// Which tile to measure next, of one stage or of several: successive halving as a state machine
// that uses no GPU, no clock and no files. The caller asks next(), measures that tile, and feeds
// the result. The same results fed in the same order lead to the same state; that is how an
// interrupted search is continued.
//
// 1. Screen: short measurements, in batches. Three of four go to the tiles that are most promising
//    by the Landscape's estimate (its mean and standard deviation), spread so that no two tiles of
//    a batch are neighbours; the fourth goes to a tile drawn at random, so that a wrong prediction
//    is detected. Where several stages are searched, each one's own default tile comes first, so
//    that no stage is given up for lack of one good tile. This ends when no remaining tile is
//    likely to be better: the estimate of each tile, raised by the 95th percentile of how far the
//    latest measurements exceeded their own estimates (in standard deviations of the estimates, at
//    least 2.5), is below the best measured speed; or when the screen's share of the candidates or
//    of the budget is used up. Then come neighbours of the best five, whatever is expected of them:
//    first those that differ in one tile parameter, then those that differ in two, a fifth as many
//    as before at most. Among some hundred thousand tiles most of them are never the most promising
//    ones.
// 2. Halving: the best 1/eta of the screen are measured again with twice the rounds, then the best
//    1/eta of these, and so on, until no more than `finalists` are left. A tile that is farther
//    behind the best than noise explains is left out at once.
// 3. Finals: the finalists are measured in turns, A B C A B C …, so that all have the same thermal
//    conditions. After 7 turns, and again at growing distances, those whose interval lies below the
//    leader's are dropped. The leader wins when it is the only one left and its figure is not
//    noisy. After `mostTurns` the remaining ones are a tie: no winner is named while intervals
//    overlap.
//
//   Search search(candidates, {.budgetSeconds = 60});
//   while (const auto job = search.next())
//     search.feed(measured(search.candidates()[job->candidate].tile, job->rounds));
//   show(search.verdict());
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/tile/subject.h"
#include "kernels/tuning/landscape.h"
#include "kernels/tuning/verdict.h"

namespace tileloom::tuning {

// A journal must have the same number, because with another version of the search the same results
// may lead to another state.
inline constexpr int kSearchVersion = 3;

// The kernel may be left out if all candidates are of one stage.
struct SearchCandidate : Subject {
  double predicted = 0;  // GFLOP/s; 0: unknown
};

std::vector<Subject> subjectsOf(std::span<const SearchCandidate> candidates);

struct SearchOptions {
  int budgetRuns = 0;        // measurements; 0: no limit
  double budgetSeconds = 0;  // sum of SearchResult::seconds; 0: no limit
  bool exhaustive = false;   // screen every candidate, with `exhaustiveRounds`
  int exhaustiveRounds = 5;
  int screenRounds = 1;       // of kernel, cuBLAS, cuBLAS, kernel
  double screenShare = 0.16;  // of the candidates, at most; but at least 48 tiles, and at most 480;
                              // neighbours of the best are a fifth of that besides
  int eta = 4;
  int finalists = 4;
  int finalRounds = 2;  // per turn
  int mostTurns = 15;
  unsigned seed = 1;
  bool operator==(const SearchOptions&) const = default;
};

struct SearchJob {
  std::size_t candidate = 0;
  int rounds = 0;
  SearchPhase phase = SearchPhase::Screen;
  bool operator==(const SearchJob&) const = default;
};

struct SearchResult {
  runs::Interval gflops;  // unknown where it failed
  double seconds = 0;     // that the measurement took in all
  std::string failure;    // one sentence: why there is no figure; empty: there is one
};

struct SearchProgress {
  SearchPhase phase = SearchPhase::Screen;
  std::size_t jobs = 0;      // results fed so far, with failures
  std::size_t timed = 0;     // candidates with a figure
  std::size_t failed = 0;    // candidates that failed
  double seconds = 0;        // sum over the results fed so far
  std::size_t jobsLeft = 0;  // at most, by the present state
  double secondsLeft = 0;
  std::optional<std::size_t> best;
  double bestGflops = 0;
};

class Search {
 public:
  Search(std::vector<SearchCandidate> candidates, const SearchOptions& options);

  // The next measurement, the same until a result is fed. std::nullopt: the search has ended.
  std::optional<SearchJob> next() const;
  // The result of next().
  void feed(const SearchResult& result);
  // Gives the predicted GFLOP/s of each candidate; 0: unknown. It may be called at any time; the
  // tiles of the present batch that have not been measured are then chosen again.
  void predict(std::span<const double> gflops);
  // Ends the search with the results so far.
  void stop();

  // Up to `count` candidates that next() will probably return, soonest first, to be compiled ahead.
  std::vector<std::size_t> ahead(std::size_t count) const;

  SearchProgress progress() const;
  Verdict verdict() const;
  // The standing of a candidate that has a figure.
  Standing standing(std::size_t candidate) const;

  const std::vector<SearchCandidate>& candidates() const { return candidates_; }
  const SearchOptions& options() const { return options_; }
  const std::string& failureOf(std::size_t candidate) const { return states_[candidate].failure; }

 private:
  struct State {
    bool asked = false;  // measured, or in the queue
    Measured measured;
    double secondsPerLaunch = 0;
    std::string failure;
  };

  double valueOf(std::size_t candidate) const { return states_[candidate].measured.value(); }
  double noise() const { return noiseOf(repeats_); }
  double expectedSeconds(const SearchJob& job) const;
  bool affordable(const SearchJob& job) const;
  bool spentShare(double share) const;
  std::size_t exploreLimit() const;  // promising tiles that are screened at most
  std::size_t screenLimit() const;   // with the neighbours of the best
  void plan();                       // fills queue_ with what comes next
  void planScreen();
  void planHalving();
  void planFinals();
  void rank();
  bool hopeless(double best) const;
  std::vector<std::size_t> neighbours(std::span<const std::size_t> best) const;
  std::vector<std::size_t> measuredBest(SearchPhase reached) const;

  std::vector<SearchCandidate> candidates_;
  SearchOptions options_;
  std::vector<State> states_;
  Landscape landscape_;
  std::vector<std::size_t> defaults_;              // of several stages, each one's default tile
  std::vector<std::size_t> shuffled_;              // in random order, for every fourth tile
  std::vector<std::size_t> ranked_;                // those not measured, most promising first
  std::vector<std::size_t> near_;                  // neighbours of the best, while it is their turn
  std::vector<std::optional<Estimate>> foretold_;  // when it was put into a batch
  std::vector<double> surprises_;                  // (log measured - mean) / sd, in order
  std::vector<double> repeats_;                    // relative differences of repeated measurements
  std::vector<std::size_t> field_;                 // in the present halving round or the finals
  std::deque<SearchJob> queue_;
  SearchPhase phase_ = SearchPhase::Screen;
  int halvingRound_ = 0;
  int turn_ = 0, judgedAt_ = 0;
  std::size_t screened_ = 0, jobs_ = 0, failed_ = 0;
  double seconds_ = 0, launches_ = 0;
};

}  // namespace tileloom::tuning
