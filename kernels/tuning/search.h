// SPDX-License-Identifier: GPL-3.0-or-later
// Which tile to measure next: successive halving as a state machine that knows no GPU, no clock and
// no files. Whoever drives it asks next(), measures that, and feeds what came out; the same results
// fed in the same order lead to the same state, which is how an interrupted search goes on.
//
// 1. Screen: short measurements, in batches. Three of four go to the tiles that promise most by the
//    Landscape's estimate (its mean and what it may be off), spread so that no two of a batch are
//    neighbours; the fourth to a tile drawn at random, so that a wrong prediction is found out. The
//    screen ends when nothing left is likely to be better: the estimate of each, raised by the 95th
//    percentile of how far the latest measurements exceeded their own estimates (in the estimates'
//    standard deviations; at least 2.5 of them), stays below the best measured, and the neighbours
//    of the best five have been measured. It ends at the latest when its share of the candidates or
//    of the budget is spent.
// 2. Halving: the best 1/eta of the screen once more, with twice the rounds; the best 1/eta of
//    these; … until no more than `finalists` are left. A tile farther behind the best than noise
//    explains is left out at once.
// 3. Finals: the finalists in turns, A B C A B C …, so that all share one thermal state. After 7
//    turns and then ever more, those whose interval lies below the leader's are dropped; the leader
//    wins when it is the only one left and its figure is not noisy. After `mostTurns` the rest are
//    a tie: no winner is named while intervals overlap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/tuning/landscape.h"
#include "kernels/tuning/verdict.h"

namespace tileloom::tuning {

// Part of what a journal must agree on: with another number the same results may lead elsewhere.
inline constexpr int kSearchVersion = 2;

struct SearchCandidate {
  TileShape tile;
  double predicted = 0;  // GFLOP/s; 0: nobody knows
};

std::vector<TileShape> tilesOf(std::span<const SearchCandidate> candidates);

struct SearchOptions {
  int budgetRuns = 0;        // measurements; 0: no limit
  double budgetSeconds = 0;  // of measuring, as fed; 0: no limit
  bool exhaustive = false;   // screen every candidate, with `exhaustiveRounds`
  int exhaustiveRounds = 5;
  int screenRounds = 1;  // of A B B A
  double screenShare =
      0.16;  // of the candidates, at most; but 48 in any case, and no more than 480
  int eta = 4;
  int finalists = 4;
  int finalRounds = 2;  // a turn
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
  double seconds = 0;     // that the measurement took, all in all
  std::string failure;    // why there is no figure: one sentence; empty: there is one
};

struct SearchProgress {
  SearchPhase phase = SearchPhase::Screen;
  std::size_t jobs = 0;      // fed so far, failures among them
  std::size_t timed = 0;     // candidates with a figure
  std::size_t failed = 0;    // candidates without
  double seconds = 0;        // fed so far
  std::size_t jobsLeft = 0;  // at most, as it looks now
  double secondsLeft = 0;
  std::optional<std::size_t> best;
  double bestGflops = 0;
};

class Search {
 public:
  Search(std::vector<SearchCandidate> candidates, const SearchOptions& options);

  // The next measurement; nothing when the search has ended. The same until a result is fed.
  std::optional<SearchJob> next() const;
  // The result of next().
  void feed(const SearchResult& result);
  // What is expected of the candidates, in GFLOP/s, one each; 0: nobody knows. It may come at any
  // time: what waits in the present batch is chosen again.
  void predict(std::span<const double> gflops);
  // Ends it: what is known is all that will be.
  void stop();

  // Up to `count` candidates that next() will probably ask for, soonest first: to compile ahead.
  std::vector<std::size_t> ahead(std::size_t count) const;

  SearchProgress progress() const;
  Verdict verdict() const;
  // Of a candidate that has a figure.
  Standing standing(std::size_t candidate) const;

  const std::vector<SearchCandidate>& candidates() const { return candidates_; }
  const SearchOptions& options() const { return options_; }
  const std::string& failureOf(std::size_t candidate) const { return states_[candidate].failure; }

 private:
  struct State {
    bool asked = false;  // measured or about to be
    Measured measured;
    double secondsPerLaunch = 0;
    std::string failure;
  };

  double valueOf(std::size_t candidate) const { return states_[candidate].measured.value(); }
  double noise() const { return noiseOf(repeats_); }
  double expectedSeconds(const SearchJob& job) const;
  bool affordable(const SearchJob& job) const;
  bool spentShare(double share) const;
  std::size_t screenLimit() const;
  void plan();  // fills queue_ with what comes next
  void planScreen();
  void planHalving();
  void planFinals();
  void rank();
  bool hopeless(double best) const;
  std::vector<std::size_t> neighbours(std::span<const std::size_t> best, std::size_t most) const;
  std::vector<std::size_t> measuredBest(SearchPhase reached) const;

  std::vector<SearchCandidate> candidates_;
  SearchOptions options_;
  std::vector<State> states_;
  Landscape landscape_;
  std::vector<std::size_t> shuffled_;              // candidates in random order: the wild quarter
  std::vector<std::size_t> ranked_;                // unmeasured ones by promise
  std::vector<std::optional<Estimate>> foretold_;  // when a candidate was put into a batch
  std::vector<double> surprises_;                  // (log measured - mean) / sd, in order
  std::vector<double> repeats_;                    // relative differences of repeated measurements
  std::vector<std::size_t> field_;                 // whom the present rung or the finals measure
  std::deque<SearchJob> queue_;
  SearchPhase phase_ = SearchPhase::Screen;
  int rung_ = 0;
  int turn_ = 0, judgedAt_ = 0;
  std::size_t screened_ = 0, jobs_ = 0, failed_ = 0;
  double seconds_ = 0, launches_ = 0;
};

}  // namespace tileloom::tuning
