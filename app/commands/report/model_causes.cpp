// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/model_causes.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/why/causes.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using model::JudgedPair;

struct Options {
  std::string arch{defaultArchitecture().name};
  std::string runs;
  bool misses = false;
  bool json = false;
};

// Pairs, and how many of them are right.
struct Score {
  std::size_t pairs = 0, right = 0, predicted = 0, heldOut = 0, heldOutRight = 0;

  void add(const JudgedPair& pair) {
    ++pairs;
    right += pair.right() ? 1 : 0;
    predicted += pair.predictedRight() ? 1 : 0;
    heldOut += pair.heldOut ? 1 : 0;
    heldOutRight += pair.heldOut && pair.right() ? 1 : 0;
  }
  static double share(std::size_t part, std::size_t all) {
    return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
  }
};

struct NamedScore {
  std::string name;
  Score score;
};

// By the name that `of` gives each pair, in the order of the names.
template <class NameOf>
std::vector<NamedScore> scores(const std::vector<JudgedPair>& pairs, const NameOf& of) {
  std::map<std::string, Score> named;
  for (const JudgedPair& pair : pairs) named[of(pair)].add(pair);
  std::vector<NamedScore> all;
  for (auto& [name, score] : named) all.push_back({name, score});
  return all;
}

std::string stageOf(const JudgedPair& pair) {
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string_view device = pair.from->device;
  if (device.starts_with(kMaker)) device.remove_prefix(kMaker.size());
  return fmt::format("{} on {}", pair.from->stage, device.substr(0, device.find(' ')));
}
std::string parameterOf(const JudgedPair& pair) {
  return std::string(name(pair.parameter));
}
std::string causeOf(const JudgedPair& pair) {
  return std::string(name(pair.cause));
}
std::string differenceOf(const JudgedPair& pair) {
  const double ratio = std::max(pair.measured, 1 / pair.measured) - 1;
  constexpr std::array kSteps = {0.05, 0.1, 0.2, 0.4};
  const auto at = std::ranges::upper_bound(kSteps, ratio);
  const double low = at == kSteps.begin() ? model::kTellingDifference - 1 : *std::prev(at);
  return at == kSteps.end() ? fmt::format("{:2.0f} % and more", 100 * low)
                            : fmt::format("{:2.0f} to {:2.0f} %", 100 * low, 100 * *at);
}

std::string percent(std::size_t part, std::size_t all) {
  return all == 0 ? "-" : percentText(Score::share(part, all));
}

std::string scoreTable(const std::string& heading, const std::vector<NamedScore>& rows) {
  Table table({{heading, Align::Left},
               {"pairs"},
               {"cause is right"},
               {"prediction is right"},
               {"pairs held out"},
               {"cause is right"}});
  for (const auto& [name, s] : rows) {
    table.add({name, std::to_string(s.pairs), percent(s.right, s.pairs),
               percent(s.predicted, s.pairs), std::to_string(s.heldOut),
               percent(s.heldOutRight, s.heldOut)});
  }
  return table.text();
}

std::string missesText(const std::vector<JudgedPair>& pairs) {
  std::string text = "\nPairs whose cause points the wrong way:\n\n";
  for (const JudgedPair& p : pairs) {
    if (p.right()) continue;
    const Stage& stage = *stageWithId(p.from->stage);
    text += fmt::format("  {} {} on {}, {} to {}: measured {:+.1f} %, predicted {:+.1f} %, {}\n",
                        stage.id, p.from->problem.m, p.from->device, tileText(stage, p.from->tile),
                        fmt::format("{}={}", name(p.parameter), p.to->tile[p.parameter]),
                        100 * (p.measured - 1), 100 * (p.predicted - 1), name(p.cause));
  }
  return text;
}

std::string causesText(const std::vector<JudgedPair>& pairs, bool misses) {
  const auto all = scores(pairs, [](const JudgedPair&) { return std::string("all pairs"); });
  auto stages = scores(pairs, stageOf);
  stages.insert(stages.begin(), all.begin(), all.end());
  return fmt::format(
      "Pairs of recorded tiles that differ in one tile parameter, with measured speeds more than "
      "{:.0f} % apart.\n"
      "A cause is right if the cost that it names changes the speed in the measured direction.\n"
      "\"Held out\": the constants were fitted to neither tile's runs.\n\n"
      "{}\n"
      "{}\n"
      "{}\n"
      "{}{}",
      100 * (model::kTellingDifference - 1), scoreTable("rung", stages),
      scoreTable("parameter that differs", scores(pairs, parameterOf)),
      scoreTable("named cause", scores(pairs, causeOf)),
      scoreTable("measured difference", scores(pairs, differenceOf)),
      misses ? missesText(pairs) : std::string());
}

Json scoresJson(const std::vector<NamedScore>& rows) {
  Json list = Json::array();
  for (const auto& [name, s] : rows) {
    list.push_back({{"name", name},
                    {"pairs", s.pairs},
                    {"cause_right", s.right},
                    {"prediction_right", s.predicted},
                    {"held_out", s.heldOut},
                    {"held_out_cause_right", s.heldOutRight}});
  }
  return list;
}

void run(const Options& options, Outcome& outcome) {
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return outcome.fail(arch.error());
  const auto rates = model::ratesFor(arch->name);
  if (!rates) return outcome.fail(rates.error());
  std::vector<runs::RunRecord> own;
  std::span<const runs::RunRecord> runs = runs::recordings();
  if (!options.runs.empty()) {
    auto file = runs::givenRuns(options.runs);
    if (!file) return outcome.fail(file.error());
    outcome.remarks = std::move(file->complaints);
    own = std::move(file->runs);
    runs = own;
  }
  const auto pairs = model::judgeCauses(runs, *rates);
  if (pairs.empty()) {
    return outcome.fail(fmt::format(
        "no two of these runs are of tiles for {} that differ in one tile parameter and in speed: "
        "measure more tiles, for example with `tileloom record`",
        arch->name));
  }
  if (!options.json) {
    outcome.output = causesText(pairs, options.misses);
    return;
  }
  const auto all = scores(pairs, [](const JudgedPair&) { return std::string("all pairs"); });
  outcome.output = jsonText({{"schema", "tileloom.causes/1"},
                             {"arch", rates->arch},
                             {"all", scoresJson(all).front()},
                             {"stages", scoresJson(scores(pairs, stageOf))},
                             {"parameters", scoresJson(scores(pairs, parameterOf))},
                             {"causes", scoresJson(scores(pairs, causeOf))},
                             {"differences", scoresJson(scores(pairs, differenceOf))}});
}

}  // namespace

void addModelCausesCommand(Command group, Outcome& outcome) {
  const Command command = group.addCommand(
      "causes", "Compare the causes that `tileloom why` names with measured pairs of tiles");
  const auto options = std::make_shared<Options>();
  addArchOption(command, options->arch);
  command.addOption("--runs", options->runs, "Runs to use instead of the shipped ones").file();
  command.addFlag("--misses", options->misses, "Also list the pairs whose cause is wrong");
  addJsonOptions(command, options->json, outcome);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
