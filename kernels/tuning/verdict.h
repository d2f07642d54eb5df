// SPDX-License-Identifier: GPL-3.0-or-later
// Who has won a search, or who cannot be told apart: by intervals, never by a figure alone.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/runs/run_record.h"

namespace tileloom::tuning {

enum class SearchPhase { Screen, Halving, Finals, Ended };
std::string_view name(SearchPhase phase);  // "screen", "halving", "finals", "ended"

// What is known of one candidate.
struct Measured {
  std::size_t candidate = 0;
  SearchPhase reached = SearchPhase::Screen;
  runs::Interval latest;
  int rounds = 0;             // behind `latest`
  std::vector<double> turns;  // medians of the finals
  int turnRounds = 0;         // behind them
  int place = 0;              // where it was measured: figures of two places share no conditions

  bool settled() const;  // enough turns for an interval of its own
  double value() const;  // the median of the turns, else of the latest
};

struct Standing {
  std::size_t candidate = 0;
  runs::Interval gflops;  // see standingOf
  int rounds = 0;         // behind that figure
  SearchPhase reached = SearchPhase::Screen;
};

struct Verdict {
  std::optional<std::size_t> winner;  // only where intervals separate
  std::vector<Standing> tied;  // the winner alone, or all that cannot be told apart; best first
  std::vector<Standing> standings;  // all that have a figure: by how far they came, then by speed
  bool noisy = false;  // the leader's interval is too wide to name it the winner (kNoisySpread)
};

// Fewer medians make no bootstrap interval.
inline constexpr std::size_t kTurnsToSettle = 7;

// Relative standard deviation of one short measurement, by how much repeated ones differed (their
// relative differences); 1 % where hardly any was repeated.
double noiseOf(std::span<const double> repeats);

// The figure with its 95 % bootstrap interval over the finals' turns; with fewer turns the latest
// measurement, two standard deviations of `noise` on either side at least.
Standing standingOf(const Measured& measured, double noise);

// The leader, and all of those that came as far whose interval overlaps its own; of another place
// also those less than kNoisySpread behind, because intervals do not know how places differ.
Verdict verdictOf(std::span<const Measured> all, double noise);

}  // namespace tileloom::tuning
