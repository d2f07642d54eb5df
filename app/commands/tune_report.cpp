// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "app/commands/measuring.h"
#include "app/commands/stage_text.h"
#include "app/commands/table.h"
#include "kernels/model/foretell.h"

namespace tileloom::app {
namespace {

using runs::RunRecord;
using tuning::Standing;
using tuning::TuneSummary;

constexpr std::size_t kShown = 10;

std::string funnelText(const tuning::Funnel& f) {
  Table table({{"tiles", Align::Left}, {""}, {"", Align::Left}});
  table.add({"generated", grouped(f.generated), "all combinations of the knobs' values"});
  table.add({"legal", grouped(f.legal), "by the constraint table"});
  if (f.candidates != f.legal) table.add({"of these here", grouped(f.candidates), "in this shard"});
  table.add(
      {"compiled", grouped(f.compiled),
       f.spilling > 0 ? fmt::format("{} of them spill", grouped(f.spilling)) : "none spills"});
  table.add({"timed", grouped(f.timed),
             f.failed > 0 ? fmt::format("{} others failed", grouped(f.failed)) : ""});
  return table.text();
}

std::string standingsText(const TuneSummary& sum) {
  Table table({{""},
               {"GFLOP/s"},
               {"", Align::Left},
               {"% of cuBLAS"},
               {"rounds"},
               {"registers"},
               {"came to", Align::Left},
               {"tile", Align::Left}});
  std::size_t place = 0;
  for (const Standing& s : sum.verdict.standings) {
    if (++place > kShown) break;
    const RunRecord& r = sum.records[s.candidate];
    table.add({std::to_string(place), figureText(s.gflops), spreadText(s.gflops),
               r.ratio.known() ? fmt::format("{:.1f}", 100 * r.ratio.median) : "",
               std::to_string(s.rounds), std::to_string(r.registers), std::string(name(s.reached)),
               tileText(*sum.header.stage, sum.tiles[s.candidate])});
  }
  return table.text();
}

std::string verdictText(const TuneSummary& sum) {
  const tuning::Verdict& v = sum.verdict;
  const Stage& stage = *sum.header.stage;
  if (v.standings.empty()) return "No tile has a figure.\n";
  const auto tile = [&](const Standing& s) { return tileText(stage, sum.tiles[s.candidate]); };
  if (v.winner) {
    return fmt::format("Winner: {} at {} GFLOP/s; its interval lies above all others.\n",
                       tile(v.tied.front()), figureText(v.tied.front().gflops));
  }
  std::string text;
  if (!sum.ended) text = "Not finished, so no winner is named. ";
  if (v.noisy) text += "The leader's figure is noisy, so no winner is named. ";
  if (v.tied.size() == 1) return text + fmt::format("Best so far: {}.\n", tile(v.tied.front()));
  return text + fmt::format("A tie of {}: their intervals overlap. First of them: {}.\n",
                            grouped(v.tied.size()), tile(v.tied.front()));
}

std::string failuresText(const TuneSummary& sum) {
  std::map<std::string, std::pair<std::size_t, TileShape>> reasons;
  for (const auto& [tile, why] : sum.failures) {
    auto& [count, first] = reasons[why];
    if (++count == 1) first = tile;
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [why, of] : reasons) {
    if (++shown > kShown) {
      text += fmt::format("  and {} other reasons\n", reasons.size() - kShown);
      break;
    }
    text += fmt::format("  {}: {}{}\n", tileText(*sum.header.stage, of.second), why,
                        of.first > 1 ? fmt::format(" ({} tiles)", of.first) : "");
  }
  return text.empty() ? text : "\nFailed:\n" + text;
}

// "bf16 with fp32 sums, ", or nothing where there is no choice.
std::string inText(const tuning::TuneHeader& h) {
  return h.arithmetic == Arithmetic::Fp32 ? "" : fmt::format("{}, ", rowOf(h.arithmetic).words);
}

Json intervalJson(const runs::Interval& i) {
  return Json::array({i.median, i.low, i.high});
}

Json funnelJson(const tuning::Funnel& f) {
  return {{"generated", f.generated}, {"legal", f.legal},       {"candidates", f.candidates},
          {"compiled", f.compiled},   {"spilling", f.spilling}, {"timed", f.timed},
          {"failed", f.failed}};
}

bool predicts(const tuning::TunePlan& plan) {
  return std::ranges::any_of(plan.candidates, [](const auto& c) { return c.predicted > 0; });
}

// What is predicted to be the fastest; what is tried first, where nothing is predicted.
std::vector<std::size_t> firstOf(const tuning::TunePlan& plan, const tuning::Search& search,
                                 std::size_t count) {
  if (!predicts(plan)) return search.ahead(count);
  std::vector<double> gflops;
  for (const tuning::SearchCandidate& c : plan.candidates) gflops.push_back(c.predicted);
  return model::fastest(gflops, count);
}

}  // namespace

std::string tuneText(const TuneSummary& sum) {
  const tuning::TuneHeader& h = sum.header;
  std::string text =
      fmt::format("{}\n{}{} on {} ({}), driver {}, NVRTC {}, {}{}\n\n", stageHeading(*h.stage),
                  inText(h), toString(h.problem), h.device.name, h.device.arch,
                  h.device.driver.empty() ? "unknown" : h.device.driver, h.device.nvrtc, h.when,
                  h.search.exhaustive ? ", exhaustive" : "");
  if (h.shards > 1) {
    text += fmt::format("Shards {} of 0 to {}\n\n", fmt::join(sum.shards, ", "), h.shards - 1);
  }
  text += funnelText(sum.funnel) + "\n" + verdictText(sum) + "\n" + standingsText(sum);
  text += fmt::format("\n{} measurements in {:.1f} s{}\n", grouped(sum.jobs), sum.seconds,
                      sum.ended ? "" : "; not finished");
  return text + failuresText(sum);
}

Json tuneJson(const TuneSummary& sum) {
  const Stage& stage = *sum.header.stage;
  Json standings = Json::array(), tied = Json::array(), failures = Json::array();
  for (const Standing& s : sum.verdict.standings) {
    standings.push_back({{"tile", tileJson(stage, sum.tiles[s.candidate])},
                         {"gflops", intervalJson(s.gflops)},
                         {"ratio", intervalJson(sum.records[s.candidate].ratio)},
                         {"rounds", s.rounds},
                         {"reached", name(s.reached)}});
  }
  for (const Standing& s : sum.verdict.tied)
    tied.push_back(tileJson(stage, sum.tiles[s.candidate]));
  for (const auto& [tile, why] : sum.failures)
    failures.push_back({{"tile", tileJson(stage, tile)}, {"why", why}});
  Json json = {{"schema", "tileloom.tuned/1"},
               {"run", toJson(sum.header)},
               {"shards", sum.shards},
               {"ended", sum.ended},
               {"funnel", funnelJson(sum.funnel)},
               {"winner", nullptr},
               {"tied", std::move(tied)},
               {"noisy", sum.verdict.noisy},
               {"measurements", sum.jobs},
               {"seconds", sum.seconds},
               {"standings", std::move(standings)},
               {"failures", std::move(failures)}};
  if (sum.verdict.winner) json["winner"] = tileJson(stage, sum.tiles[*sum.verdict.winner]);
  return json;
}

std::string planText(const tuning::TunePlan& plan, const tuning::Search& search) {
  const tuning::TuneHeader& h = plan.header;
  std::string text = fmt::format("{}\n{}{} on {}\n\n", stageHeading(*h.stage), inText(h),
                                 toString(h.problem), h.device.arch);
  Table funnel({{"tiles", Align::Left}, {""}, {"", Align::Left}});
  funnel.add({"generated", grouped(h.generated), "all combinations of the knobs' values"});
  for (const tuning::Rejection& r : plan.space.rejected)
    funnel.add({"", "-" + grouped(r.tiles), fmt::format("by the rule {}", r.row)});
  funnel.add({"legal", grouped(h.legal), "by the constraint table"});
  if (h.candidates != h.legal) {
    funnel.add({"of these here", grouped(h.candidates),
                fmt::format("in shard {} of 0 to {}", h.shard, h.shards - 1)});
  }
  text += funnel.text() +
          fmt::format("\nAt most {} measurements. {}:\n", grouped(search.progress().jobsLeft),
                      predicts(plan) ? "The first are drawn by lot. Guessed to be the fastest, "
                                       "with guessed registers, as nothing is compiled yet (see "
                                       "predict for one tile)"
                                     : "The first");
  for (const std::size_t i : firstOf(plan, search, kShown)) {
    const tuning::SearchCandidate& c = plan.candidates[i];
    text += fmt::format(
        "  {}{}\n", tileText(*h.stage, c.tile),
        c.predicted > 0
            ? fmt::format("  about {} GFLOP/s", grouped(static_cast<std::uint64_t>(c.predicted)))
            : "");
  }
  return text;
}

Json planJson(const tuning::TunePlan& plan, const tuning::Search& search) {
  Json rejected = Json::object(), first = Json::array();
  for (const tuning::Rejection& r : plan.space.rejected) rejected[std::string(r.row)] = r.tiles;
  for (const std::size_t i : firstOf(plan, search, 100)) {
    first.push_back(
        {{"tile", tileJson(*plan.header.stage, plan.candidates[i].tile)},
         {"predicted_gflops",
          plan.candidates[i].predicted > 0 ? Json(plan.candidates[i].predicted) : Json(nullptr)}});
  }
  return {{"schema", "tileloom.tune-plan/1"},
          {"run", toJson(plan.header)},
          {"rejected", std::move(rejected)},
          {"most_measurements", search.progress().jobsLeft},
          {"first", std::move(first)}};
}

std::string progressText(const Stage& stage, const tuning::Search& search) {
  const tuning::SearchProgress p = search.progress();
  std::string text = fmt::format("{}: {} measured", name(p.phase), p.timed);
  if (p.failed > 0) text += fmt::format(", {} out", p.failed);
  if (p.best) {
    text += fmt::format(", best {} GFLOP/s with {}",
                        grouped(static_cast<std::uint64_t>(std::llround(p.bestGflops))),
                        tileText(stage, search.candidates()[*p.best].tile));
  }
  text += fmt::format("; at most {} more measurements", grouped(p.jobsLeft));
  if (p.secondsLeft > 0) {
    text += p.secondsLeft < 90 ? fmt::format(", about {:.0f} s", std::ceil(p.secondsLeft))
                               : fmt::format(", about {:.0f} min", std::ceil(p.secondsLeft / 60));
  }
  return text;
}

}  // namespace tileloom::app
