// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report/loop_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/commands/common/table.h"
#include "kernels/model/why/turn_stalls.h"
#include "kernels/tile/words.h"

namespace tileloom::app {
namespace {

using rewrite::Changes;
using rewrite::TurnFacts;

struct Row {
  std::string name;
  std::optional<Changes> changes;  // std::nullopt: the untouched loop
  const TurnFacts* facts = nullptr;
  bool otherLanes = false;  // than the kernel's own
};

std::string nameOf(const std::optional<Changes>& its) {
  if (!its) return "as compiled";
  const Changes& changes = *its;
  if (changes.all()) return "rewritten";
  std::string text;
  const auto add = [&text](bool there, std::string_view name) {
    if (there) return;
    text += text.empty() ? "without " : ", ";
    text += name;
  };
  add(changes.order, "2 x 2 order");
  add(changes.loads, "early loads");
  add(changes.barrier, "early barrier");
  return text;
}

// First all versions with the kernel's own lanes, then all with the others.
std::vector<Row> rowsOf(const rewrite::LoopStudy& study) {
  if (study.versions.empty()) return {{nameOf({}), {}, &study.untouched, false}};
  const bool usual = study.rewritten().version.pairedLoads;
  std::vector<Row> rows;
  for (const bool other : {false, true}) {
    const auto add = [&](const std::optional<Changes>& changes, const TurnFacts& facts) {
      rows.push_back({nameOf(changes), changes, &facts, other});
    };
    add(std::nullopt, other ? study.untouchedOtherwise : study.untouched);
    for (const rewrite::VersionFacts& each : study.versions)
      if (each.whyNot.empty() && (each.version.pairedLoads != usual) == other)
        add(each.version.changes, each.facts);
  }
  return rows;
}

std::string_view otherLanes(const rewrite::LoopStudy& study) {
  return study.rewritten().version.pairedLoads ? "lanes of rung 15" : "lanes of rung 14";
}

struct Distance {
  int shortest = 0;
  int median = 0;
};
Distance distanceOf(const TurnFacts& facts) {
  std::vector<int> all;
  for (const rewrite::LoadToUse& each : facts.uses) all.push_back(each.cycles);
  if (all.empty()) return {};
  std::ranges::sort(all);
  return {all.front(), all[all.size() / 2]};
}

const runs::Interval* measuredOf(const Row& row, const runs::LoopTimes* times) {
  return times == nullptr ? nullptr : times->of(row.changes, row.otherLanes);
}

// The loop that runs.
const TurnFacts& itsLoop(const rewrite::LoopStudy& study) {
  return study.versions.empty() ? study.untouched : study.rewritten().facts;
}

std::string percent(std::optional<double> share) {
  return share ? percentText(*share) : std::string("–");
}

std::string stallText(const LoopReport& report) {
  const auto& [study, times, samples] = report;
  const auto stalls = model::turnStalls(itsLoop(study), samples);
  if (stalls.empty()) return {};
  const bool sampled = stalls.front().sampled.has_value();
  std::vector<Column> columns = {{"its warps wait", Align::Left}, {"model"}};
  if (sampled) columns.push_back({"sampled"});
  Table table(std::move(columns));
  for (const model::TurnStall& stall : stalls)
    table.add({std::string(stall.name), percent(stall.predicted), percent(stall.sampled)});
  std::string text = fmt::format("\n{}\n  Shares of the time of the warps in {}.", table.text(),
                                 study.versions.empty() ? "this loop" : "the rewritten loop");
  if (std::ranges::any_of(stalls, [](const auto& stall) { return !stall.predicted; }))
    text += " –: the model has no such wait.";
  if (!sampled) return text + "\n";
  return text + fmt::format(" The samples are recorded: {}, {}x{}x{}, {}.\n", samples->device,
                            samples->problem.m, samples->problem.n, samples->problem.k,
                            samples->when);
}

Json stallJson(const LoopReport& report) {
  Json all = Json::array();
  for (const model::TurnStall& stall : model::turnStalls(itsLoop(report.study), report.samples)) {
    Json json = {{"reason", stall.name}};
    if (stall.predicted) json["predicted"] = *stall.predicted;
    if (stall.sampled) json["sampled"] = *stall.sampled;
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

std::string loopText(const LoopReport& report) {
  const auto& [study, times, samples] = report;
  Table table({{"main loop", Align::Left},
               {"instructions"},
               {"lost to banks"},
               {"to paired loads"},
               {"load to use, shortest"},
               {"median"},
               {"cycles, model"},
               {"measured"},
               {"difference"}});
  bool allMeasured = true;
  for (const Row& row : rowsOf(study)) {
    const TurnFacts& facts = *row.facts;
    const Distance distance = distanceOf(facts);
    const runs::Interval* measured = measuredOf(row, times);
    allMeasured = allMeasured && measured != nullptr;
    if (row.otherLanes && !row.changes) table.add({fmt::format("with the {}:", otherLanes(study))});
    table.add({row.name, wholeText(facts.instructions()), wholeText(facts.lostToBanks),
               wholeText(facts.lostToLoads), wholeText(distance.shortest),
               wholeText(distance.median), wholeText(facts.time.cycles),
               measured == nullptr ? std::string() : wholeText(measured->median),
               measured == nullptr
                   ? std::string()
                   : fmt::format("{:+.1f} %", 100 * (facts.time.cycles / measured->median - 1))});
  }
  std::string text = table.text();
  text += fmt::format(
      "\n  Cycles per iteration of the loop, with {} warps per SM. Lost cycles are per warp. Times "
      "from a shared load to its\n"
      "  first use are the model's.",
      study.warps);
  text += study.versions.empty() ? " This loop runs as compiled.\n"
                                 : " With other lanes the model uses the same machine code; the "
                                   "measurement uses the code\n"
                                   "  that the compiler generates for those lanes.\n";
  if (times == nullptr) {
    text += "  This kernel is not measured: tileloom loop --measure measures it on a GPU.\n";
  } else {
    if (!allMeasured)
      text +=
          "  Rows without a figure are not measured: tileloom loop --measure measures them on a "
          "GPU.\n";
    text += fmt::format("  {}: {} ({}), {}, {} MHz.\n", times->recorded ? "Recorded" : "Measured",
                        times->device, times->arch, times->when, times->smClockMHz);
  }
  return text + stallText(report);
}

Json loopJson(const LoopReport& report) {
  const auto& [study, times, samples] = report;
  Json versions = Json::array();
  for (const Row& row : rowsOf(study)) {
    const TurnFacts& facts = *row.facts;
    const Distance distance = distanceOf(facts);
    const std::string name =
        row.otherLanes ? fmt::format("{}, {}", row.name, otherLanes(study)) : row.name;
    Json json = {{"name", name},
                 {"untouched", !row.changes.has_value()},
                 {"instructions", facts.instructions()},
                 {"multiply_adds", facts.multiplyAdds},
                 {"lost_to_banks_predicted", facts.lostToBanks},
                 {"lost_to_paired_loads_predicted", facts.lostToLoads},
                 {"load_to_use_shortest_predicted", distance.shortest},
                 {"load_to_use_median_predicted", distance.median},
                 {"cycles_predicted", facts.time.cycles}};
    if (!study.versions.empty())
      json["paired_loads"] = row.otherLanes != study.rewritten().version.pairedLoads;
    if (row.changes) {
      json["order"] = row.changes->order;
      json["loads"] = row.changes->loads;
      json["barrier"] = row.changes->barrier;
    }
    if (const runs::Interval* measured = measuredOf(row, times))
      json["cycles_measured"] = {measured->median, measured->low, measured->high};
    versions.push_back(std::move(json));
  }
  Json json = {{"schema", runs::kLoopSchema},
               {"warps_per_sm", study.warps},
               {"versions", std::move(versions)},
               {"waits", stallJson(report)}};
  if (times != nullptr) {
    json["origin"] = times->recorded ? "recorded" : "live";
    json["device"] = times->device;
    json["when"] = times->when;
  }
  return json;
}

}  // namespace tileloom::app
