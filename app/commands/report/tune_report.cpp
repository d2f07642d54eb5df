// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/tune_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

#include "app/commands/common/measuring.h"
#include "app/commands/common/stage_text.h"
#include "app/commands/common/table.h"
#include "kernels/model/prediction/foretell.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"
#include "kernels/tuning/space.h"

namespace tileloom::app {
namespace {

using runs::RunRecord;
using tuning::Standing;
using tuning::TuneSummary;

constexpr std::size_t kShown = 10;

// "BM=64, BN=128", or "rung 14: BM=64, BN=128" where several rungs were searched.
std::string textOf(std::span<const Stage* const> stages, const Subject& tile) {
  const std::string text = tileText(*tile.rung(), tile.tile);
  return stages.size() > 1 ? fmt::format("rung {}: {}", rungLabel(*tile.rung()), text) : text;
}

// A line per stage.
std::string headingsOf(const tuning::TuneHeader& h) {
  std::string text;
  for (const Stage* stage : h.stages) text += stageHeading(*stage) + '\n';
  return text;
}

// In JSON a tile names its stage if the run has several.
Json tileJsonOf(std::span<const Stage* const> stages, const Subject& tile) {
  Json json = tileJson(*tile.rung(), tile.tile);
  if (stages.size() < 2) return json;
  return {{"stage", tile.rung()->id}, {"tile", std::move(json)}};
}

std::string funnelText(const tuning::Funnel& f) {
  Table table({{"tiles", Align::Left}, {""}, {"", Align::Left}});
  table.add(
      {"generated", grouped(f.generated), "all combinations of the values that are searched"});
  table.add({"legal", grouped(f.legal), "by the constraint table"});
  if (f.candidates != f.legal) table.add({"of these here", grouped(f.candidates), "in this shard"});
  table.add(
      {"compiled", grouped(f.compiled),
       f.spilling > 0 ? fmt::format("{} of them spill", grouped(f.spilling)) : "none spills"});
  table.add({"timed", grouped(f.timed),
             f.failed > 0 ? fmt::format("{} others failed", grouped(f.failed)) : ""});
  return table.text();
}

// Of these standings; the first column is the place in the verdict.
std::string standingsText(const TuneSummary& sum, std::span<const std::size_t> which) {
  Table table({{""},
               {"GFLOP/s"},
               {"", Align::Left},
               {"% of cuBLAS"},
               {"rounds"},
               {"registers"},
               {"came to", Align::Left},
               {"tile", Align::Left}});
  for (const std::size_t place : which) {
    const Standing& s = sum.verdict.standings[place];
    const RunRecord& r = sum.records[s.candidate];
    table.add({std::to_string(place + 1), figureText(s.gflops), spreadText(s.gflops),
               r.ratio.known() ? fmt::format("{:.1f}", 100 * r.ratio.median) : "",
               std::to_string(s.rounds), std::to_string(r.registers), std::string(name(s.reached)),
               textOf(sum.header.stages, sum.tiles[s.candidate])});
  }
  return table.text();
}

std::string firstText(const TuneSummary& sum) {
  std::vector<std::size_t> first(std::min(kShown, sum.verdict.standings.size()));
  std::iota(first.begin(), first.end(), std::size_t{0});
  return standingsText(sum, first);
}

// The basis of the choice between rungs.
std::string rungsText(const TuneSummary& sum) {
  if (sum.header.stages.size() < 2 || sum.bestOfStages.empty()) return {};
  std::string text =
      "The best of each rung, by place; one that left the search earlier was measured less:\n" +
      standingsText(sum, sum.bestOfStages);
  const std::size_t missing = sum.header.stages.size() - sum.bestOfStages.size();
  if (missing > 0) text += fmt::format("  {} of the rungs have no figure\n", missing);
  return text + "\n";
}

std::string verdictText(const TuneSummary& sum) {
  const tuning::Verdict& v = sum.verdict;
  if (v.standings.empty()) return "No tile has a figure.\n";
  const auto tile = [&](const Standing& s) {
    return textOf(sum.header.stages, sum.tiles[s.candidate]);
  };
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
  std::map<std::string, std::pair<std::size_t, Subject>> reasons;
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
    text += fmt::format("  {}: {}{}\n", textOf(sum.header.stages, of.second), why,
                        of.first > 1 ? fmt::format(" ({} tiles)", of.first) : "");
  }
  return text.empty() ? text : "\nFailed:\n" + text;
}

// "bf16 with fp32 accumulation, ", or nothing where there is no choice.
std::string inText(const tuning::TuneHeader& h) {
  return h.format == Format::Fp32 ? "" : fmt::format("{}, ", rowOf(h.format).words);
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

// The tiles that are predicted to be fastest; without predictions, those that are tried first.
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
  std::string text = fmt::format("{}{}{} on {} ({}), driver {}, NVRTC {}, {}{}\n\n", headingsOf(h),
                                 inText(h), toString(h.problem), h.device.name, h.device.arch,
                                 h.device.driver.empty() ? "unknown" : h.device.driver,
                                 h.device.nvrtc, h.when, h.search.exhaustive ? ", exhaustive" : "");
  if (h.shards > 1) {
    text += fmt::format("Shards {} of 0 to {}\n\n", fmt::join(sum.shards, ", "), h.shards - 1);
  }
  text += funnelText(sum.funnel) + "\n" + verdictText(sum) + "\n" + rungsText(sum) + firstText(sum);
  text += fmt::format("\n{} measurements in {:.1f} s{}\n", grouped(sum.jobs), sum.seconds,
                      sum.ended ? "" : "; not finished");
  return text + failuresText(sum);
}

Json tuneJson(const TuneSummary& sum) {
  const auto& stages = sum.header.stages;
  const bool several = stages.size() > 1;
  // {"tile": …}, and {"stage": …} before it where several were searched
  const auto start = [several](const Subject& of) {
    Json json;
    if (several) json["stage"] = of.rung()->id;
    json["tile"] = tileJson(*of.rung(), of.tile);
    return json;
  };
  Json standings = Json::array(), tied = Json::array(), failures = Json::array();
  for (const Standing& s : sum.verdict.standings) {
    Json json = start(sum.tiles[s.candidate]);
    json["gflops"] = intervalJson(s.gflops);
    json["ratio"] = intervalJson(sum.records[s.candidate].ratio);
    json["rounds"] = s.rounds;
    json["reached"] = name(s.reached);
    standings.push_back(std::move(json));
  }
  for (const Standing& s : sum.verdict.tied)
    tied.push_back(tileJsonOf(stages, sum.tiles[s.candidate]));
  for (const auto& [tile, why] : sum.failures) {
    Json json = start(tile);
    json["why"] = why;
    failures.push_back(std::move(json));
  }
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
  if (sum.verdict.winner) json["winner"] = tileJsonOf(stages, sum.tiles[*sum.verdict.winner]);
  if (several) json["best_of_rungs"] = sum.bestOfStages;  // places in "standings", from 0
  return json;
}

namespace {

std::string evidenceText(const tuning::TunePlan& plan, const PlanEvidence& evidence) {
  std::string text = fmt::format("\nMeasured to be the fastest on {}:\n", evidence.device);
  for (const PlanEvidence::Best& best : evidence.fastest) {
    text += fmt::format("  {}  {} GFLOP/s, the best of {}; guessed: about {} GFLOP/s{}\n",
                        textOf(plan.header.stages, best.tile), wholeText(best.gflops),
                        counted(best.tiles, "measured tile"), wholeText(best.guessed),
                        best.place ? fmt::format(", place {} of {}", grouped(*best.place),
                                                 grouped(plan.candidates.size()))
                                   : ", and not among the tiles of this search");
  }
  return text + fmt::format(
                    "Guesses like these differ from {} measured tiles by {:.1f} % in the median, "
                    "and from one of ten by more than {:.0f} %.\n",
                    grouped(evidence.tiles), 100 * evidence.median, 100 * evidence.ninth);
}

Json evidenceJson(const tuning::TunePlan& plan, const PlanEvidence& evidence) {
  Json fastest = Json::array();
  for (const PlanEvidence::Best& best : evidence.fastest) {
    Json json;
    if (plan.header.stages.size() > 1) json["stage"] = best.tile.rung()->id;
    json["tile"] = tileJson(*best.tile.rung(), best.tile.tile);
    json["gflops"] = best.gflops;
    json["predicted_gflops"] = best.guessed;
    json["measured_tiles"] = best.tiles;
    json["place_of_prediction"] = best.place ? Json(*best.place) : Json(nullptr);
    fastest.push_back(std::move(json));
  }
  return {{"device", evidence.device},
          {"fastest", std::move(fastest)},
          {"tiles", evidence.tiles},
          {"median_error", evidence.median},
          {"ninth_decile_error", evidence.ninth}};
}

// "Only some values are searched: SWIZZLE: 32, 128; …": the parameters with legal values that are
// left out. Empty: --parameter lists their values, or there are none.
std::string fewValuesText(const tuning::TuneHeader& h) {
  std::string text;
  for (const Stage* stage : h.stages) {
    for (const ParameterSpec& spec : stage->parameters) {
      const bool listed =
          std::ranges::find(h.space.listed, spec.parameter, &tuning::ParameterValues::parameter) !=
          h.space.listed.end();
      if (listed || !isLate(spec.parameter)) continue;
      const std::vector<int> values = tuning::searchValues(spec, h.space.threes);
      text += text.empty() ? "" : "; ";
      if (h.stages.size() > 1) text += fmt::format("{}'s ", stage->id);
      text += fmt::format("{}: {}", tileloom::name(spec.parameter), fmt::join(values, ", "));
    }
  }
  return text.empty()
             ? text
             : fmt::format("\nOnly some values are searched: {}. --parameter lists others.\n",
                           text);
}

}  // namespace

std::string planText(const tuning::TunePlan& plan, const tuning::Search& search,
                     const std::optional<PlanEvidence>& evidence) {
  const tuning::TuneHeader& h = plan.header;
  std::string text =
      fmt::format("{}{}{} on {}\n\n", headingsOf(h), inText(h), toString(h.problem), h.device.arch);
  Table funnel({{"tiles", Align::Left}, {""}, {"", Align::Left}});
  funnel.add(
      {"generated", grouped(h.generated), "all combinations of the values that are searched"});
  for (const tuning::Rejection& r : plan.rejected)
    funnel.add({"", "-" + grouped(r.tiles), fmt::format("by the rule {}", r.row)});
  funnel.add({"legal", grouped(h.legal), "by the constraint table"});
  if (h.candidates != h.legal) {
    funnel.add({"of these here", grouped(h.candidates),
                fmt::format("in shard {} of 0 to {}", h.shard, h.shards - 1)});
  }
  text +=
      funnel.text() + fewValuesText(h) +
      fmt::format("\nAt most {} measurements. {}:\n", grouped(search.progress().jobsLeft),
                  predicts(plan)
                      ? "The first are drawn at random. Guessed to be the fastest, with guessed "
                        "registers, because nothing is compiled yet (see predict for one tile)"
                      : "The first");
  for (const std::size_t i : firstOf(plan, search, kShown)) {
    const tuning::SearchCandidate& c = plan.candidates[i];
    text += fmt::format(
        "  {}{}\n", textOf(h.stages, c.subject()),
        c.predicted > 0 ? fmt::format("  about {} GFLOP/s", wholeText(c.predicted)) : "");
  }
  if (!predicts(plan)) return text;
  if (evidence) return text + evidenceText(plan, *evidence);
  return text +
         "\nNo tile of these rungs was measured at this size: the error of the guesses is "
         "unknown.\n";
}

Json planJson(const tuning::TunePlan& plan, const tuning::Search& search,
              const std::optional<PlanEvidence>& evidence) {
  Json rejected = Json::object(), first = Json::array();
  for (const tuning::Rejection& r : plan.rejected) rejected[std::string(r.row)] = r.tiles;
  for (const std::size_t i : firstOf(plan, search, 100)) {
    const tuning::SearchCandidate& c = plan.candidates[i];
    Json json;
    if (plan.header.stages.size() > 1) json["stage"] = c.rung()->id;
    json["tile"] = tileJson(*c.rung(), c.tile);
    json["predicted_gflops"] = c.predicted > 0 ? Json(c.predicted) : Json(nullptr);
    first.push_back(std::move(json));
  }
  return {{"schema", "tileloom.tune-plan/1"},
          {"run", toJson(plan.header)},
          {"rejected", std::move(rejected)},
          {"most_measurements", search.progress().jobsLeft},
          {"first", std::move(first)},
          {"measured", evidence ? evidenceJson(plan, *evidence) : Json(nullptr)}};
}

std::string progressText(std::span<const Stage* const> stages, const tuning::Search& search) {
  const tuning::SearchProgress p = search.progress();
  std::string text = fmt::format("{}: {} measured", name(p.phase), p.timed);
  if (p.failed > 0) text += fmt::format(", {} out", p.failed);
  if (p.best) {
    text += fmt::format(", best {} GFLOP/s with {}", wholeText(p.bestGflops),
                        textOf(stages, search.candidates()[*p.best].subject()));
  }
  text += fmt::format("; at most {} more measurements", grouped(p.jobsLeft));
  if (p.secondsLeft > 0) {
    text += p.secondsLeft < 90 ? fmt::format(", about {:.0f} s", std::ceil(p.secondsLeft))
                               : fmt::format(", about {:.0f} min", std::ceil(p.secondsLeft / 60));
  }
  return text;
}

}  // namespace tileloom::app
