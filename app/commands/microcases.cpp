// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/microcases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands/common/json.h"
#include "app/commands/common/measuring.h"
#include "app/commands/common/shared_options.h"
#include "app/commands/common/table.h"
#include "kernels/analysis/counts/micro_model.h"
#include "kernels/base/text_file.h"
#include "kernels/gpu/measure/micro_bench.h"
#include "kernels/sass/micro_cases.h"

namespace tileloom::app {
namespace {

struct Options {
  GpuOptions gpu;
  std::string only;  // how names of cases begin
  bool shipped = false;
  bool json = false;
  std::optional<std::string> record;
};

std::vector<sass::MicroCase> chosenCases(const Options& options) {
  std::vector<sass::MicroCase> cases = sass::microCases();
  std::erase_if(cases,
                [&](const sass::MicroCase& each) { return !each.name.starts_with(options.only); });
  return cases;
}

// Trouble::Missing: the device does not exist here, but the request is correct.
Result<sass::MicroResults> measured(const Options& options, int device, double limitMs,
                                    std::span<const sass::MicroCase> cases) {
  auto driver = gpu::Driver::load();
  if (!driver) return tl::unexpected(driver.error());
  auto nvrtc = gpu::Nvrtc::load();
  if (!nvrtc) return tl::unexpected(nvrtc.error());
  std::optional<gpu::BuildCache> cache;
  if (!options.gpu.noCache) cache.emplace();
  gpu::MicroOptions how;
  how.limitMs = limitMs;
  auto results =
      gpu::measureMicroCases(*driver, device, **nvrtc, cache ? &*cache : nullptr, cases, how);
  if (!results && isFatal(results.error().trouble)) (*driver)->abandon();
  return results;
}

// The model's figure beside the measured one.
struct Row {
  const sass::MicroResult& measured;
  double predicted = 0;
  double difference() const { return predicted / analysis::comparableCycles(measured) - 1; }
};

std::vector<Row> rowsOf(std::span<const sass::MicroCase> cases, const sass::MicroResults& results) {
  std::vector<Row> rows;
  for (const sass::MicroCase& each : cases) {
    if (const sass::MicroResult* found = results.of(each.name))
      rows.push_back({*found, analysis::predictedCycles(each)});
  }
  return rows;
}

constexpr double kClose = 0.03;  // above this difference the model is wrong

std::string resultsText(std::span<const Row> rows, const sass::MicroResults& results,
                        bool recorded) {
  std::string text = fmt::format("{} ({}), {} {}\n\n", results.device, results.arch,
                                 recorded ? "recorded" : "measured", results.when);
  Table table({{"case", Align::Left}, {"1 warp"}, {"2"}, {"4"}, {"model"}, {"difference"}});
  for (const Row& row : rows) {
    std::vector<std::string> cells = {row.measured.name};
    for (const double cycles : row.measured.cycles) cells.push_back(fmt::format("{:.3f}", cycles));
    cells.push_back(fmt::format("{:.3f}", row.predicted));
    cells.push_back(std::abs(row.difference()) < kClose
                        ? ""
                        : fmt::format("{:+.1f} %", 100 * row.difference()));
    table.add(std::move(cells));
  }
  text += table.text();
  const auto close = std::ranges::count_if(
      rows, [](const Row& row) { return std::abs(row.difference()) < kClose; });
  text += fmt::format(
      "\n  Cycles per instruction of the case, with 1, 2 and 4 warps per scheduler. The model is "
      "compared with 2 warps;\n"
      "  {} of {} cases are within {:.0f} % of it; for the others the difference is shown.\n",
      close, rows.size(), 100 * kClose);
  return text;
}

Json resultsJson(std::span<const Row> rows, const sass::MicroResults& results, bool recorded) {
  Json cases = Json::array();
  for (const Row& row : rows)
    cases.push_back({{"case", row.measured.name},
                     {"cycles", row.measured.cycles},
                     {"cycles_predicted", row.predicted}});
  return {{"schema", sass::kMicroSchema},
          {"origin", recorded ? "recorded" : "live"},
          {"when", results.when},
          {"device", results.device},
          {"arch", results.arch},
          {"driver", results.driver},
          {"cuda", results.cuda},
          {"turns", results.turns},
          {"warps_per_scheduler", sass::kMicroWarps},
          {"cases", std::move(cases)}};
}

void show(const Options& options, std::span<const sass::MicroCase> cases,
          const sass::MicroResults& results, bool recorded, Outcome& outcome) {
  const std::vector<Row> rows = rowsOf(cases, results);
  outcome.output = options.json ? jsonText(resultsJson(rows, results, recorded))
                                : resultsText(rows, results, recorded);
}

void run(const Options& options, Outcome& outcome) {
  const auto device = parseNumber("--device", options.gpu.device, 0, 1023);
  if (!device) return outcome.fail(device.error());
  const auto limit = parseNumber("--limit", options.gpu.limit, 1, 3600);
  if (!limit) return outcome.fail(limit.error());
  if (options.record && (options.shipped || !options.only.empty()))
    return outcome.fail("--record measures all cases: leave out --shipped and --only");
  const std::vector<sass::MicroCase> cases = chosenCases(options);
  if (cases.empty())
    return outcome.fail(fmt::format("no case begins with \"{}\": leave --only out to see all",
                                    quotable(options.only)));
  if (options.record) {
    if (const std::string why = whyNotReplaced(*options.record); !why.empty())
      return outcome.fail(why);
  }
  const sass::MicroResults& recorded = sass::recordedMicroResults();
  if (options.shipped) return show(options, cases, recorded, true, outcome);
  const auto results = measured(options, *device, 1000.0 * *limit, cases);
  if (!results) {
    if (results.error().trouble != Trouble::Missing || options.record) {
      outcome.leaveAtOnce = isFatal(results.error().trouble);
      return failWith(outcome, results.error());
    }
    show(options, cases, recorded, true, outcome);
    outcome.remarks.push_back(fmt::format("nothing was measured, these are recorded on {}: {}",
                                          recorded.device, results.error().text));
    outcome.status = kNoGpu;
    return;
  }
  show(options, cases, *results, false, outcome);
  if (!options.record) return;
  if (const auto written = replaceText(*options.record, toText(*results)); !written)
    outcome.fail(written.error());
}

}  // namespace

void addMicrocasesCommand(Command root, Outcome& outcome) {
  const Command command = root.addCommand(
      "microcases",
      "Measure loops of a few SASS instructions beside the model of the register file");
  const auto options = std::make_shared<Options>();
  command.addOption("--only", options->only, "Only cases whose names begin with this")
      .typeName("TEXT")
      .notEmpty();
  command.addFlag("--shipped", options->shipped, "Show the recorded cases instead; needs no GPU");
  addJsonOptions(command, options->json, outcome);
  command
      .addOption("--record", options->record,
                 "Write the measurements to this file, in the shipped format")
      .file();
  addGpuOptions(command, options->gpu);
  addCacheOption(command, options->gpu.noCache);
  command.onRun([options, &outcome] { run(*options, outcome); });
}

}  // namespace tileloom::app
