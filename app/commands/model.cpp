// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/parse.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "app/commands/report/model_causes.h"
#include "kernels/base/text_file.h"
#include "kernels/model/prediction/rates.h"
#include "kernels/model/prediction/rates_fit.h"
#include "kernels/runs/recordings.h"
#include "kernels/runs/run_exchange.h"
#include "kernels/runs/run_store.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using model::Case;
using model::Errors;
using model::Ranking;
using model::Rates;

struct Options {
  std::string arch{defaultArchitecture().name};
  std::string runs;
  std::string counted;
  std::string out;
  std::vector<std::string> only;
  bool json = false;
};

// The shipped runs and the user's own, or those of one file.
tl::expected<std::vector<runs::RunRecord>, std::string> runsOf(const Options& options,
                                                               Outcome& outcome) {
  std::vector<runs::RunRecord> runs;
  if (options.runs.empty()) {
    const auto shipped = runs::recordings();
    runs.assign(shipped.begin(), shipped.end());
  }
  auto file =
      options.runs.empty() ? runs::readRuns(runs::defaultRunFile()) : runs::givenRuns(options.runs);
  if (!file) return tl::unexpected(file.error());
  std::ranges::move(file->complaints, std::back_inserter(outcome.remarks));
  std::ranges::move(file->runs, std::back_inserter(runs));
  return runs;
}

// Runs of several devices of one architecture would need several sets of constants: the device with
// the most runs is used.
std::string deviceOf(std::span<const runs::RunRecord> runs, const Architecture& arch) {
  std::map<std::string, std::size_t> counts;
  for (const auto& run : runs) {
    if (run.arch == arch.name) ++counts[run.device];
  }
  const auto most =
      std::ranges::max_element(counts, {}, [](const auto& entry) { return entry.second; });
  return most == counts.end() ? std::string() : most->first;
}

struct Material {
  Architecture arch;
  std::vector<runs::RunRecord> runs;
  std::vector<Case> cases;
};

tl::expected<Material, std::string> materialOf(const Options& options, Outcome& outcome) {
  const auto arch = architectureNamed(quotable(options.arch));
  if (!arch) return tl::unexpected(arch.error());
  auto runs = runsOf(options, outcome);
  if (!runs) return tl::unexpected(runs.error());
  Material m{*arch, std::move(*runs), {}};
  const std::string device = deviceOf(m.runs, m.arch);
  std::erase_if(m.runs, [&](const auto& run) { return run.device != device; });
  m.cases = model::casesOf(m.runs, m.arch.name);
  constexpr std::size_t kFew = 100;
  if (m.cases.size() < kFew) {
    return tl::unexpected(fmt::format(
        "{} usable runs for {} are too few, {} are needed: measure more tiles, for example with "
        "`tileloom record`",
        m.cases.size(), m.arch.name, kFew));
  }
  return m;
}

// Held-out cases of one stage and size, or of all.
struct Row {
  std::string stage;
  int size = 0;  // 0: all
  std::vector<Case> cases;
};

std::vector<Row> rowsOf(std::span<const Case> cases) {
  std::vector<Row> rows = {{"all rungs", 0, {}}};
  std::map<std::pair<int, int>, Row> groups;
  for (const Case& c : cases) {
    if (!c.heldOut) continue;
    rows.front().cases.push_back(c);
    Row& row = groups[{c.stage->rung, c.run->problem.m}];
    row.stage = c.stage->id;
    row.size = c.run->problem.m;
    row.cases.push_back(c);
  }
  constexpr std::size_t kFew = 10;  // of fewer a median says little
  for (auto& [key, row] : groups) {
    if (row.cases.size() >= kFew) rows.push_back(std::move(row));
  }
  return rows;
}

std::string percent(double share) {
  return percentText(share);
}

std::string judgementText(const Material& material, const Rates& rates) {
  Table table({{"held-out tiles", Align::Left},
               {"size"},
               {"runs"},
               {"median error"},
               {"nine of ten within"},
               {"bias"},
               {"without machine code"},
               {"best tile's place"},
               {"best of the top ten"}});
  for (const Row& row : rowsOf(material.cases)) {
    const Errors with = model::errorsOf(row.cases, rates, true);
    const Errors without = model::errorsOf(row.cases, rates, false);
    const Ranking ranking = model::rankingOf(row.cases, rates, true);
    const bool ranked = row.size != 0;
    table.add(
        {row.stage, ranked ? grouped(static_cast<std::uint64_t>(row.size)) : "",
         grouped(with.cases), percent(with.median), percent(with.ninth),
         fmt::format("{:+.1f} %", 100 * with.bias), percent(without.median),
         ranked ? fmt::format("{} of {}", grouped(ranking.place + 1), grouped(ranking.cases)) : "",
         ranked ? percent(ranking.topTen) : ""});
  }
  return fmt::format(
      "Predictions for {} ({}), compared with runs of tiles that they were not fitted to\n\n"
      "{}\n"
      "\"best of the top ten\": speed of the fastest of the ten tiles that were predicted fastest, "
      "over the fastest of all.\n",
      rates.device, rates.arch, table.text());
}

