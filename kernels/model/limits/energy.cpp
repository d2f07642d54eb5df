// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/model/limits/energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "kernels/base/json_reader.h"

namespace tileloom::model {
namespace {

using Need = JsonReader::Need;

constexpr std::size_t kLongest = 300;
constexpr std::size_t kMostRows = 100;
constexpr double kMostTflops = 1e6;
constexpr int kMostMHz = 100000;
constexpr int kLargestSize = 1 << 20;

constexpr std::array<std::string_view, kLoads.size()> kLoadNames = {"none", "a", "b", "l2", "all"};

std::string rowName(std::string_view list, std::size_t i) {
  return fmt::format("\" of row {} of \"{}\"", i + 1, list);
}

runs::Interval interval(JsonReader& reader, std::string_view key, Need how) {
  const auto* value = reader.member(key, how);
  if (value == nullptr) return {};
  std::optional<double> figures[3];
  for (std::size_t i = 0; value->is_array() && value->size() == 3 && i < 3; ++i)
    figures[i] = jsonNumber((*value)[i], 1e-6, kMostTflops);
  const auto [median, low, high] = figures;
  if (median && low && high && *low <= *median && *median <= *high) return {*median, *low, *high};
  reader.complain(key, "a median, the lowest and the highest, three numbers above 0");
  return {};
}

std::optional<double> gigabytes(JsonReader& reader, std::string_view key) {
  if (reader.find(key) == nullptr) return std::nullopt;
  return reader.number(key, 0, 1e6);
}

// For an error message: "none, a, b, l2, all".
std::string loadNames() {
  return fmt::format("{}", fmt::join(kLoadNames, ", "));
}

std::vector<WhatIf> whatIfsOf(JsonReader& file) {
  std::vector<WhatIf> found;
  const auto& list = file.list("what_ifs", kMostRows, "objects", Need::Optional);
  for (std::size_t i = 0; i < list.size() && file.good(); ++i) {
    if (!list[i].is_object()) {
      file.take(fmt::format("row {} of \"what_ifs\" is not an object", i + 1));
      return {};
    }
    JsonReader reader(list[i], {.after = rowName("what_ifs", i)});
    WhatIf row;
    const std::string loads = reader.text("loads", kLongest);
    const auto known = std::ranges::find(kLoadNames, loads);
    if (reader.good() && known == kLoadNames.end())
      reader.complain("loads", fmt::format("one of {}", loadNames()));
    if (known != kLoadNames.end())
      row.loads = kLoads[static_cast<std::size_t>(known - kLoadNames.begin())];
    row.tflops = interval(reader, "tflops", Need::Required);
    row.clockMHz = reader.integer("clock_mhz", 0, kMostMHz, 0);
    row.dramGB = gigabytes(reader, "dram_gb");
    row.betweenHalvesGB = gigabytes(reader, "between_halves_gb");
    if (!reader.good()) file.take(reader.complaint());
    found.push_back(row);
  }
  return found;
}

// Empty, or why these cannot be used: one of each is needed, and a kernel that loads less must be
// faster.
std::string whyUnfit(const std::vector<WhatIf>& all) {
  for (const Loads loads : kLoads) {
    const auto count = std::ranges::count(all, loads, &WhatIf::loads);
    if (count != 1) {
      return fmt::format("\"what_ifs\" has {} rows that load \"{}\": one of each of {} is needed",
                         count, name(loads), loadNames());
    }
  }
  const auto speed = [&all](Loads loads) {
    return std::ranges::find(all, loads, &WhatIf::loads)->tflops.median;
  };
  constexpr std::pair<Loads, Loads> kFaster[] = {{Loads::None, Loads::OnlyA},
                                                 {Loads::None, Loads::OnlyB},
                                                 {Loads::None, Loads::FromL2},
                                                 {Loads::FromL2, Loads::All}};
  for (const auto& [less, more] : kFaster) {
    if (speed(less) < speed(more)) {
      return fmt::format(
          "\"what_ifs\" has \"{}\" slower than \"{}\", which loads more: it must be at least as "
          "fast, or the difference is not an energy",
          name(less), name(more));
    }
  }
  return {};
}

bool isKnown(std::string_view who) {
  return who == kBestOfLt ||
         std::ranges::any_of(everyStage(), [who](const Stage* stage) { return stage->id == who; });
}

std::vector<RungAtLimit> rungsOf(JsonReader& file) {
  std::vector<RungAtLimit> found;
  const auto& list = file.list("rungs", kMostRows, "objects", Need::Optional);
  for (std::size_t i = 0; i < list.size() && file.good(); ++i) {
    if (!list[i].is_object()) {
      file.take(fmt::format("row {} of \"rungs\" is not an object", i + 1));
      return {};
    }
    JsonReader reader(list[i], {.after = rowName("rungs", i)});
    RungAtLimit row;
    row.who = reader.text("who", kLongest);
    if (reader.good() && !isKnown(row.who))
      reader.complain("who", fmt::format("the id of a rung or {}", kBestOfLt));
    row.percent = reader.number("percent", 0.01, 10000);
    row.tflops = reader.number("tflops", 0, kMostTflops, 0.0);
    if (!reader.good()) file.take(reader.complaint());
    found.push_back(std::move(row));
  }
  return found;
}

}  // namespace

double joules(double watts, const Problem& problem, double tflops) {
  const double operations = 2.0 * problem.m * problem.n * problem.k;
  return watts * operations / (tflops * 1e12);
}

std::string_view name(Loads loads) {
  return kLoadNames[static_cast<std::size_t>(loads)];
}

const WhatIf& EnergyCall::whatIf(Loads loads) const {
  return *std::ranges::find(whatIfs, loads, &WhatIf::loads);
}

tl::expected<EnergyCall, std::string> energyCallFromLine(std::string_view line) {
  const auto json = parseJsonObject(line, kRecordBounds);
  if (!json) return tl::unexpected(json.error());
  JsonReader reader(*json);
  if (const auto* schema = reader.find("schema"); schema == nullptr || *schema != kEnergySchema)
    reader.complain("schema", kEnergySchema);
  EnergyCall call;
  call.when = reader.text("when", kLongest);
  call.device = reader.text("device", kLongest);
  call.limitWatts = reader.number("limit_watts", 1, 1e5);
  call.fullClockMHz = reader.integer("full_clock_mhz", 0, kMostMHz, 0);
  const std::string format = reader.text("arithmetic", kLongest);
  if (const auto known = formatNamed(format)) {
    call.format = *known;
  } else if (reader.good()) {
    reader.take(fmt::format("\"arithmetic\": {}", known.error()));
  }
  call.problem = {reader.integer("m", 1, kLargestSize), reader.integer("n", 1, kLargestSize),
                  reader.integer("k", 1, kLargestSize)};
  call.kernel = reader.text("kernel", kLongest);
  call.method = reader.text("method", kLongest);
  call.libraryTflops = interval(reader, "library_tflops", Need::Optional);
  call.whatIfs = whatIfsOf(reader);
  call.rungs = rungsOf(reader);
  if (!reader.good()) return tl::unexpected(reader.complaint());
  if (call.whatIfs.empty() && call.rungs.empty())
    return tl::unexpected(
        std::string("there is neither \"what_ifs\" nor \"rungs\": one is needed"));
  if (!call.whatIfs.empty()) {
    if (std::string why = whyUnfit(call.whatIfs); !why.empty()) return tl::unexpected(why);
    std::ranges::sort(call.whatIfs, {}, &WhatIf::loads);
  }
  return call;
}

tl::expected<std::vector<EnergyCall>, std::string> energyCallsFrom(std::string_view text,
                                                                   std::string_view nameOfText) {
  std::vector<EnergyCall> all;
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = text.find('\n');
    const std::string_view part = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (part.find_first_not_of(" \t\r") == part.npos) continue;
    auto call = energyCallFromLine(part);
    if (!call)
      return tl::unexpected(fmt::format("{}, line {}: {}", nameOfText, line, call.error()));
    all.push_back(std::move(*call));
  }
  return all;
}

std::span<const EnergyCall> shippedEnergyCalls() {
  static const std::vector<EnergyCall> all = [] {
    std::vector<EnergyCall> list;
    for (const EmbeddedFile& file : shippedEnergyFiles()) {
      auto calls = energyCallsFrom(file.text, file.name);
      // A broken shipped file fails the test of this source; the program shows the others.
      if (!calls) continue;
      list.insert(list.end(), calls->begin(), calls->end());
    }
    return list;
  }();
  return all;
}

EnergyShares sharesOf(const EnergyCall& call) {
  const auto of = [&call](Loads loads) { return call.joules(call.whatIf(loads).tflops.median); };
  EnergyShares s;
  s.whole = of(Loads::All);
  s.noLoads = of(Loads::None);
  s.fromL2 = of(Loads::FromL2) - s.noLoads;
  s.fromDram = s.whole - of(Loads::FromL2);
  s.onlyA = of(Loads::OnlyA) - s.noLoads;
  s.onlyB = of(Loads::OnlyB) - s.noLoads;
  return s;
}

}  // namespace tileloom::model
