// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/tuning/tune_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace tileloom::tuning {

tl::expected<TuneSummary, std::string> summaryOf(std::span<const TuneLog> logs,
                                                 std::span<const std::string> names) {
  if (logs.empty()) return tl::unexpected(std::string("name at least one file of a tuning run"));
  TuneSummary sum;
  sum.header = logs[0].header;
  sum.ended = true;
  Funnel& funnel = sum.funnel;
  funnel.generated = sum.header.generated;
  funnel.legal = sum.header.legal;
  std::vector<Measured> measured;
  std::vector<double> repeats;
  for (std::size_t place = 0; place < logs.size(); ++place) {
    const TuneLog& log = logs[place];
    if (const std::string why = whyNotTogether(log.header, sum.header); !why.empty()) {
      return tl::unexpected(fmt::format("\"{}\" {}, as \"{}\" is: leave one of them out",
                                        names[place], why, names[0]));
    }
    if (const auto twice = std::ranges::find(sum.shards, log.header.shard);
        twice != sum.shards.end()) {
      return tl::unexpected(fmt::format(
          "\"{}\" has shard {}/{}, which another file has already: leave one of them out",
          names[place], log.header.shard, log.header.shards));
    }
    sum.shards.push_back(log.header.shard);
    funnel.candidates += log.header.candidates;
    std::map<std::size_t, std::size_t> at;  // candidate of this journal -> place in `measured`
    bool ended = false;
    for (std::size_t i = 0; i < log.events.size(); ++i) {
      const TuneEvent& event = log.events[i];
      if (std::holds_alternative<EndedEvent>(event)) ended = true;
      if (const auto* compiled = std::get_if<CompiledEvent>(&event)) {
        ++funnel.compiled;
        funnel.spilling += compiled->spillBytes > 0;
      }
      const auto* timed = std::get_if<TimedEvent>(&event);
      if (timed == nullptr) continue;
      ++sum.jobs;
      sum.seconds += timed->seconds;
      if (!timed->record) {
        ++funnel.failed;
        sum.failures.emplace_back(log.tiles[i], timed->failure);
        if (const auto known = at.find(timed->candidate); known != at.end())
          measured[known->second].latest = {};
        continue;
      }
      const auto [known, isNew] = at.try_emplace(timed->candidate, measured.size());
      if (isNew) {
        Measured fresh;
        fresh.candidate = measured.size();
        fresh.place = static_cast<int>(place);
        measured.push_back(std::move(fresh));
        sum.tiles.push_back(log.tiles[i]);
        sum.records.push_back(*timed->record);
      }
      Measured& m = measured[known->second];
      const runs::Interval& figure = timed->record->gflops;
      if (!isNew && timed->phase != SearchPhase::Finals && m.latest.known())
        repeats.push_back(std::abs(figure.median / m.latest.median - 1));
      m.latest = figure;
      m.rounds = timed->rounds;
      m.reached = timed->phase;
      if (timed->phase == SearchPhase::Finals) {
        m.turns.push_back(figure.median);
        m.turnRounds += timed->rounds;
      }
      sum.records[known->second] = *timed->record;
    }
    sum.ended = sum.ended && ended;
  }
  std::ranges::sort(sum.shards);
  funnel.timed = static_cast<std::size_t>(
      std::ranges::count_if(measured, [](const Measured& m) { return m.latest.known(); }));
  const double noise = noiseOf(repeats);
  sum.verdict = verdictOf(measured, noise);
  for (const Standing& s : sum.verdict.standings) {
    sum.records[s.candidate].gflops = s.gflops;
    sum.records[s.candidate].rounds = s.rounds;
  }
  for (const Stage* stage : sum.header.stages) {
    const auto& all = sum.verdict.standings;
    const auto best = std::ranges::find_if(
        all, [&](const Standing& s) { return sum.tiles[s.candidate].rung() == stage; });
    if (best != all.end()) sum.bestOfStages.push_back(static_cast<std::size_t>(best - all.begin()));
  }
  return sum;
}

}  // namespace tileloom::tuning
