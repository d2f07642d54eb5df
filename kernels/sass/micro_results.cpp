// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/sass/micro_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/base/json_reader.h"
#include "kernels/base/json_text.h"

namespace tileloom::sass {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestText = 200;
constexpr std::size_t kMostCases = 10'000;
constexpr double kMostCycles = 1e6;
constexpr int kMostTurns = 1 << 30;

// No figure is accurate to more than four places.
double rounded(double cycles) {
  constexpr double kPlaces = 1e4;
  return std::round(cycles * kPlaces) / kPlaces;
}

std::string lineOf(const Json& json) {
  return dumped(json) + "\n";
}

void readHeader(JsonReader& reader, MicroResults& into) {
  if (reader.text("schema", kLongestText) != kMicroSchema) reader.complain("schema", kMicroSchema);
  into.when = reader.text("when", kLongestText);
  into.device = reader.text("device", kLongestText);
  into.arch = reader.text("arch", kLongestText);
  into.driver = reader.text("driver", kLongestText, "");
  into.cuda = reader.text("cuda", kLongestText, "");
  into.turns = reader.integer("turns", 1, kMostTurns);
}

MicroResult resultFrom(JsonReader& reader) {
  MicroResult result;
  result.name = reader.text("case", kLongestText);
  const nlohmann::json& cycles = reader.list("cycles", kMicroWarps.size(), "numbers");
  const bool complete = cycles.size() == kMicroWarps.size();
  for (std::size_t i = 0; i < cycles.size() && complete; ++i) {
    const auto one = jsonNumber(cycles[i], 0, kMostCycles);
    if (!one) break;
    result.cycles[i] = *one;
  }
  if (!complete || std::ranges::any_of(result.cycles, [](double c) { return c <= 0; }))
    reader.complain("cycles", "three numbers above 0");
  return result;
}

}  // namespace

const MicroResult* MicroResults::of(std::string_view name) const {
  const auto found = std::ranges::find(results, name, &MicroResult::name);
  return found == results.end() ? nullptr : &*found;
}

std::string toText(const MicroResults& all) {
  std::string text = lineOf({{"schema", kMicroSchema},
                             {"when", all.when},
                             {"device", all.device},
                             {"arch", all.arch},
                             {"driver", all.driver},
                             {"cuda", all.cuda},
                             {"turns", all.turns}});
  for (const MicroResult& result : all.results) {
    Json cycles = Json::array();
    for (const double one : result.cycles) cycles.push_back(rounded(one));
    text += lineOf({{"case", result.name}, {"cycles", std::move(cycles)}});
  }
  return text;
}

tl::expected<MicroResults, std::string> microResultsFrom(std::string_view text) {
  MicroResults all;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    const auto wrong = [number](const std::string& why) {
      return tl::unexpected(fmt::format("line {}: {}", number, why));
    };
    const auto json = parseJsonObject(line, kRecordBounds);
    if (!json) return wrong(json.error());
    JsonReader reader(*json);
    if (number == 1) {
      readHeader(reader, all);
    } else {
      all.results.push_back(resultFrom(reader));
    }
    if (!reader.good()) return wrong(reader.complaint());
    if (all.results.size() > kMostCases)
      return wrong(fmt::format("there are more than {} cases", kMostCases));
  }
  if (number == 0) return tl::unexpected(std::string("there is no line"));
  return all;
}

const MicroResults& recordedMicroResults() {
  static const MicroResults recorded = [] {
    const auto files = microResultFiles();
    const auto file = std::ranges::find(files, "h100.jsonl", &EmbeddedFile::name);
    if (file == files.end()) return MicroResults();
    return microResultsFrom(file->text).value_or(MicroResults());
  }();
  return recorded;
}

}  // namespace tileloom::sass
