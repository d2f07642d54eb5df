// SPDX-License-Identifier: GPL-3.0-or-later
// Which tile has won a search, or which tiles cannot be told apart. It is judged by intervals,
// never by a figure alone.
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

// What is known about one candidate.
struct Measured {
  std::size_t candidate = 0;
  SearchPhase reached = SearchPhase::Screen;
  runs::Interval latest;
  int rounds = 0;             // that `latest` is based on
  std::vector<double> turns;  // medians of the finals
  int turnRounds = 0;         // that they are based on
  int place = 0;              // which journal measured it: conditions differ between machines

  bool settled() const;  // enough turns for an interval of its own
  double value() const;  // the median of the turns, else `latest`
};

struct Standing {
  std::size_t candidate = 0;
  runs::Interval gflops;  // see standingOf
  int rounds = 0;         // that the figure is based on
  SearchPhase reached = SearchPhase::Screen;
};

struct Verdict {
  std::optional<std::size_t> winner;  // only if the intervals do not overlap
  std::vector<Standing> tied;         // the winner only, or all that tie; best first
  std::vector<Standing> standings;    // all that have a figure: by phase reached, then by speed
  bool noisy = false;  // the leader's interval is too wide to name it the winner (kNoisySpread)
};

// Fewer medians are not enough for a bootstrap interval.
inline constexpr std::size_t kTurnsToSettle = 7;

// The relative standard deviation of one short measurement, estimated from `repeats`, the relative
// differences between repeated measurements; 1 % if there are hardly any.
double noiseOf(std::span<const double> repeats);

// The figure with its 95 % bootstrap interval over the turns of the finals. With fewer than
// kTurnsToSettle turns it is the latest measurement, with an interval of at least two standard
// deviations of `noise` on either side.
Standing standingOf(const Measured& measured, double noise);

// The leader is tied with all candidates that reached the same phase and whose interval overlaps
// its own, and with those measured at another place that are less than kNoisySpread behind, because
// the intervals do not contain the difference between places.
Verdict verdictOf(std::span<const Measured> all, double noise);

}  // namespace tileloom::tuning