Json judgementJson(const Material& material, const Rates& rates) {
  Json rows = Json::array();
  for (const Row& row : rowsOf(material.cases)) {
    const Errors with = model::errorsOf(row.cases, rates, true);
    const Errors without = model::errorsOf(row.cases, rates, false);
    Json json = {{"stage", row.size == 0 ? Json() : Json(row.stage)},
                 {"size", row.size == 0 ? Json() : Json(row.size)},
                 {"runs", with.cases},
                 {"median_error", with.median},
                 {"ninth_decile_error", with.ninth},
                 {"bias", with.bias},
                 {"median_error_without_code", without.median}};
    if (row.size != 0) {
      const Ranking ranking = model::rankingOf(row.cases, rates, true);
      json["place_of_best"] = ranking.place + 1;
      json["best_of_top_ten"] = ranking.topTen;
    }
    rows.push_back(std::move(json));
  }
  return {{"schema", "tileloom.judgement/1"},
          {"arch", rates.arch},
          {"device", rates.device},
          {"fitted", rates.fitted},
          {"held_out", std::move(rows)}};
}

void judge(const Options& options, Outcome& outcome) {
  const auto material = materialOf(options, outcome);
  if (!material) return outcome.fail(material.error());
  const auto rates = model::ratesFor(material->arch.name);
  if (!rates) return outcome.fail(rates.error());
  outcome.output =
      options.json ? jsonText(judgementJson(*material, *rates)) : judgementText(*material, *rates);
}

tl::expected<std::vector<const Stage*>, std::string> chosenRungs(const Options& options) {
  std::vector<const Stage*> chosen;
  for (const std::string& text : options.only) {
    const auto stage = parseStage(text);
    if (!stage) return tl::unexpected(stage.error());
    if (!model::isPredicted(**stage)) {
      return tl::unexpected(
          fmt::format("--only {}: there is {}", quotable(text), model::kNoPrediction));
    }
    chosen.push_back(*stage);
  }
  if (!chosen.empty() && !options.counted.empty()) {
    return tl::unexpected(std::string(
        "--counted and --only exclude each other: counted shares are for a fit of all rungs"));
  }
  return chosen;
}

// All constants, or those of the chosen rungs' families.
tl::expected<Rates, std::string> fitted(const Material& material,
                                        std::span<const Stage* const> chosen,
                                        std::span<const model::Witness> witnesses) {
  const std::string_view arch = material.arch.name;
  if (chosen.empty()) return model::fit(material.cases, model::startingRates(arch), witnesses);
  const auto present = model::ratesFor(arch);
  if (!present) return tl::unexpected(present.error());
  Rates rates = model::refit(material.cases, *present, chosen);
  if (rates == *present) {
    return tl::unexpected(
        std::string("no run of these rungs has known machine code: measure tiles of them first, "
                    "for example with `tileloom record`"));
  }
  return rates;
}

void fitAndKeep(const Options& options, Outcome& outcome) {
  const auto chosen = chosenRungs(options);
  if (!chosen) return outcome.fail(chosen.error());
  const auto material = materialOf(options, outcome);
  if (!material) return outcome.fail(material.error());
  std::vector<model::Witness> witnesses;
  if (!options.counted.empty()) {
    auto file = runs::givenRuns(options.counted);
    if (!file) return outcome.fail(file.error());
    std::ranges::move(file->complaints, std::back_inserter(outcome.remarks));
    witnesses = model::witnessesOf(file->runs, material->arch.name);
    if (witnesses.empty()) {
      return outcome.fail(
          fmt::format("no run in \"{}\" of a tile for {} has counted stall reasons: leave out "
                      "--counted, or name a file of runs measured with counters",
                      quotableFile(options.counted), material->arch.name));
    }
  }
  const auto found = fitted(*material, *chosen, witnesses);
  if (!found) return outcome.fail(found.error());
  const Rates& rates = *found;
  const std::filesystem::path file =
      options.out.empty() ? model::ownRatesFile() : std::filesystem::path(options.out);
  if (const auto kept = appendLine(file, toLine(rates)); !kept) {
    return outcome.fail(kept.error());
  }
  outcome.output = options.json
                       ? jsonText(judgementJson(*material, rates))
                       : fmt::format("{}\nFitted to {}; kept in {}.\n",
                                     judgementText(*material, rates), rates.fitted, file.string());
}

void addOptions(Command command, const std::shared_ptr<Options>& options, Outcome& outcome) {
  addArchOption(command, options->arch);
  command.addOption("--runs", options->runs, "Runs to use instead of the shipped ones and your own")
      .file();
  addJsonFlag(command, options->json, outcome);
}

}  // namespace

void addModelCommand(Command root, Outcome& outcome) {
  const Command group =
      root.addCommand("model", "Judge the predictions of speed, or fit them to a device");
  group.requireCommand();
  {
    const Command command = group.addCommand("judge", "Compare predictions with measured runs");
    const auto options = std::make_shared<Options>();
    addOptions(command, options, outcome);
    addOutOption(command, outcome);
    command.onRun([options, &outcome] { judge(*options, outcome); });
  }
  addModelCausesCommand(group, outcome);
  const Command command =
      group.addCommand("fit", "Fit the constants to half of the measured tiles, and judge them");
  const auto options = std::make_shared<Options>();
  addOptions(command, options, outcome);
  command
      .addOption(
          "--counted", options->counted,
          "Runs with counted stall reasons: the predicted shares of time are fitted to theirs")
      .file();
  command
      .addOption("--only", options->only,
                 "Rungs: fit only the constants of their families, keep all others")
      .separatedBy(',')
      .typeName("LIST");
  command.addOption("--out", options->out, "File for the constants (your own by default)").file();
  command.onRun([options, &outcome] { fitAndKeep(*options, outcome); });
}

}  // namespace tileloom::app
