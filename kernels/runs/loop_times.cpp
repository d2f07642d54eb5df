// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/runs/loop_times.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"
#include "kernels/tile/identity/fingerprint.h"
#include "kernels/tile/identity/text_keys.h"
#include "kernels/tile/parameters.h"
#include "kernels/tile/read_subject.h"
#include "kernels/tile/subject.h"
#include "kernels/tile/words.h"

namespace tileloom::runs {
namespace {

using Json = nlohmann::ordered_json;
using rewrite::Changes;

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kMostVersions = 64;
constexpr double kMostCycles = 1e9;
constexpr int kMostClock = 100'000;

struct ChangeName {
  std::string_view name;
  bool Changes::*change;
};
constexpr std::array kChanges = {ChangeName{"order", &Changes::order},
                                 ChangeName{"loads", &Changes::loads},
                                 ChangeName{"barrier", &Changes::barrier}};

Json timeJson(const LoopTime& time) {
  Json json;
  if (time.changes) {
    Json names = Json::array();
    for (const ChangeName& each : kChanges)
      if ((*time.changes).*each.change) names.push_back(each.name);
    json["changes"] = std::move(names);
  } else {
    json["untouched"] = true;
  }
  const auto rounded = [](double cycles) { return std::round(10 * cycles) / 10; };
  json["cycles"] = {rounded(time.cycles.median), rounded(time.cycles.low),
                    rounded(time.cycles.high)};
  return json;
}

LoopTime timeFrom(const nlohmann::json& json, JsonReader& whole, std::string_view list) {
  LoopTime time;
  if (!json.is_object()) {
    whole.complain(list, "a list of objects");
    return time;
  }
  JsonReader reader(json, {.after = "\" of a version"});
  if (!reader.flag("untouched", false)) {
    Changes changes{false, false, false};
    for (const nlohmann::json& name : reader.list("changes", kChanges.size(), "names")) {
      const auto found = std::ranges::find_if(
          kChanges, [&name](const ChangeName& each) { return name == each.name; });
      if (found == kChanges.end()) {
        reader.complain("changes", "a list of order, loads and barrier");
        break;
      }
      changes.*found->change = true;
    }
    time.changes = changes;
  }
  std::array<double, 3> cycles{};
  const nlohmann::json& numbers = reader.list("cycles", cycles.size(), "numbers");
  bool good = numbers.size() == cycles.size();
  for (std::size_t i = 0; i < numbers.size() && good; ++i) {
    const auto one = jsonNumber(numbers[i], 0, kMostCycles);
    good = one && *one > 0;
    if (good) cycles[i] = *one;
  }
  if (!good) reader.complain("cycles", "three numbers above 0");
  if (!reader.good()) whole.take(reader.complaint());
  time.cycles = {cycles[0], cycles[1], cycles[2]};
  return time;
}

}  // namespace

const Interval* LoopTimes::of(const std::optional<Changes>& changes, bool pairedLoads) const {
  const auto found = std::ranges::find_if(times, [&](const LoopTime& time) {
    return time.changes == changes && time.pairedLoads == pairedLoads;
  });
  return found == times.end() ? nullptr : &found->cycles;
}

Json toJson(const LoopTimes& times) {
  Json tile = Json::object();
  for (const ParameterSpec& spec : times.rung()->parameters)
    tile[std::string(name(spec.parameter))] = times.tile[spec.parameter];
  Json own = Json::array(), paired = Json::array();
  for (const LoopTime& time : times.times)
    (time.pairedLoads ? paired : own).push_back(timeJson(time));
  Json json = {{"schema", kLoopSchema},
               {"when", times.when},
               {"device", times.device},
               {"arch", times.arch},
               {"driver", times.driver},
               {"cuda", times.cuda},
               {"stage", times.rung()->id},
               {"tile", std::move(tile)},
               {"fingerprint", times.fingerprint},
               {"sm_clock_mhz", times.smClockMHz},
               {"versions", std::move(own)}};
  if (!paired.empty()) json["paired_versions"] = std::move(paired);
  return json;
}

std::string toLine(const LoopTimes& times) {
  return dumped(toJson(times));
}

tl::expected<LoopTimes, std::string> loopTimesFromLine(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) return tl::unexpected(json.error());
  return loopTimesFrom(*json);
}

tl::expected<LoopTimes, std::string> loopTimesFrom(const nlohmann::json& json) {
  if (!json.is_object()) return tl::unexpected(std::string(kNoJsonObject));
  JsonReader reader(json);
  if (reader.text("schema", kLongestText) != kLoopSchema) reader.complain("schema", kLoopSchema);
  LoopTimes times;
  times.when = reader.text("when", kLongestText);
  times.device = reader.text("device", kLongestText);
  times.arch = reader.text("arch", kLongestText);
  times.driver = reader.text("driver", kLongestText, "");
  times.cuda = reader.text("cuda", kLongestText, "");
  const auto subject = readSubject(reader, "a loop's");
  if (!subject) return tl::unexpected(reader.complaint());
  times.subject() = *subject;
  times.fingerprint = fingerprintFrom(reader, times.rung()->id);
  times.smClockMHz = reader.integer("sm_clock_mhz", 0, kMostClock);
  for (const bool paired : {false, true}) {
    const std::string_view key = paired ? "paired_versions" : "versions";
    const auto need = paired ? JsonReader::Need::Optional : JsonReader::Need::Required;
    for (const nlohmann::json& each : reader.list(key, kMostVersions, "objects", need)) {
      times.times.push_back(timeFrom(each, reader, key));
      times.times.back().pairedLoads = paired;
    }
  }
  if (!reader.good()) return tl::unexpected(reader.complaint());
  return times;
}

std::optional<LoopTimes> recordedLoopTimes(const Subject& subject) {
  const Stage& stage = *subject.rung();
  for (const EmbeddedFile& file : loopTimeFiles()) {
    std::string_view text = file.text;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      auto times = loopTimesFromLine(text.substr(0, end));
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!times || times->rung() != &stage || times->tile != subject.tile) continue;
      if (times->fingerprint != fingerprintOf(stage)) continue;
      times->recorded = true;
      return std::move(*times);
    }
  }
  return std::nullopt;
}

}  // namespace tileloom::runs
